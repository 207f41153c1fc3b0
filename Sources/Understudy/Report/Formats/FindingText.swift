package import SourceText

/// A finding as lines for people, laid out as `DiagnosticPrinter` lays out a diagnostic.
package struct FindingText: Sendable {
  package var style: TerminalStyle = .plain
  /// A message may quote a body of any size.
  private static let longest = 2_000

  package init(style: TerminalStyle = .plain) { self.style = style }

  /// The heading, the excerpt, the notes, the help and how to see it again.
  package func lines(_ finding: Report.Finding) -> [String] {
    var lines = [heading(finding)]
    lines += excerpt(finding.place)
    for note in finding.notes {
      let place = note.place.map { "\($0): " } ?? ""
      lines.append("  \(place)\(style.bold("note:")) \(Self.line(note.message))")
      lines += excerpt(note.place).map { "  " + $0 }
    }
    if let help = finding.help { lines.append("  \(style.bold("help:")) \(Self.line(help))") }
    if let command = finding.reproduction { lines.append("  \(style.bold("see it again:")) \(Self.command(command))") }
    return lines
  }

  /// A command stays as it is typed: a line break inside quotes is one.
  private static func command(_ text: String) -> String {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line(String(decoding: $0, as: UTF8.self)) }
      .joined(separator: "\n")
  }

  private func heading(_ finding: Report.Finding) -> String {
    let place = finding.place.map { "\($0): " } ?? ""
    let severity = style.severity(finding.severity, "\(finding.severity.rawValue):")
    let known = finding.isKnown ? style.dim(" (known)") : ""
    return "\(place)\(severity) \(Self.line(finding.message)) \(style.dim("[\(Self.line(finding.rule))]"))\(known)"
  }

  private func excerpt(_ place: Report.Place?) -> [String] {
    guard let line = place?.line, let excerpt = place?.excerpt else { return [] }
    var shown = excerpt
    shown.text = VisibleText.line(excerpt.text)
    return DiagnosticPrinter(style: style).lines(of: shown, number: line)
  }

  private static func line(_ text: String) -> String {
    VisibleText.shortened(VisibleText.line(VisibleText.shortened(text, to: longest)), to: longest)
  }
}

extension Report.Place: CustomStringConvertible {
  /// `specs/slp.yaml:12:3`, or the pointer where there is no file.
  package var description: String {
    func shown(_ text: String) -> String { VisibleText.line(VisibleText.shortened(text, to: 500)) }
    guard let file else { return shown(pointer ?? "") }
    return shown(file) + (line.map { ":\($0):\(column ?? 1)" } ?? "")
  }
}
