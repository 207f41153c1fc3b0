import Understudy

/// Reports the examples of contracts that do not fit their schemas, once, while the mock serves already.
enum ExampleNotice {
  /// Examples that are named one by one.
  private static let limit = 5

  /// The lines about some contracts; empty where all examples fit.
  static func text(_ contracts: [Contract], _ style: TerminalStyle) -> String {
    contracts.map { text($0.compiled.brokenExamples(), of: $0.name, style) }.joined()
  }

  private static func text(_ broken: [String], of contract: String, _ style: TerminalStyle) -> String {
    guard !broken.isEmpty else { return "" }
    let names = broken.prefix(limit).map(DiagnosticPrinter.visible).joined(separator: ", ")
    let rest = broken.count > limit ? " and \(broken.count - limit) more" : ""
    let verb = broken.count == 1 ? "does not fit its schema" : "do not fit their schemas"
    return "\(style.yellow("warning:")) \(broken.count.counted("example")) of \(contract) \(verb): \(names)\(rest)\n"
      + "  help: `understudy verify` shows the places; --dynamic serves samples instead, --errors answers 500\n"
  }
}
