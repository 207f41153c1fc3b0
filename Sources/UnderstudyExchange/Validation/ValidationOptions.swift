/// Optional checks, and the severities of rules.
package struct ValidationOptions: Sendable {
  /// The enabled rules of `Rule.optional`, and those about real servers alone.
  package var optional: Set<Rule> = []
  /// Headers that may be undeclared, in lower case; a `*` at the end matches any rest.
  package var ignoredHeaders: [String] = []
  /// An answer that takes longer is reported under `resp.time`.
  package var timeLimit: Duration?
  /// Severities that differ from those of the rules.
  package var levels: [Rule: RuleSettings.Level] = [:]
  /// Looks into bearer and ID tokens; without it their presence and shape are validated.
  package var tokens: TokenCheck?
  /// Whether requests show client certificates in `Client-Cert` (RFC 9440); otherwise `mutualTLS` is not validated.
  package var showsCertificates = false

  package init() {}

  package func wants(_ rule: Rule) -> Bool { optional.contains(rule) }

  /// The same for the answers of a real server, whose failures are findings. A mock and a fixture fail on purpose.
  package var ofServer: ValidationOptions {
    guard levels[.responseServerError] != .off else { return self }
    var options = self
    options.optional.insert(.responseServerError)
    return options
  }

  /// Undeclared headers, each once, without the standard and the ignored ones; `declared` is in lower case.
  func undeclaredHeaders(in fields: HTTPFields, besides declared: Set<String>) -> [String] {
    var seen = declared
    return fields.map(\.name.rawName).filter { name in
      let name = FieldSyntax.lowercased(name.utf8)
      let isIgnored = ignoredHeaders.contains { pattern in
        pattern.utf8.last == UInt8(ascii: "*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
      }
      return !isIgnored && !Self.isStandardHeader(name) && seen.insert(name).inserted
    }
  }

  /// Whether clients, servers or proxies add a header on their own.
  package static func isStandardHeader(_ name: String) -> Bool {
    standardHeaders.contains(FieldSyntax.lowercased(name.utf8))
  }

  /// RFC 9110 to 9112, Fetch, RFC 6265.
  private static let standardHeaders: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "accept-ranges", "age", "allow", "alt-svc",
    "authorization", "cache-control", "client-cert", "client-cert-chain", "connection", "content-encoding",
    "content-language", "content-length",
    "content-location", "content-range", "content-type", "cookie", "date", "deprecation", "dnt", "etag", "expect",
    "expires", "forwarded", "from", "host", "if-match", "if-modified-since", "if-none-match", "if-range",
    "if-unmodified-since", "keep-alive", "last-modified", "link", "location", "max-forwards", "origin", "pragma",
    "prefer", "preference-applied", "proxy-authorization", "range", "referer", "retry-after", "server", "set-cookie",
    "strict-transport-security", "sunset", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "vary", "via",
    "warning", "www-authenticate", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-request-id",
  ]
}

extension Rule {
  /// Rules that are off until they are enabled.
  package static let optional: Set<Rule> = [
    requestHeaderUndeclared, requestBodyUndeclared, requestServerUnknown, requestCredentialLeak,
    responseHeaderUndeclared, responseBodyUndeclared, providerDuplicateParam, fixtureUnused,
  ]
}
