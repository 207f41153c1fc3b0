/// The server behind a proxy.
package struct Upstream: Sendable, Hashable {
  /// `http` or `https`.
  package let scheme: String
  /// Host and port as written.
  package let authority: String
  /// Replaces the contract's base path, without a trailing slash; empty to keep the path.
  package let path: String

  /// Reads an `http` or `https` URL without user, query and fragment; `nil` for anything else.
  package init?(_ text: String) {
    let reference = URIReference(text)
    guard let scheme = reference.scheme, scheme == "http" || scheme == "https", reference.query == nil,
      reference.fragment == nil, let authority = reference.authority, !authority.utf8.contains(UInt8(ascii: "@")),
      !Self.host(of: authority).isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    if let port = Self.port(of: authority) {
      guard let number = Int(port), 1...65_535 ~= number else { return nil }
    }
    self.scheme = scheme
    self.authority = authority
    var path = reference.path
    while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    self.path = path
  }

  private init(scheme: String, authority: String) { (self.scheme, self.authority, path) = (scheme, authority, "") }

  package var root: Upstream { Upstream(scheme: scheme, authority: authority) }

  package var url: String { "\(scheme)://\(authority)\(path)" }

  /// Without the port, in lower case.
  package var host: String { Self.host(of: authority) }

  /// Whether a URL is on this server: the same scheme, host and port (RFC 6454, 5).
  package func isOrigin(of reference: URIReference) -> Bool {
    guard let other = reference.authority else { return false }
    let scheme = reference.scheme ?? scheme
    return scheme == self.scheme && Self.host(of: other) == host
      && Self.effectivePort(of: other, scheme) == Self.effectivePort(of: authority, self.scheme)
  }

  private static func effectivePort(of authority: String, _ scheme: String) -> String {
    let port = port(of: authority) ?? ""
    return port.isEmpty ? (scheme == "https" ? "443" : "80") : port
  }

  private static func host(of authority: String) -> String {
    let end = colon(in: authority) ?? authority.endIndex
    return FieldSyntax.lowercased(authority[..<end].utf8)
  }

  private static func port(of authority: String) -> String? {
    colon(in: authority).map { String(authority[authority.index(after: $0)...]) }
  }

  /// The colon before the port; an IPv6 address has others, in brackets.
  private static func colon(in authority: String) -> String.Index? {
    guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    return authority.utf8[colon...].contains(UInt8(ascii: "]")) ? nil : colon
  }
}
