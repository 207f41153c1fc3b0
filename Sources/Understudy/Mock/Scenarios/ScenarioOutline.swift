/// A scenario as text for people, and its machines as Mermaid diagrams.
package struct ScenarioOutline {
  private let scenario: MockScenario

  package init(_ scenario: MockScenario) { self.scenario = scenario }

  // MARK: - Text

  package var text: String {
    var lines = ["\(scenario.name)" + (scenario.summary.map { ": \($0)" } ?? "")]
    for (operation, sequence) in scenario.sequences.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(operation): " + Self.text(sequence))
    }
    for machine in scenario.machines { lines += Self.lines(of: machine) }
    if !scenario.checks.isEmpty { lines.append("  checks: " + scenario.checks.map(\.name).joined(separator: ", ")) }
    return lines.joined(separator: "\n") + "\n"
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
      if let timer = state.timer { lines.append("      after \(ScenarioDuration.text(timer.after)) -> \(timer.next)") }
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
    return lines.map { names(of: $0.operations) + $0.text }
  }

  /// The first three names, and the number of the others.
  private static func names(of operations: [String]) -> String {
    operations.count <= namesLimit
      ? operations.joined(separator: ", ")
      : operations.prefix(namesLimit - 1).joined(separator: ", ") + " and \(operations.count - namesLimit + 1) more"
  }

  private static let namesLimit = 4

  private static func text(of rule: ScenarioMachine.Rule) -> String {
    "\(condition(of: rule)): " + (rule.answer?.label ?? rule.status?.description ?? "its success")
      + (rule.next.map { " -> \($0)" } ?? "")
      + (rule.changes.isEmpty ? "" : ", sets \(rule.changes.map(\.name).joined(separator: ", "))")
      + (rule.moves.isEmpty ? "" : ", moves another")
      + (rule.advance > .zero ? ", \(ScenarioDuration.text(rule.advance)) pass" : "")
  }

  private static func condition(of rule: ScenarioMachine.Rule) -> String {
    let parts =
      (rule.when?.conditions ?? []).map { "\($0.part.rawValue) \($0.name)" } + rule.conditions.map(\.name)
      + (rule.other.map { ["another is " + $0.states.map(\.name).joined(separator: " or ")] } ?? [])
    return parts.isEmpty ? "" : " if \(parts.joined(separator: ", "))"
  }

  // MARK: - Mermaid

  /// A state diagram for each machine, as GitHub and other viewers of Markdown draw it.
  package var mermaid: String {
    scenario.machines.map(Self.mermaid).joined(separator: "\n")
  }

  private static func mermaid(_ machine: ScenarioMachine) -> String {
    var lines = ["stateDiagram-v2"]
    if !machine.name.isEmpty { lines.append("  %% \(machine.name)") }
    let ids = Dictionary(
      machine.states.enumerated().map { ($1.name, "s\($0)") }, uniquingKeysWith: { first, _ in first })
    func id(_ name: String) -> String { ids[name] ?? "unknown" }
    for state in machine.states {
      lines.append("  \(id(state.name)): \(plain(state.name))")
    }
    lines.append("  [*] --> \(id(machine.start))")
    for state in machine.states {
      var edges: [(end: String, operations: [String])] = []
      for (operation, rules) in state.rules.sorted(by: { $0.key < $1.key }) {
        for rule in rules {
          guard let next = rule.next else { continue }
          let end = "\(id(next)) \(rule.answer?.label ?? rule.status?.description ?? "")"
          if let known = edges.firstIndex(where: { $0.end == end }) {
            if !edges[known].operations.contains(operation) { edges[known].operations.append(operation) }
          } else {
            edges.append((end, [operation]))
          }
        }
      }
      for edge in edges {
        let parts = edge.end.split(separator: " ", maxSplits: 1).map(String.init)
        let label = plain(names(of: edge.operations) + " " + (parts.count > 1 ? parts[1] : ""))
        lines.append("  \(id(state.name)) --> \(parts[0]): \(label)")
      }
      if let timer = state.timer {
        lines.append("  \(id(state.name)) --> \(id(timer.next)): after \(ScenarioDuration.text(timer.after))")
      }
      if state.isFinal { lines.append("  \(id(state.name)) --> [*]") }
    }
    for (operation, rules) in machine.rules.sorted(by: { $0.key < $1.key }) {
      for rule in rules {
        guard let next = rule.next else { continue }
        for state in machine.states where !state.name.utf8Equals(next) {
          lines.append("  \(id(state.name)) --> \(id(next)): \(plain(operation))")
        }
      }
    }
    for move in machine.allRules.flatMap({ entry in entry.rule.moves.map { (entry.operation, $0) } }) {
      guard let next = move.1.next else { continue }
      for from in move.1.from where !from.name.utf8Equals(next.name) {
        lines.append("  \(id(from.name)) --> \(id(next.name)): \(plain("\(move.0) by another"))")
      }
    }
    var seen: Set<String> = []
    return lines.filter { seen.insert($0).inserted }.joined(separator: "\n") + "\n"
  }

  /// Without the characters that end a label.
  private static func plain(_ text: String) -> String {
    String(text.map { ":;#\n\"".contains($0) ? " " : $0 }).split(separator: " ").joined(separator: " ")
  }
}
