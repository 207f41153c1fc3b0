/// The grammar of RFC 6570.
enum URITemplateSyntax {
  static func isTemplate(_ text: Format.Text) -> Bool {
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      switch byte {
      case UInt8(ascii: "{"):
        guard let end = text[position...].firstIndex(of: UInt8(ascii: "}")),
          isExpression(text[(position + 1)..<end])
        else { return false }
        position = end + 1
      case UInt8(ascii: "%"):
        guard isEncoded(text, position) else { return false }
        position += 3
      default:
        // Literals (section 2.1); the apostrophe was added by an erratum.
        guard byte > 0x20, byte != 0x7F, !"\"<>\\^`|}".utf8.contains(byte) else { return false }
        position += 1
      }
    }
    return true
  }

  private static func isExpression(_ text: Format.Text) -> Bool {
    var list = text
    if let first = text.first, "+#./;?&=,!@|".utf8.contains(first) { list = text.dropFirst() }
    return !list.isEmpty
      && list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).allSatisfy(isVariable)
  }

  private static func isVariable(_ text: Format.Text) -> Bool {
    var name = text
    if text.last == UInt8(ascii: "*") {
      name = text.dropLast()
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      let digits = text[(colon + 1)...]
      guard 1...4 ~= digits.count, digits.allSatisfy({ 48...57 ~= $0 }), digits.first != 48 else { return false }
      name = text[..<colon]
    }
    return name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
      var position = part.startIndex
      while position < part.endIndex {
        if part[position] == UInt8(ascii: "%") {
          guard isEncoded(part, position) else { return false }
          position += 3
        } else {
          guard Format.isAlphanumeric(part[position]) || part[position] == UInt8(ascii: "_") else { return false }
          position += 1
        }
      }
      return !part.isEmpty
    }
  }

  private static func isEncoded(_ text: Format.Text, _ position: Int) -> Bool {
    position + 2 < text.endIndex && PercentEncoding.hexValue(text[position + 1]) != nil
      && PercentEncoding.hexValue(text[position + 2]) != nil
  }
}
