/// Untrusted text in Markdown, escaped so that it makes no markup, links or mentions.
package enum MarkdownText {
  /// Running text. Text between backticks stays code.
  package static func text(_ text: String, limit: Int = 500) -> String {
    let shown = VisibleText.line(VisibleText.shortened(text, to: limit))
    let pieces = shown.split(separator: "`", omittingEmptySubsequences: false)
    // A backtick without a partner, or two in a row, would open a span of another kind.
    guard pieces.count % 2 == 1, !pieces.dropFirst().dropLast().contains(where: \.isEmpty) else {
      return escaped(shown)
    }
    return pieces.enumerated().map { position, piece in
      position % 2 == 0 ? escaped(String(piece)) : code(String(piece))
    }.joined()
  }

  /// A code span, delimited by more backticks than the text has in a row.
  package static func code(_ text: String, limit: Int = 500) -> String {
    let shown = VisibleText.line(VisibleText.shortened(text, to: limit)).replacing("|", with: "\\|")
    guard !shown.isEmpty else { return "" }
    let fence = String(repeating: "`", count: longestRun(shown) + 1)
    let pad = shown.utf8.first == UInt8(ascii: "`") || shown.utf8.last == UInt8(ascii: "`") ? " " : ""
    return fence + pad + shown + pad + fence
  }

  /// Lines in a code block that they cannot close.
  static func block(_ lines: [String]) -> String {
    let text = lines.map { VisibleText.line($0) }.joined(separator: "\n")
    let fence = String(repeating: "`", count: max(3, longestRun(text) + 1))
    return "\(fence)text\n\(text)\n\(fence)\n"
  }

  private static func longestRun(_ text: String) -> Int {
    var (run, longest) = (0, 0)
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }

  private static func escaped(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "#", "~", "!", "&", "$": out.append("\\")
      default: break
      }
      out.append(scalar)
      // `@name` mentions a person and `#1` an issue even if escaped. A zero-width space prevents both.
      if scalar == "@" || scalar == "#" { out.append("\u{200B}") }
    }
    // Prevents automatic links.
    return String(out).replacing("://", with: ":\u{200B}//").replacing("www.", with: "www\u{200B}.")
  }
}
