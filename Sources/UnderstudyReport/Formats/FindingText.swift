/// A finding as lines of text, in the layout of `DiagnosticPrinter`.
package struct FindingText: Sendable {
  package var style: TerminalStyle = .plain
  /// A message may quote a body of any size.
  private static let longest = 2_000

  package init(style: TerminalStyle = .plain) { self.style = style }

  /// The heading, the excerpt, the notes, the help and the reproduction. No line has a line break.
  package func lines(_ finding: Report.Finding) -> [String] {
    let lines = DiagnosticPrinter(style: style).lines(
      finding.diagnostic, Self.line(finding.message), mark: finding.isKnown ? style.dim(" (known)") : "",
      note: Self.line,
      help: finding.help.map { VisibleText.lines($0, longest: Self.longest).joined(separator: "\n    ") })
    let command = finding.reproduction.map { command in
      "  \(style.bold("reproduce:")) " + VisibleText.lines(command, longest: Self.longest).joined(separator: "\n    ")
    }
    return (lines + [command].compactMap(\.self)).flatMap {
      $0.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    }
    .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The lines of a command, each safe to print.
  static func lines(ofCommand command: String) -> [String] { VisibleText.lines(command, longest: longest) }

  private static func line(_ text: String) -> String {
    VisibleText.shortened(VisibleText.line(VisibleText.shortened(text, to: longest)), to: longest)
  }
}

extension VisibleText {
  /// The lines of a help or a command of this program; each is safe to print.
  static func lines(_ text: String, longest: Int) -> [String] {
    shortened(text, to: longest).utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { bytes in
      shortened(line(String(decoding: bytes, as: UTF8.self)), to: longest)
    }
  }
}
