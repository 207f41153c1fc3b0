/// Finds mistakes in a machine that its reader cannot see in one place.
struct MachineCheck {
  private let machine: ScenarioMachine
  private var found: [Diagnostic] = []

  init(_ machine: ScenarioMachine) { self.machine = machine }

  mutating func findings() -> [Diagnostic] {
    checkReferences()
    // Without them the rest would report what follows from a misspelt name.
    guard found.isEmpty else { return found }
    checkReach()
    checkExits()
    checkVariables()
    return found
  }

  /// Every state that a rule, a timer or a condition names must exist.
  private mutating func checkReferences() {
    for state in machine.states {
      if let timer = state.timer { require(timer.next, at: timer.location) }
    }
    for (_, _, rule) in machine.allRules {
      if let next = rule.next { require(next, at: rule.location) }
      let named: [ScenarioMachine.Reference] =
        (rule.other?.states ?? []) + rule.others.flatMap(\.states)
        + rule.moves.flatMap { $0.from + [$0.next].compactMap(\.self) }
      for reference in named { require(reference.name, at: reference.location) }
    }
  }

  private mutating func require(_ name: String, at location: Location?) {
    guard machine.state(name) == nil else { return }
    found.append(
      Diagnostic(
        .scenarioStateUnknown, "the machine has no state `\(name)`", at: location,
        help: Suggestion.phrase(for: name, among: machine.states.map(\.name))
          ?? "it has \(machine.states.map(\.name).joined(separator: ", "))"))
  }

  /// Every state must be the start, or follow another one.
  private mutating func checkReach() {
    var reached: Set<String> = [machine.start]
    var waiting = [machine.start]
    // Rules of every state, and moves by other instances, can happen in any state.
    let anywhere =
      machine.rules.values.joined().compactMap(\.next)
      + machine.allRules.flatMap { $0.rule.moves.compactMap(\.next?.name) }
    for next in anywhere where reached.insert(next).inserted { waiting.append(next) }
    while let name = waiting.popLast(), let state = machine.state(name) {
      for next in Self.exits(of: state) where reached.insert(next).inserted { waiting.append(next) }
    }
    for state in machine.states where !reached.contains(state.name) {
      found.append(
        Diagnostic(
          .scenarioStateUnreachable, "nothing leads to the state `\(state.name)`", at: state.location,
          help: "name it as `to` of a rule or in `after`, or remove it"))
    }
  }

  /// Every state must have a way out, unless it is final.
  private mutating func checkExits() {
    let isLeftAnywhere = machine.rules.values.joined().contains { $0.next != nil }
    for state in machine.states where !state.isFinal && !isLeftAnywhere {
      let isMovedByOthers = machine.allRules.contains { entry in
        entry.rule.moves.contains { move in
          move.next.map { !$0.name.utf8Equals(state.name) } ?? false
            && (move.from.isEmpty || move.from.contains { $0.name.utf8Equals(state.name) })
        }
      }
      guard !isMovedByOthers, !Self.exits(of: state).contains(where: { !$0.utf8Equals(state.name) }) else { continue }
      found.append(
        Diagnostic(
          .scenarioStateNoExit, "nothing leads out of the state `\(state.name)`", at: state.location,
          help: "add a rule with `to`, or `after`; `final: true` states that it is meant"))
    }
  }

  private static func exits(of state: ScenarioMachine.State) -> [String] {
    state.rules.values.joined().compactMap(\.next) + [state.timer?.next].compactMap(\.self)
  }

  /// A condition on a variable that nothing sets never holds.
  private mutating func checkVariables() {
    let rules = machine.allRules.map(\.rule)
    let set = Set(rules.flatMap { ($0.changes + $0.moves.flatMap(\.changes)).map(\.name) })
    let used: [ScenarioMachine.VariableCondition] = rules.flatMap { rule in
      rule.conditions + (rule.other?.conditions ?? []) + rule.others.flatMap(\.conditions)
    }
    for condition in used where !set.contains(condition.name) {
      if case .fixed(.present) = condition.test { continue }
      report(condition.name, at: condition.location, set)
    }
    for rule in rules {
      for template in rule.templates { checkNames(of: template, in: rule, set) }
    }
  }

  private mutating func checkNames(
    of template: ScenarioMachine.PlacedTemplate, in rule: ScenarioMachine.Rule, _ set: Set<String>
  ) {
    for name in template.template.unknownNames(in: .rule) { report(name.text, at: template.location, help: name.help) }
    for name in template.template.members(of: "var") where !set.contains(name) {
      if !name.utf8Equals("me") {
        report(name, at: template.location, set)
      } else if machine.owner == nil {
        report("var.me", at: template.location, help: "it is what `per` distinguishes, as in `per: {header: idtoken}`")
      }
    }
    for name in template.template.members(of: "other") {
      if rule.other == nil {
        report(
          "other.\(name)", at: template.location, help: "the rule has no `other`, which says whose variable it is")
      } else if !set.contains(name) {
        report(name, at: template.location, set)
      }
    }
  }

  private mutating func report(_ name: String, at location: Location, help: String) {
    found.append(
      Diagnostic(.scenarioVariableUnset, "nothing gives `{{\(name)}}` a value", at: location, help: help))
  }

  private mutating func report(_ name: String, at location: Location?, _ known: Set<String>) {
    found.append(
      Diagnostic(
        .scenarioVariableUnset, "nothing sets the variable `\(name)`", at: location,
        help: Suggestion.phrase(for: name, among: known.sorted())
          ?? "a rule sets it, as in `set: {\(name): \"{{request.body.\(name)}}\"}`"))
  }
}
