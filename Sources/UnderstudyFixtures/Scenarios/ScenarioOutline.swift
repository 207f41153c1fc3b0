/// A scenario as text for people, and its machines as Mermaid diagrams.
package struct ScenarioOutline {
  private let scenario: MockScenario

  package init(_ scenario: MockScenario) { self.scenario = scenario }

  package var text: String {
    var lines = ["\(scenario.name)" + (scenario.summary.map { ": \($0)" } ?? "")]
    for (operation, sequence) in scenario.sequences.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(operation): " + Self.text(sequence))
    }
    for (operation, sequence) in (scenario.invalidSequences ?? [:]).sorted(by: { $0.key < $1.key }) {
      lines.append("  \(operation), invalid requests: " + Self.text(sequence))
    }
    for machine in scenario.machines { lines += Self.lines(of: machine) }
    if !scenario.collections.isEmpty { lines.append("  collections: " + Self.text(scenario.collections)) }
    if !scenario.checks.isEmpty { lines.append("  checks: " + scenario.checks.map(\.name).joined(separator: ", ")) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// `pets (create, list), orders (read)`
  private static func text(_ actions: [String: ResourceAction]) -> String {
    let verbs = Dictionary(grouping: actions.values, by: \.collection.name).mapValues { Set($0.map(\.verb)) }
    return verbs.sorted { $0.key < $1.key }.map { name, verbs in
      "\(name) (\(ResourceVerb.allCases.filter(verbs.contains).map(\.rawValue).joined(separator: ", ")))"
    }.joined(separator: ", ")
  }

  private static func text(_ sequence: ScenarioSequence) -> String {
    let steps = sequence.steps.map { step in
      (step.after > .zero ? "after \(ScenarioDuration.text(step.after)) " : "") + step.forcing.label
        + (step.times > 1 ? " x \(step.times)" : "")
    }
    return (steps + (sequence.loops ? ["and so on"] : [])).joined(separator: ", ")
  }

  private static func lines(of machine: ScenarioMachine) -> [String] {
    var title = machine.name.isEmpty ? "machine" : "machine \(machine.name)"
    if let owner = machine.owner {
      title += ", one for each \(owner.part.rawValue) `\(owner.name)`" + (owner.claim.map { " (\($0))" } ?? "")
    }
    var lines = ["  \(title)"]
    for state in machine.states {
      let marks = [state.name == machine.start ? "start" : nil, state.isFinal ? "final" : nil].compactMap(\.self)
      lines.append(
        "    \(state.name)" + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
          + (state.summary.map { ": \($0)" } ?? ""))
      lines += rules(state.rules).map { "      " + $0 }
      if let timer = state.timer {
        lines.append(
          "      after \(ScenarioDuration.text(timer.after)) -> \(timer.next)"
            + (timer.pushes.isEmpty ? "" : ", pushes \(timer.pushes.map(\.name).joined(separator: ", "))"))
      }
      if !state.never.isEmpty { lines.append("      never: \(state.never.joined(separator: ", "))") }
      if !state.expects.isEmpty { lines.append("      expects: \(state.expects.joined(separator: " or "))") }
    }
    if !machine.rules.isEmpty {
      lines.append("    in every state")
      lines += rules(machine.rules).map { "      " + $0 }
    }
    return lines
  }

  private static func rules(_ rules: [String: [ScenarioMachine.Rule]]) -> [String] {
    var lines: [(operations: [String], text: String)] = []
    for (operation, rules) in rules.sorted(by: { $0.key < $1.key }) {
      for rule in rules {
        let text = text(of: rule)
        if let known = lines.firstIndex(where: { $0.text == text }) {
          lines[known].operations.append(operation)
        } else {
          lines.append(([operation], text))
        }
      }
    }
    return lines.map { MachineGraph.names(of: $0.operations) + $0.text }
  }

  private static func text(of rule: ScenarioMachine.Rule) -> String {
    var text = "\(condition(of: rule)): " + (rule.answer?.label ?? rule.status?.description ?? "its success")
    if let next = rule.next { text += " -> \(next)" }
    if !rule.others.isEmpty { text += ", shows others: \(rule.others.map(\.name).joined(separator: ", "))" }
    if !rule.changes.isEmpty { text += ", sets \(rule.changes.map(\.name).joined(separator: ", "))" }
    if !rule.moves.isEmpty { text += ", moves another" }
    if !rule.sends.isEmpty { text += ", sends \(rule.sends.map(\.name).joined(separator: ", "))" }
    if !rule.pushes.isEmpty { text += ", pushes \(rule.pushes.map(\.message.name).joined(separator: ", "))" }
    if rule.advance > .zero { text += ", \(ScenarioDuration.text(rule.advance)) pass" }
    return text
  }

  private static func condition(of rule: ScenarioMachine.Rule) -> String {
    let parts =
      (rule.when?.conditions ?? []).map { "\($0.part.rawValue) \($0.name)" } + (rule.when?.groups ?? []).map(\.outline)
      + rule.conditions.map(\.name)
      + (rule.other.map { ["another is " + $0.states.map(\.name).joined(separator: " or ")] } ?? [])
    return parts.isEmpty ? "" : " if \(parts.joined(separator: ", "))"
  }

  /// A state diagram for each machine, as GitHub and other viewers of Markdown draw it.
  package var mermaid: String { scenario.machines.map { MachineGraph($0).mermaid }.joined(separator: "\n") }
}

extension RequestMatcher.Group {
  /// `any of query page, cookie session`
  fileprivate var outline: String {
    let names = matchers.flatMap(\.conditions).map { "\($0.part.rawValue) \($0.name)" }.unique()
    return switch self {
    case .any: "any of \(names.joined(separator: " or "))"
    case .none: "not \(names.joined(separator: " or "))"
    }
  }
}
