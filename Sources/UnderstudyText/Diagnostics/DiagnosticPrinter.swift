/// Prints findings for people: `file:line:col: error: message [rule]`, an excerpt with a caret, and `help:`.
package struct DiagnosticPrinter: Sendable {
  package var style: TerminalStyle

  package init(style: TerminalStyle = .plain) { self.style = style }

  /// The finding, its excerpt, its notes and its help; each line ends with a line break.
  package func text(_ finding: Diagnostic) -> String {
    lines(finding, VisibleText.line(finding.message), note: Self.indented, help: finding.help.map(Self.indented))
      .map { $0 + "\n" }.joined()
  }

  /// The findings in groups by rule and severity: of many in a group the first as a whole, and a line for each of the
  /// others.
  package func text(_ findings: [Diagnostic]) -> String {
    findings.grouped { [$0.rule.id, $0.severity.rawValue] }.map { _, group in
      guard group.count >= Self.folded else { return group.map { text($0) }.joined() }
      return text(group[0]) + group.dropFirst().map { heading($0, VisibleText.line($0.message)) + "\n" }.joined()
    }.joined()
  }

  private static let folded = 3

  /// Further lines are indented: a CI system reads a line that begins with `::` as a command.
  private static func indented(_ text: String) -> String { VisibleText.block(text).replacing("\n", with: "\n    ") }

  /// The heading, the excerpt, the notes and the help.
  ///
  /// - Parameters:
  ///   - message: That of the finding, safe to print.
  ///   - note: Makes the message of a note safe to print.
  ///   - help: That of the finding, safe to print.
  package func lines(
    _ finding: Diagnostic, _ message: String, mark: String = "", note: (String) -> String, help: String?
  ) -> [String] {
    var lines = [heading(finding, message) + mark]
    lines += excerpt(finding.location)
    for other in finding.notes {
      lines.append("  \(place(other.location))\(style.bold("note:")) \(note(other.message))")
      lines += excerpt(other.location).map { "  " + $0 }
    }
    if let help { lines.append("  \(style.bold("help:")) \(help)") }
    return lines
  }

  private func heading(_ finding: Diagnostic, _ message: String) -> String {
    let weight = style.severity(finding.severity, "\(finding.severity.rawValue):")
    return "\(place(finding.location))\(weight) \(message) \(style.dim("[\(VisibleText.line(finding.rule.id))]"))"
  }

  private func place(_ location: Location?) -> String {
    location.flatMap { $0.shown.isEmpty ? nil : "\($0.shown): " } ?? ""
  }

  /// The line of the text with a caret below; empty without a text.
  private func excerpt(_ location: Location?) -> [String] {
    guard let line = location?.line, let excerpt = location?.excerpt else { return [] }
    return lines(of: excerpt, number: line)
  }

  /// An excerpt after the number of its line, and the mark below it.
  package func lines(of excerpt: Excerpt, number: Int) -> [String] {
    let number = String(number)
    let gutter = String(repeating: " ", count: number.count)
    let caret = String(repeating: " ", count: excerpt.offset) + String(repeating: "^", count: excerpt.length)
    return [
      "  \(style.dim("\(number) |")) \(VisibleText.line(excerpt.text))",
      "  \(style.dim("\(gutter) |")) \(style.severity(.error, caret))",
    ]
  }

  /// A hostile body must not move the cursor, forge a line, or turn the direction of reading: what does is shown, not
  /// sent.
  package static func visible(_ text: String) -> String { VisibleText.line(text) }
}
