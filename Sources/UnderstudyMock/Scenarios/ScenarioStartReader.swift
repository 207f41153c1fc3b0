/// Reads the states in which a scenario begins: `matched`, or `{"queue": "matched"}` for one of several machines.
struct ScenarioStartReader {
  private let machines: [ScenarioMachine]
  private let scenario: String?
  private(set) var findings = MappingReader.fixtures

  init(_ mock: Mock, scenario: String?) {
    self.scenario = scenario
    machines = scenario.flatMap { mock.scenarios[$0] }?.keyedMachines.map(\.machine) ?? []
  }

  /// The states by the names of their machines; `nil` if a machine or a state is unknown.
  mutating func read(_ node: JSON) -> [String: String]? {
    guard let scenario, !scenario.isEmpty else {
      return findings.reject(
        "`state` needs `scenario`", at: node, help: "expected {\"scenario\": \"NAME\", \"state\": \"STATE\"}")
    }
    guard !machines.isEmpty else {
      findings.report(
        .configInvalid, "the scenario `\(scenario)` has no states", at: node,
        help: "it answers with sequences, which begin with their first step")
      return nil
    }
    guard node.isObject else { return findings.string(node, of: "`state`").flatMap { state($0, at: node) } }
    var states: [String: String] = [:]
    for member in node.members {
      guard let machine = machines.first(where: { $0.name.utf8Equals(member.name) }) else {
        findings.report(
          .configInvalid, "the scenario `\(scenario)` has no machine `\(member.name)`", at: member.key,
          help: Suggestion.help(for: member.name, among: names, none: "it has one machine: send its state alone"))
        continue
      }
      guard let name = findings.string(member.value, of: "`\(member.name)`") else { continue }
      if machine.state(name) == nil { unknown(name, at: member.value, among: [machine]) }
      states[machine.name] = name
    }
    return states
  }

  private var names: [String] { machines.map(\.name).filter { !$0.isEmpty } }

  private mutating func state(_ name: String, at node: JSON) -> [String: String]? {
    let found = machines.filter { $0.state(name) != nil }
    guard let first = found.first else {
      unknown(name, at: node, among: machines)
      return nil
    }
    guard Set(found.map(\.name)).count == 1 else {
      let list = found.map { "`\($0.name)`" }.joined(separator: ", ")
      findings.report(
        .configInvalid, "several machines have a state `\(name)`: \(list)", at: node,
        help: "name one, as in {\"state\": {\"\(first.name)\": \"\(name)\"}}")
      return nil
    }
    return [first.name: name]
  }

  private mutating func unknown(_ name: String, at node: JSON, among machines: [ScenarioMachine]) {
    let known = machines.flatMap { $0.states.map(\.name) }.unique()
    findings.report(
      .configInvalid, "the scenario `\(scenario ?? "")` has no state `\(name)`", at: node,
      help: Suggestion.phrase(for: name, among: known).map { "\($0) known: \(known.joined(separator: ", "))" }
        ?? "known: \(known.joined(separator: ", "))")
  }
}
