import HTTPTypes

/// Takes secrets out of what is written down: what the contracts' security schemes name, and fields of `format: password`.
package struct Redaction: Sendable {
  /// What stands where a secret stood.
  package static let marker = "[redacted]"

  /// In lower case.
  private let headers: Set<String>
  private let queries: [String]
  private let cookies: [String]
  /// Names of body fields.
  let passwords: [String]

  package init(_ contracts: [API] = []) {
    var headers: Set<String> = ["authorization", "proxy-authorization"]
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
    passwords = contracts.flatMap { Self.passwords(in: $0.root) }
  }

  /// A field's value without its secret; the scheme of an `Authorization` stays.
  package func value(_ name: String, _ value: String) -> String {
    let lower = FieldSyntax.lowercased(name.utf8)
    switch lower {
    case "cookie": return redactCookies(value)
    case "set-cookie": return redactSetCookie(value)
    case "referer", "location": return url(value)
    default: break
    }
    guard headers.contains(lower) else { return value }
    guard lower == "authorization" || lower == "proxy-authorization", let blank = value.utf8.firstIndex(of: 0x20) else {
      return Self.marker
    }
    return "\(value[..<blank]) \(Self.marker)"
  }

  /// A URL or request target without the secrets of its query; all else stays byte by byte.
  package func url(_ url: String) -> String {
    guard !queries.isEmpty, let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return url }
    let rest = url[url.index(after: mark)...]
    let end = rest.utf8.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
    return "\(url[...mark])\(redactPairs(rest[..<end].utf8, queries))\(rest[end...])"
  }

  /// Whether a value stands for a secret that somebody took out: us, or another tool.
  package static func isMarker(_ value: String) -> Bool {
    let text = FieldSyntax.lowercased(value.utf8)
    if ["[redacted]", "redacted", "<redacted>", "[filtered]", "[masked]"].contains(text) { return true }
    return text.utf8.count >= 3 && text.utf8.allSatisfy { $0 == UInt8(ascii: "*") }
  }

  // MARK: - Parts

  private func redactCookies(_ line: String) -> String {
    guard !headers.contains("cookie") else { return Self.marker }
    guard !cookies.isEmpty else { return line }
    return FieldSyntax.split(line.utf8, at: UInt8(ascii: ";")).map { redactPair($0, cookies) }.joined(separator: "; ")
  }

  private func redactSetCookie(_ line: String) -> String {
    guard !cookies.isEmpty else { return line }
    let end = line.utf8.firstIndex(of: UInt8(ascii: ";")) ?? line.endIndex
    return redactPair(Array(line[..<end].utf8), cookies) + line[end...]
  }

  private func redactPair(_ pair: [UInt8], _ names: [String]) -> String {
    let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.count
    let isSecret = names.contains { $0.utf8.elementsEqual(pair[..<equals]) }
    return isSecret && equals < pair.count
      ? String(decoding: pair[...equals], as: UTF8.self) + Self.marker : String(decoding: pair, as: UTF8.self)
  }

  /// The pairs of a query or a form, with the values of some names replaced.
  func redactPairs(_ text: some Collection<UInt8>, _ names: [String]) -> String {
    let pairs = text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair -> String in
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return String(decoding: pair, as: UTF8.self) }
      let name = PercentEncoding.decode(pair[..<equals], plusIsSpace: true)
      guard let name, names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
        return String(decoding: pair, as: UTF8.self)
      }
      return String(decoding: pair[...equals], as: UTF8.self) + PercentEncoding.encode(Self.marker)
    }
    return pairs.joined(separator: "&")
  }
}
