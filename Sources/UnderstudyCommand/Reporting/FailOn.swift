import ArgumentParser
import UnderstudyVerification

/// The value of `--fail-on`, which knows whether it is the default.
struct FailOn: ExpressibleByArgument {
  /// The lowest severity that fails.
  let severity: Severity
  /// Whether the command line has the option.
  let isGiven: Bool

  init() { (severity, isGiven) = (.error, false) }

  init?(argument: String) {
    // `any` is the word of those who freeze a contract.
    guard let severity = argument == "any" ? .info : Severity(argument: argument) else { return nil }
    (self.severity, isGiven) = (severity, true)
  }

  var defaultValueDescription: String { severity.rawValue }

  static var allValueStrings: [String] { Severity.allValueStrings + ["any"] }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
