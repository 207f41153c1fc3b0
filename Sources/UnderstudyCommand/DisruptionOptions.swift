import ArgumentParser
import Understudy

/// Delays and faults for all answers of an operation.
struct DisruptionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Wait before every answer of an operation: readChat=500ms, '*=2s'. Repeatable.", valueName: "operation=duration"))
  var delay: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Fail every answer of an operation on the wire by close, reset, truncate, drip, hang or garbage: readChat=reset. \
      Repeatable.
      """, valueName: "operation=fault"))
  var fault: [String] = []

  /// The rules of the command line, in the order of the options.
  func rules() throws -> [DisruptionRule] {
    try delay.map { try Self.rule("delay", $0, DisruptionRule.delay) }
      + fault.map { try Self.rule("fault", $0, DisruptionRule.fault) }
  }

  private static func rule(
    _ option: String, _ text: String, _ read: (String) throws(UsageProblem) -> DisruptionRule
  ) throws -> DisruptionRule {
    do throws(UsageProblem) {
      return try read(text)
    } catch {
      throw CommandFailure(.usage, "`--\(option) \(text)`: \(error.message)", help: error.help)
    }
  }

  /// `delay: {readChat: 2s}` and `fault: {readChat: reset}` of the config file.
  static func rules(_ root: JSON, _ reader: SettingsReader) -> [DisruptionRule] {
    rules(root["delay"], "a mapping of operations to durations, as in `readChat: 2s`", reader, DisruptionRule.delay)
      + rules(root["fault"], "a mapping of operations to faults, as in `readChat: reset`", reader, DisruptionRule.fault)
  }

  private static func rules(
    _ node: JSON?, _ expected: String, _ reader: SettingsReader,
    _ read: (String) throws(UsageProblem) -> DisruptionRule
  ) -> [DisruptionRule] {
    guard let mapping = reader.mapping(node, expected) else { return [] }
    return mapping.members.compactMap { (member) -> DisruptionRule? in
      let value = member.value.isString || member.value.kind == .number ? member.value.text : ""
      do throws(UsageProblem) {
        var rule = try read("\(member.name)=\(value)")
        rule.location = Location(member.key)
        return rule
      } catch {
        reader.reject(error.message, member.value, help: error.help)
        return nil
      }
    }
  }
}
