/// The URL that a callback or a webhook is sent to: on this machine, or on a host that is allowed.
///
/// Names and addresses are compared as they are written, and never resolved: what another program reads in another way,
/// such as `2130706433`, `[::ffff:127.0.0.1]` or `127.0.0.1@example.com`, is rejected.
package struct CallbackTarget: Sendable, Hashable {
  package let scheme: String
  /// Host and port.
  package let authority: String
  /// Path and query.
  package let path: String

  /// The maximum length of a URL, in bytes.
  private static let lengthLimit = 8_000

  package var url: String { "\(scheme)://\(authority)\(path)" }

  /// - Parameter hosts: The hosts besides this machine, in lower case, each perhaps with a port.
  /// - Throws: The reason why nothing is sent to the URL.
  package init(_ text: String, allowing hosts: Set<String>) throws(TextProblem) {
    let shown = VisibleText.shortened(text, to: 100)
    let reference = URIReference(text)
    guard text.utf8.count <= Self.lengthLimit, text.utf8.allSatisfy(Self.isURLByte), reference.fragment == nil,
      let scheme = reference.scheme, scheme == "http" || scheme == "https", let authority = reference.authority,
      let (host, port) = Self.parts(of: authority.lowercased())
    else {
      throw TextProblem(
        .syntax, "`\(shown)` is not the URL of a receiver", at: 0..<text.utf8.count,
        help: "expected http or https with a host, without user and fragment, as in http://127.0.0.1:9000/events")
    }
    let named = port.map { "\(host):\($0)" } ?? host
    guard Self.isLoopback(host) || hosts.contains(host) || hosts.contains(named) else {
      throw TextProblem(
        .limit, "`\(shown)` is not on this machine", at: 0..<text.utf8.count,
        help: "expected localhost, 127.0.0.1 or [::1] as the host; `--allow-callbacks \(host)` allows another one")
    }
    self.scheme = scheme
    self.authority = named
    path = (reference.path.isEmpty ? "/" : reference.path) + (reference.query.map { "?\($0)" } ?? "")
  }

  /// Whether a string names a host that can be allowed: a name or an address, perhaps with a port.
  package static func isHost(_ text: String) -> Bool { parts(of: text.lowercased()) != nil }

  /// The characters of a URI (RFC 3986, 2).
  private static func isURLByte(_ byte: UInt8) -> Bool {
    0x21...0x7E ~= byte && !"\"<>\\^`{|}".utf8.contains(byte)
  }

  /// The host and the port of an authority; `nil` for one with a user, an empty host or another port.
  private static func parts(of authority: String) -> (host: String, port: Int?)? {
    let isBracketed = authority.utf8.first == UInt8(ascii: "[")
    let end =
      isBracketed ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":")
    let host = String(authority[..<(end ?? authority.endIndex)])
    let letters = isBracketed ? "[]:.0123456789abcdef" : "-._0123456789abcdefghijklmnopqrstuvwxyz"
    guard !host.isEmpty, host.utf8.allSatisfy({ letters.utf8.contains($0) }), !isBracketed || end != nil else {
      return nil
    }
    let rest = authority[(end ?? authority.endIndex)...]
    if rest.isEmpty { return (host, nil) }
    guard rest.utf8.first == UInt8(ascii: ":"), rest.dropFirst().utf8.allSatisfy({ 48...57 ~= $0 }),
      let port = Int(rest.dropFirst()), 1...65_535 ~= port
    else { return nil }
    return (host, port)
  }

  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    // Other spellings of a number are octal or hexadecimal to some readers.
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in Int(part).map { 0...255 ~= $0 && "\($0)".utf8Equals(String(part)) } ?? false }
  }
}
