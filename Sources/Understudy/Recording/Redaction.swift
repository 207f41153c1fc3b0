/// Removes secrets from output: parameters of the contracts' security schemes, parameters with the name of a
/// credential, fields of `format: password`, and known secret values.
package struct Redaction: Sendable {
  /// Replaces a secret.
  package static let marker = "[redacted]"

  /// In lower case.
  private let headers: Set<String>
  private let queries: [String]
  private let cookies: [String]
  /// Parameters of the contracts that are not credentials despite their names.
  private let plainQueries: [String]
  private let bodies: BodyRedaction
  private let secrets: [Secret]

  package init(_ contracts: [API] = [], secrets: [Secret] = []) {
    var headers: Set<String> = []
    var queries: [String] = []
    var cookies: [String] = []
    for scheme in contracts.flatMap(\.securitySchemes) {
      switch scheme.kind {
      case .apiKey(let name, .header): headers.insert(FieldSyntax.lowercased(name.utf8))
      case .apiKey(let name, .query): queries.append(name)
      case .apiKey(let name, .cookie): cookies.append(name)
      default: break
      }
    }
    self.headers = headers
    self.queries = queries
    self.cookies = cookies
    plainQueries = contracts.flatMap(\.operations).flatMap(\.parameters).filter { parameter in
      parameter.location == .query && CredentialNames.isAmbiguous(parameter.name)
    }.map(\.name)
    bodies = BodyRedaction(contracts)
    self.secrets = secrets
  }

  /// A field's value without its secret, but with the scheme of an `Authorization`.
  package func value(_ name: String, _ value: String) -> String {
    let lower = FieldSyntax.lowercased(name.utf8)
    switch lower {
    case "cookie": return redactCookies(value)
    case "set-cookie": return redactSetCookie(value)
    case "referer", "location": return url(value)
    default: break
    }
    guard isSecretField(lower) else { return value }
    guard lower == "authorization" || lower == "proxy-authorization", let blank = value.utf8.firstIndex(of: 0x20) else {
      return Self.marker
    }
    return "\(value[..<blank]) \(Self.marker)"
  }

  /// A URL or request target without the secrets of its query.
  package func url(_ url: String) -> String {
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return url }
    let rest = url[url.index(after: mark)...]
    let end = rest.utf8.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
    return "\(url[...mark])\(Self.redactPairs(rest[..<end].utf8, where: isSecretQuery))\(rest[end...])"
  }

  /// A body without passwords.
  package func body(_ bytes: [UInt8], _ contentType: MediaRange?) -> [UInt8] { bodies.redact(bytes, contentType) }

  /// The shell variable that replaces each spelling of a known secret in a command line.
  package var variables: [(spelling: String, name: String)] {
    secrets.flatMap { secret in secret.spellings.map { ($0, secret.variable) } }
  }

  /// Removes known secrets, which a server may have sent back, from the findings of a report.
  package func hideSecrets(in report: inout Report) {
    // A short secret would match parts of ordinary words.
    let variables = secrets.filter { $0.value.utf8.count >= 6 }.flatMap { secret in
      secret.spellings.map { ($0, "${\(secret.variable)}") }
    }
    guard !variables.isEmpty else { return }
    func hidden(_ text: String) -> String {
      variables.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
    report.forEachFinding { finding in
      finding.message = hidden(finding.message)
      finding.help = finding.help.map(hidden)
      for note in finding.notes.indices { finding.notes[note].message = hidden(finding.notes[note].message) }
    }
  }

  /// Whether a value replaces a secret that this or another tool removed.
  package static func isMarker(_ value: String) -> Bool {
    let text = FieldSyntax.lowercased(value.utf8)
    if ["[redacted]", "redacted", "<redacted>", "[filtered]", "[masked]"].contains(text) { return true }
    return text.utf8.count >= 3 && text.utf8.allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Whether a place of an exchange holds a secret, which messages must not show: `/query/token`.
  package func isSecret(_ pointer: String) -> Bool {
    guard let tokens = JSONPointer(pointer)?.tokens, tokens.count > 1 else { return false }
    switch tokens[0] {
    case "query": return isSecretQuery(tokens[1])
    case "header": return isSecretField(FieldSyntax.lowercased(tokens[1].utf8))
    case "cookie": return isSecretCookie(tokens[1])
    case "body": return tokens.dropFirst().contains(where: bodies.isSecret)
    default: return false
    }
  }

  // MARK: - Parts

  /// - Parameter name: in lower case.
  private func isSecretField(_ name: String) -> Bool { headers.contains(name) || CredentialNames.hasField(name) }

  private func isSecretCookie(_ name: String) -> Bool {
    cookies.contains { $0.utf8Equals(name) } || CredentialNames.hasCookie(name)
  }

  private func redactCookies(_ line: String) -> String {
    guard !headers.contains("cookie") else { return Self.marker }
    return FieldSyntax.split(line.utf8, at: UInt8(ascii: ";")).map(redactCookie).joined(separator: "; ")
  }

  private func redactSetCookie(_ line: String) -> String {
    let end = line.utf8.firstIndex(of: UInt8(ascii: ";")) ?? line.endIndex
    return redactCookie(Array(line[..<end].utf8)) + line[end...]
  }

  private func redactCookie(_ pair: [UInt8]) -> String {
    let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.count
    let name = String(decoding: pair[..<equals], as: UTF8.self)
    return isSecretCookie(name) && equals < pair.count
      ? "\(name)=\(Self.marker)" : String(decoding: pair, as: UTF8.self)
  }

  private func isSecretQuery(_ name: String) -> Bool {
    queries.contains { $0.utf8Equals(name) }
      || CredentialNames.hasQuery(name) && !plainQueries.contains { $0.utf8Equals(name) }
  }

  /// The pairs of a query or a form, with the values of some names replaced.
  static func redactPairs(_ text: some Collection<UInt8>, where isSecret: (String) -> Bool) -> String {
    let pairs = text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair -> String in
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return String(decoding: pair, as: UTF8.self) }
      guard let name = PercentEncoding.decode(pair[..<equals], plusIsSpace: true), isSecret(name) else {
        return String(decoding: pair, as: UTF8.self)
      }
      return String(decoding: pair[...equals], as: UTF8.self) + PercentEncoding.encode(marker)
    }
    return pairs.joined(separator: "&")
  }
}
