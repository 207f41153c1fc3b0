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
      lines.append("  \(place)\(style.bold("note:")) \(VisibleText.block(note.message))")
      lines += excerpt(note.location).map { "  " + $0 }
    }
    if let help = diagnostic.help { lines.append("  \(style.bold("help:")) \(VisibleText.block(help))") }
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
    guard let location, let start = location.start, let excerpt = Excerpt(location) else { return [] }
    return lines(of: excerpt, number: start.line)
  }

  /// An excerpt behind the number of its line, and the mark below it.
  package func lines(of excerpt: Excerpt, number: Int) -> [String] {
    let number = String(number)
    let gutter = String(repeating: " ", count: number.count)
    let caret =
      String(repeating: " ", count: excerpt.offset) + String(repeating: "^", count: excerpt.length)
    return [
      "  \(style.dim("\(number) |")) \(excerpt.text)",
      "  \(style.dim("\(gutter) |")) \(style.severity(.error, caret))",
    ]
  }

  /// A hostile body must not move the cursor, forge a line, or turn the direction of reading: what does is shown, not sent.
  package static func visible(_ text: String) -> String { VisibleText.line(text) }
}
