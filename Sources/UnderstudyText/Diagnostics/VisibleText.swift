/// Makes untrusted text safe to print: it cannot move the cursor, forge a line or change the direction of reading.
package enum VisibleText {
  /// Escapes control characters, line breaks and changes of direction as `\u{1B}`; keeps spaces and letters of all
  /// scripts.
  package static func line(_ text: String) -> String { shown(text, keepsLines: false) }

  /// As `line`, but keeps line feeds and tabs.
  package static func block(_ text: String) -> String { shown(text, keepsLines: true) }

  /// Hides user and password of URLs in a text, also a password with characters that do not belong in a URL.
  package static func withoutUsers(_ text: String) -> String {
    text.utf8.contains(UInt8(ascii: "@"))
      ? text.replacing(/\/\/([^\/?#\s`"']*|[^\s\/@:]*:(?!\d+\/)[^\s`]*)@/, with: "//[redacted]@") : text
  }

  /// Shortens a text to a number of scalars, with `...` for the rest.
  package static func shortened(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "..."
  }

  private static func shown(_ text: String, keepsLines: Bool) -> String {
    guard text.unicodeScalars.contains(where: { isHidden($0, keepsLines) }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isHidden(scalar, keepsLines) {
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  static func isHidden(_ scalar: Unicode.Scalar, _ keepsLines: Bool = false) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: !keepsLines
    case 0..<0x20, 0x7F..<0xA0: true
    // Line and paragraph separators; marks, embeddings, overrides and isolates of direction.
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x206F: true
    // Invisible characters: soft hyphens, spaces without width, tags. Joiners stay, as scripts and emoji need them.
    case 0x00AD, 0x180E, 0x200B, 0x2060...0x2064, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    // Code points that XML 1.0 cannot write (2.2), and noncharacters.
    case 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
