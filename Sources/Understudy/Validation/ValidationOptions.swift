/// What the one who asks wants validated beside what always is.
package struct ValidationOptions: Sendable {
  /// Which of `Rule.optional` are told: they are a matter of taste, or of the place where the validator stands.
  package var optional: Set<Rule> = []
  /// Header names, in lower case, that nobody needs to declare; a `*` at the end stands for any rest.
  package var ignoredHeaders: [String] = []
  /// An answer that takes longer is told under `resp.time`.
  package var timeLimit: Duration?
  /// What some rules weigh here, instead of their own severity.
  package var levels: [Rule: RuleSettings.Level] = [:]
  /// Looks into bearer and ID tokens; without it their presence and shape are validated.
  package var tokens: TokenCheck?

  package init() {}

  func wants(_ rule: Rule) -> Bool { optional.contains(rule) }

  /// Whether a header is nobody's news: one of HTTP's own, or one that the options name.
  func ignoresHeader(_ name: String) -> Bool {
    let name = FieldSyntax.lowercased(name.utf8)
    return Self.standardHeaders.contains(name)
      || ignoredHeaders.contains { pattern in
        pattern.utf8.last == UInt8(ascii: "*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
      }
  }

  /// Fields that clients, servers and what stands between them add on their own (RFC 9110 to 9112, Fetch, RFC 6265).
  private static let standardHeaders: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "accept-ranges", "age", "allow", "alt-svc",
    "authorization", "cache-control", "connection", "content-encoding", "content-language", "content-length",
    "content-location", "content-range", "content-type", "cookie", "date", "deprecation", "dnt", "etag", "expect",
    "expires", "forwarded", "from", "host", "if-match", "if-modified-since", "if-none-match", "if-range",
    "if-unmodified-since", "keep-alive", "last-modified", "link", "location", "max-forwards", "origin", "pragma",
    "prefer", "preference-applied", "proxy-authorization", "range", "referer", "retry-after", "server", "set-cookie",
    "strict-transport-security", "sunset", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "vary", "via",
    "warning", "www-authenticate", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-request-id",
  ]
}

extension Rule {
  /// Rules that are told only when they are asked for.
  package static let optional: Set<Rule> = [
    requestHeaderUndeclared, requestBodyUndeclared, requestServerUnknown, requestCredentialLeak,
    responseHeaderUndeclared, responseBodyUndeclared, responseServerError, providerDuplicateParam,
    fixtureUnused,
  ]
}
