/// One `--delay` or `--fault`: `<operation>=<duration>`, `<operation>=<fault>`.
package struct DisruptionRule: Sendable {
  package enum Effect: Sendable, Hashable {
    /// The time before the first byte, in place of the fixture's.
    case delay(Duration)
    /// In place of the fixture's.
    case fault(Fault)
  }

  /// As `CompiledOperation.isNamed(_:)` takes it.
  package let operation: String
  package let effect: Effect
  /// The value as it was written: `2s`, `reset`.
  package let text: String
  /// The location in a configuration file; `nil` for an option.
  package var location: Location?

  /// Reads `readChat=2s`.
  package static func delay(_ text: String) throws(UsageProblem) -> DisruptionRule {
    let (operation, value) = try split(text, "operation=duration, as in readChat=2s or '*=250ms'")
    guard let duration = Duration(text: value) else {
      throw UsageProblem(
        message: "`\(value)` is not a delay", help: "expected a duration such as 250ms or 2s, at most an hour")
    }
    return DisruptionRule(operation: operation, effect: .delay(duration), text: value)
  }

  /// Reads `readChat=reset`.
  package static func fault(_ text: String) throws(UsageProblem) -> DisruptionRule {
    let known = Fault.allCases.map(\.rawValue)
    let (operation, value) = try split(text, "operation=fault, as in readChat=reset")
    guard let fault = Fault(rawValue: value) else {
      throw UsageProblem(
        message: "`\(value)` is not a fault",
        help: Suggestion.phrase(for: value, among: known) ?? "known: \(known.joined(separator: ", "))")
    }
    return DisruptionRule(operation: operation, effect: .fault(fault), text: value)
  }

  private static func split(_ text: String, _ expected: String) throws(UsageProblem) -> (String, String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw UsageProblem(message: "`\(text)` is incomplete", help: "expected \(expected)")
    }
    return (parts[0], parts[1])
  }

  /// `delay` or `fault`
  package var name: String {
    switch effect {
    case .delay: "delay"
    case .fault: "fault"
    }
  }

  /// The finding about a rule that applies to no operation.
  func unused(by operations: [MockOperation]) -> Diagnostic? {
    guard operation != "*", !operations.contains(where: { $0.compiled.isNamed(operation) }) else { return nil }
    let source = location == nil ? "--\(name)" : "`\(name)`"
    return Diagnostic(
      .configInvalid, "\(source) names the operation `\(operation)`, which no contract has", at: location,
      help: Suggestion.phrase(for: operation, among: operations.map(\.id)) ?? "`understudy routes` lists them")
  }
}

/// The delay and the fault of every answer of an operation.
struct Disruption: Sendable {
  var delay: Duration?
  var fault: Fault?

  init() {}

  /// Later rules take precedence.
  init(of operation: CompiledOperation, by rules: [DisruptionRule]) {
    for rule in rules where operation.isNamed(rule.operation) {
      switch rule.effect {
      case .delay(let duration): delay = duration
      case .fault(let fault): self.fault = fault
      }
    }
  }

  func apply(to reply: inout Reply) {
    if let delay { reply.delay = delay }
    if let fault { reply.fault = fault }
  }
}
