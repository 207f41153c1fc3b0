/// The grammar of RFC 3986 and, with Unicode, of RFC 3987.
struct URISyntax {
  private typealias Text = Format.Text

  private let allowsUnicode: Bool

  static func isURI(_ text: Format.Text, allowsUnicode: Bool = false) -> Bool {
    URISyntax(allowsUnicode: allowsUnicode).isValid(text, needsScheme: true)
  }

  static func isReference(_ text: Format.Text, allowsUnicode: Bool = false) -> Bool {
    URISyntax(allowsUnicode: allowsUnicode).isValid(text, needsScheme: false)
  }

  /// A scheme, a colon, and a text without white space.
  static func looksLikeURI(_ text: Format.Text) -> Bool {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), isScheme(text[..<colon]) else { return false }
    return text.count > colon - text.startIndex + 1 && text.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  private func isValid(_ text: Text, needsScheme: Bool) -> Bool {
    var rest = text
    if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
      guard consists(rest[(mark + 1)...], of: "/?:@") else { return false }
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      guard consists(rest[(mark + 1)...], of: "/?:@", allowsPrivateUse: true) else { return false }
      rest = rest[..<mark]
    }
    let colon = rest.firstIndex(of: UInt8(ascii: ":"))
    var hasScheme = false
    if let colon, Self.isScheme(rest[..<colon]) {
      rest = rest[(colon + 1)...]
      hasScheme = true
    }
    guard hasScheme || !needsScheme else { return false }
    if rest.starts(with: "//".utf8) {
      let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
      guard isAuthority(authority) else { return false }
      rest = rest[authority.endIndex...]
    } else if !hasScheme {
      // A colon in the first segment would end a scheme.
      let segment = rest.prefix { $0 != UInt8(ascii: "/") }
      guard !segment.contains(UInt8(ascii: ":")) else { return false }
    }
    return consists(rest, of: "/:@")
  }

  private static func isScheme(_ text: Text) -> Bool {
    guard let first = text.first, 65...90 ~= first & 0xDF, first >= 0x40 else { return false }
    return text.allSatisfy { Format.isAlphanumeric($0) || "+-.".utf8.contains($0) }
  }

  private func isAuthority(_ text: Text) -> Bool {
    var host = text
    if let at = text.lastIndex(of: UInt8(ascii: "@")) {
      guard consists(text[..<at], of: ":") else { return false }
      host = text[(at + 1)...]
    }
    if host.first == UInt8(ascii: "[") {
      guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
      return isAddress(host[(host.startIndex + 1)..<end]) && isPort(host[(end + 1)...])
    }
    let colon = host.firstIndex(of: UInt8(ascii: ":")) ?? host.endIndex
    return consists(host[..<colon], of: "") && isPort(host[colon...])
  }

  private func isPort(_ text: Text) -> Bool {
    text.isEmpty || (text.first == UInt8(ascii: ":") && text.dropFirst().allSatisfy { 48...57 ~= $0 })
  }

  /// The text in brackets: an IPv6 address, or one of a future version (`v1.x`).
  private func isAddress(_ text: Text) -> Bool {
    guard let first = text.first, first | 0x20 == UInt8(ascii: "v") else { return HostSyntax.isIPv6(text) }
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")) else { return false }
    let (version, rest) = (text[(text.startIndex + 1)..<dot], text[(dot + 1)...])
    return !version.isEmpty && version.allSatisfy { PercentEncoding.hexValue($0) != nil } && !rest.isEmpty
      && rest.allSatisfy { PercentEncoding.isUnreserved($0) || "!$&'()*+,;=:".utf8.contains($0) }
  }

  /// Unreserved characters, sub-delimiters, percent-encoded bytes, and `others`.
  private func consists(_ text: Text, of others: String, allowsPrivateUse: Bool = false) -> Bool {
    var position = text.startIndex
    var hasUnicode = false
    while position < text.endIndex {
      let byte = text[position]
      position += 1
      switch byte {
      case UInt8(ascii: "%"):
        guard position + 1 < text.endIndex, PercentEncoding.hexValue(text[position]) != nil,
          PercentEncoding.hexValue(text[position + 1]) != nil
        else { return false }
        position += 2
      case 0x80...:
        guard allowsUnicode else { return false }
        hasUnicode = true
      default:
        guard PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=".utf8.contains(byte) || others.utf8.contains(byte)
        else {
          return false
        }
      }
    }
    return !hasUnicode
      || String(decoding: text, as: UTF8.self).unicodeScalars.allSatisfy {
        $0.isASCII || Self.isAllowed($0, allowsPrivateUse)
      }
  }

  /// `ucschar`, and `iprivate` in a query (RFC 3987, section 2.2).
  private static func isAllowed(_ scalar: Unicode.Scalar, _ allowsPrivateUse: Bool) -> Bool {
    switch scalar.value {
    case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
    case 0x10000...0xDFFFF: scalar.value & 0xFFFE != 0xFFFE
    case 0xE1000...0xEFFFF: scalar.value & 0xFFFE != 0xFFFE
    case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: allowsPrivateUse
    default: false
    }
  }
}
