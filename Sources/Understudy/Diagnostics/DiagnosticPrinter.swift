/// Prints findings for people: `file:line:col: error: message [rule]`, an excerpt with a caret, and `help:`.
package struct DiagnosticPrinter: Sendable {
  package var style: TerminalStyle

  package init(style: TerminalStyle = .plain) { self.style = style }

  /// The finding, its excerpt, its notes and its help, each line ended by a line break.
  package func text(_ diagnostic: Diagnostic) -> String {
    var lines = [heading(diagnostic)]
    lines += excerpt(diagnostic.location)
    for note in diagnostic.notes {
      let place = note.location.map { "\($0): " } ?? ""
      lines.append("  \(place)\(style.bold("note:")) \(note.message)")
      lines += excerpt(note.location).map { "  " + $0 }
    }
    if let help = diagnostic.help { lines.append("  \(style.bold("help:")) \(help)") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The first line alone.
  package func heading(_ diagnostic: Diagnostic) -> String {
    let place = diagnostic.location.map(\.description) ?? ""
    let severity = style.severity(diagnostic.severity, "\(diagnostic.severity.rawValue):")
    let rule = style.dim("[\(diagnostic.rule.id)]")
    return "\(place.isEmpty ? "" : place + ": ")\(severity) \(Self.visible(diagnostic.message)) \(rule)"
  }

  /// The line of the text with a caret below; nothing where no text is known.
  private func excerpt(_ location: Location?) -> [String] {
    guard let location, let source = location.source, let range = location.range, let start = location.start,
      let end = location.end
    else { return [] }
    // A minified document is one long line: show a window of it.
    let width = 100
    let (left, right) = source.surroundings(of: range.lowerBound, limit: width)
    let before = left.suffix(max(width / 2, width - right.count))
    let after = right.prefix(width - before.count)
    let shown = String(
      String.UnicodeScalarView((before + after).map { $0.properties.generalCategory == .control ? " " : $0 }))
    let length = range.isEmpty ? 1 : end.line == start.line ? end.column - start.column : after.count
    let carets = max(1, after.prefix(max(1, length)).reduce(0) { $0 + Self.columns($1) })
    let number = String(start.line)
    let gutter = String(repeating: " ", count: number.count)
    let caret =
      String(repeating: " ", count: before.reduce(0) { $0 + Self.columns($1) }) + String(repeating: "^", count: carets)
    return [
      "  \(style.dim("\(number) |")) \(shown)",
      "  \(style.dim("\(gutter) |")) \(style.severity(.error, caret))",
    ]
  }

  /// Terminal columns of a character: CJK and emoji take two, combining marks none.
  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }

  /// A hostile body must not move the cursor or forge a line: control characters are shown, not sent.
  package static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard scalar.properties.generalCategory == .control else {
        result.append(scalar)
        continue
      }
      let hex = String(scalar.value, radix: 16, uppercase: true)
      result.append(contentsOf: "\\u{\(hex)}".unicodeScalars)
    }
    return String(result)
  }
}
