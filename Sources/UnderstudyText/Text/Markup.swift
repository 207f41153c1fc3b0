/// Text in XML and HTML.
package enum Markup {
  /// Text between tags. Characters that XML 1.0 does not allow (2.2) are written as `\u{0}`.
  package static func text(_ text: String) -> String { escaped(VisibleText.block(text)) }

  /// The value of an attribute, in double or single quotes; line breaks stay line breaks.
  package static func attribute(_ text: String) -> String { escaped(VisibleText.block(text), breaks: true) }

  private static func escaped(_ text: String, breaks: Bool = false) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): out += "&amp;".utf8
      case UInt8(ascii: "<"): out += "&lt;".utf8
      case UInt8(ascii: ">"): out += "&gt;".utf8
      case UInt8(ascii: "\""): out += "&quot;".utf8
      case UInt8(ascii: "'"): out += "&#39;".utf8
      case 0x0A where breaks: out += "&#10;".utf8
      case 0x09 where breaks: out += "&#9;".utf8
      default: out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
