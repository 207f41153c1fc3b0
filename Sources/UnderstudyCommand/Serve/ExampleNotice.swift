import UnderstudyMock
import UnderstudyVerification

/// Reports the answers of contracts that do not fit their schemas, once, while the mock serves already: examples, and
/// schemas that no sample is found for.
enum ExampleNotice {
  /// Answers that are named one by one.
  private static let limit = 5

  /// The lines about the contracts of a mock; empty where all answers fit.
  static func text(_ mock: Mock, _ style: TerminalStyle) -> String {
    mock.contracts.map { contract in
      let broken = mock.options.isDynamic ? [] : contract.compiled.brokenExamples()
      return text(broken, of: contract.name, style)
        + text(contract.unsampledAnswers(seed: mock.options.seed), of: contract.name, style)
        + text(PlaceholderAnswers(contract), of: contract.name, style)
    }.joined()
  }

  private static func text(_ unsampled: [Contract.Unsampled], of contract: String, _ style: TerminalStyle) -> String {
    guard let first = unsampled.first else { return "" }
    let verb = unsampled.count == 1 ? "has" : "have"
    return "\(style.yellow("warning:")) \(unsampled.count.counted("answer")) of \(contract) \(verb) no valid sample: "
      + "\(list(unsampled.map(\.cell)))\n  \(DiagnosticPrinter.visible("\(first.cell): \(first.reason)"))\n"
      + "  help: the body only resembles its schema; correct the schema, or write a fixture\n"
  }

  private static func text(_ placeholders: PlaceholderAnswers, of contract: String, _ style: TerminalStyle) -> String {
    guard let first = placeholders.all.first else { return "" }
    let count = placeholders.all.count
    return "\(style.yellow("warning:")) \(count.counted("response")) of \(contract) \(count == 1 ? "is a" : "are") "
      + "\(count == 1 ? "placeholder" : "placeholders"): \(list(placeholders.all.map(\.cell)))\n"
      + "  \(DiagnosticPrinter.visible("\(first.cell): \(first.reason)"))\n"
      + "  help: write a fixture; its `bodyFile` may name a file of any format\n"
  }

  private static func list(_ names: [String]) -> String {
    let rest = names.count > limit ? " and \(names.count - limit) more" : ""
    return names.prefix(limit).map(DiagnosticPrinter.visible).joined(separator: ", ") + rest
  }

  private static func text(_ broken: [String], of contract: String, _ style: TerminalStyle) -> String {
    guard !broken.isEmpty else { return "" }
    let verb = broken.count == 1 ? "does not fit its schema" : "do not fit their schemas"
    return "\(style.yellow("warning:")) \(broken.count.counted("example")) of \(contract) \(verb): \(list(broken))\n"
      + "  help: `understudy verify` shows the places; --dynamic serves samples instead, --errors answers 500\n"
  }
}
