/// Prints findings for people: `file:line:col: error: message [rule]`, an excerpt with a caret, and `help:`.
package struct DiagnosticPrinter: Sendable {
  package var style: TerminalStyle

  package init(style: TerminalStyle = .plain) { self.style = style }

  /// A message with its location.
  package struct Part {
    let place: String
    let message: String
    let excerpt: Excerpt?
    let line: Int?

    package init(_ message: String, at place: String?, excerpt: Excerpt?, line: Int?) {
      self.place = place.map { $0.isEmpty ? "" : "\(VisibleText.line($0)): " } ?? ""
      self.message = message
      self.excerpt = excerpt
      self.line = line
    }

    fileprivate init(_ message: String, at location: Location?) {
      self.init(message, at: location?.description, excerpt: location?.excerpt, line: location?.line)
    }
  }

  /// The finding, its excerpt, its notes and its help; each line ends with a line break.
  package func text(_ diagnostic: Diagnostic) -> String {
    lines(
      Part(VisibleText.line(diagnostic.message), at: diagnostic.location), diagnostic.severity,
      rule: diagnostic.rule.id,
      notes: diagnostic.notes.map { Part(Self.indented($0.message), at: $0.location) },
      help: diagnostic.help.map(Self.indented)
    ).map { $0 + "\n" }.joined()
  }

  /// Further lines are indented: a CI system reads a line that begins with `::` as a command.
  private static func indented(_ text: String) -> String { VisibleText.block(text).replacing("\n", with: "\n    ") }

  /// The heading, the excerpt, the notes and the help.
  package func lines(
    _ finding: Part, _ severity: Severity, rule: String, mark: String = "", notes: [Part], help: String?
  ) -> [String] {
    let weight = style.severity(severity, "\(severity.rawValue):")
    var lines = ["\(finding.place)\(weight) \(finding.message) \(style.dim("[\(rule)]"))\(mark)"]
    lines += excerpt(finding)
    for note in notes {
      lines.append("  \(note.place)\(style.bold("note:")) \(note.message)")
      lines += excerpt(note).map { "  " + $0 }
    }
    if let help { lines.append("  \(style.bold("help:")) \(help)") }
    return lines
  }

  /// The line of the text with a caret below; empty without a text.
  private func excerpt(_ part: Part) -> [String] {
    guard let line = part.line, let excerpt = part.excerpt else { return [] }
    return lines(of: excerpt, number: line)
  }

  /// An excerpt after the number of its line, and the mark below it.
  package func lines(of excerpt: Excerpt, number: Int) -> [String] {
    let number = String(number)
    let gutter = String(repeating: " ", count: number.count)
    let caret = String(repeating: " ", count: excerpt.offset) + String(repeating: "^", count: excerpt.length)
    return [
      "  \(style.dim("\(number) |")) \(excerpt.text)",
      "  \(style.dim("\(gutter) |")) \(style.severity(.error, caret))",
    ]
  }

  /// A hostile body must not move the cursor, forge a line, or turn the direction of reading: what does is shown, not
  /// sent.
  package static func visible(_ text: String) -> String { VisibleText.line(text) }
}
