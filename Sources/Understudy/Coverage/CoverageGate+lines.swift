extension CoverageGate.Evaluation {
  /// The most missing answers that are listed.
  private static let listLimit = 20

  /// The result for people: `served 83 % of 80 %: passed`, or the reason with the first missing answers.
  package func lines(_ style: TerminalStyle) -> [String] {
    guard !isPassed else { return ["\(VisibleText.line(sentence)): \(style.green("passed"))"] }
    let shown = missing.prefix(Self.listLimit).map { "  missing: \(VisibleText.line($0.title))" }
    let rest = missing.count - shown.count
    return ["\(style.red("too low:")) \(VisibleText.line(sentence))"] + shown
      + (rest > 0 ? ["  and \(rest) more (--format json has all)"] : [])
  }
}
