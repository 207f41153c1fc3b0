/// One request as a machine sees it.
struct StateMachineStep {
  let machine: ScenarioMachine
  /// Where the machines of the contract's scenario are kept in a `LaneState`.
  let key: String
  /// The instance; empty for a machine that all requests share.
  let owner: String
  /// Where the machine was when the request arrived.
  let arrival: MachineState
  private(set) var decider: ScenarioMachine.Rule?
  /// The rules that wait for the status of another answer.
  private var candidates: [ScenarioMachine.Rule] = []

  /// The most instances of a machine; requests of further ones find it at its start.
  static let instanceLimit = 1_000

  /// `nil` for a request that lacks what distinguishes the instances.
  init?(
    _ machine: ScenarioMachine, key: String, _ request: any RequestValues, in state: borrowing LaneState, at now: Int
  ) {
    guard let owner = machine.owner(of: request) else { return nil }
    self.machine = machine
    self.key = key
    self.owner = owner
    arrival = Self.settled(owner, of: machine, key, in: state, at: now)
  }

  /// Notes the machine's state after its timers, whose messages are sent; `now` is in microseconds since 1970.
  func arrive(in state: inout LaneState, at now: Int) { store(arrival, owner, in: &state, settledAt: now) }

  /// Finds the rules that apply, which changes nothing.
  mutating func consider(
    _ operation: String, _ request: any RequestValues, _ environment: TemplateEnvironment, in state: LaneState,
    at now: Int
  ) {
    let rules = (machine.state(arrival.state)?.rules[operation] ?? []) + (machine.rules[operation] ?? [])
    let fitting = rules.filter { holds($0, request, environment, in: state, at: now) }
    guard let first = fitting.first else { return }
    if first.answer != nil { decider = first } else { candidates = fitting.filter { $0.answer == nil } }
  }

  /// The other instances in the lists of the rule that chooses the answer, those that came first in front.
  func others(
    _ request: any RequestValues, _ environment: TemplateEnvironment, in state: LaneState, at now: Int
  ) -> [String: [[String: String]]] {
    let lists = decider?.others ?? []
    var others: [(name: String, instance: MachineState)] = []
    for (name, instance) in state.machines[key] ?? [:] where name != owner {
      var instance = instance
      instance.settle(in: machine, at: now)
      others.append((name, instance))
    }
    others.sort { ($0.instance.since, $0.name) < ($1.instance.since, $1.name) }
    var found: [String: [[String: String]]] = [:]
    for (name, instance) in others {
      guard let list = lists.first(where: { $0.holds(for: instance, request, environment) }) else { continue }
      found[list.name, default: []].append(instance.variables.merging(["me": name]) { _, name in name })
    }
    return found
  }

  func outcome(_ status: Int, success: Int) -> ScenarioMachine.Rule? {
    if let decider { return decider.answer?.code == status ? decider : nil }
    return candidates.first { rule in
      switch rule.status {
      case nil: status == success
      case .code(let code)?: status == code
      case .range(let hundreds)?: status / 100 == hundreds
      case .default?: true
      }
    }
  }

  /// Changes the machine and others that the rule names, sends push messages, and returns a variable's missing source.
  func apply(
    _ rule: ScenarioMachine.Rule, _ request: any RequestValues, _ environment: TemplateEnvironment,
    in state: inout LaneState, at now: Int
  ) -> [Diagnostic] {
    var environment = environment
    if let other = rule.other {
      let name = MachineState.stored(other.who.render(request, environment))
      environment.others = state.machines[key]?[name]?.variables ?? [:]
    }
    var own = state.machines[key]?[owner] ?? arrival
    var findings = own.change(rule.changes, request, environment)
    if let next = rule.next { own.move(to: next, at: now, by: state.requests) }
    store(own, owner, in: &state)
    for move in rule.moves {
      let name = MachineState.stored(move.who.render(request, environment))
      guard !name.isEmpty else { continue }
      var other = Self.settled(name, of: machine, key, in: state, at: now)
      store(other, name, in: &state, settledAt: now)
      guard move.from.isEmpty || move.from.contains(where: { $0.name.utf8Equals(other.state) }) else { continue }
      findings += other.change(move.changes, request, environment)
      if let next = move.next { other.move(to: next.name, at: now, by: state.requests) }
      store(other, name, in: &state)
    }
    for push in rule.pushes {
      state.pushes.append(
        LanePush(
          name: push.message.name,
          recipient: push.recipient.map { MachineState.stored($0.render(request, environment)) },
          content: push.message.content, schema: push.message.schema, request: state.requests, time: now))
    }
    return findings
  }

  private func store(
    _ instance: MachineState, _ name: String, in state: inout LaneState, settledAt now: Int? = nil
  ) {
    let known = state.machines[key]?[name]
    if let now, let known { state.pushes.append(dueOf: known, name, in: machine, at: now) }
    guard known != instance, known != nil || state.machines[key]?.count ?? 0 < Self.instanceLimit else { return }
    state.machines[key, default: [:]][name] = instance
  }

  private static func settled(
    _ name: String, of machine: ScenarioMachine, _ key: String, in state: LaneState, at now: Int
  ) -> MachineState {
    var instance = state.machines[key]?[name] ?? MachineState(state.starts?[key] ?? machine.start, since: now)
    // A state may come from another version of the file.
    if machine.state(instance.state) == nil { instance = MachineState(machine.start, since: now) }
    instance.settle(in: machine, at: now)
    return instance
  }

  private func holds(
    _ rule: ScenarioMachine.Rule, _ request: any RequestValues, _ environment: TemplateEnvironment,
    in state: LaneState, at now: Int
  ) -> Bool {
    guard rule.conditions.allSatisfy({ $0.holds(for: arrival.variables, request, environment) }) else { return false }
    if let condition = rule.other {
      let name = MachineState.stored(condition.who.render(request, environment))
      let other = Self.settled(name, of: machine, key, in: state, at: now)
      guard condition.states.isEmpty || condition.states.contains(where: { $0.name.utf8Equals(other.state) }),
        condition.conditions.allSatisfy({ $0.holds(for: other.variables, request, environment) })
      else { return false }
    }
    return rule.when?.matches(request) ?? true
  }
}

extension MachineState {
  /// Sets variables to what templates give; returns a finding for each without a value, as part of it is missing.
  mutating func change(
    _ changes: [ScenarioMachine.VariableChange], _ request: any RequestValues, _ environment: TemplateEnvironment
  ) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for change in changes {
      let rendering = change.value.rendered(request, environment)
      variables[change.name] = rendering.reason == nil ? Self.stored(rendering.text) : nil
      guard let reason = rendering.reason else { continue }
      findings.append(
        Diagnostic(
          .scenarioVariableUnset,
          "the variable `\(change.name)` has no value: \(reason)",
          notes: [Diagnostic.Note("set here", at: change.location)],
          help: "only a condition `{present: false}` holds for it"))
    }
    return findings
  }

  /// The longest value that is stored as it is, in bytes.
  private static let valueLimit = 4096

  /// A variable's or an instance's value: of a longer one the start, length and hash, so that it equals no other.
  static func stored(_ text: some Collection<UInt8>) -> String {
    guard text.count > valueLimit else { return String(decoding: text, as: UTF8.self) }
    let hash = String(StableHash.fold(text, onto: StableHash.start), radix: 16)
    return String(decoding: text.prefix(valueLimit - 64), as: UTF8.self) + "...\(text.count) bytes, \(hash)"
  }
}

extension ScenarioMachine {
  /// The instance that a request belongs to; `nil` where it lacks the value.
  func owner(of request: any RequestValues) -> String? {
    guard let owner else { return "" }
    guard let value = request.values(owner.part, owner.name).first, !value.isEmpty else { return nil }
    return MachineState.stored((owner.claim.flatMap { Self.claim($0, of: value) } ?? value).utf8)
  }

  /// A claim of a JSON Web Token (RFC 7519), whose signature does not matter here; `nil` for other texts.
  private static func claim(_ name: String, of token: String) -> String? {
    let parts =
      token.split(separator: " ").last.map { $0.split(separator: ".", omittingEmptySubsequences: false) } ?? []
    guard parts.count == 3, let bytes = Base64.decode(url: Array(parts[1].utf8)[...]),
      let claims = MessageBody(bytes).root
    else { return nil }
    return claims[name]?.plainText
  }
}

extension ScenarioMachine.OtherList {
  func holds(
    for instance: MachineState, _ request: any RequestValues, _ environment: TemplateEnvironment
  ) -> Bool {
    (states.isEmpty || states.contains { $0.name.utf8Equals(instance.state) })
      && conditions.allSatisfy { $0.holds(for: instance.variables, request, environment) }
  }
}

extension ScenarioMachine.VariableCondition {
  /// A variable without a value is absent, which only `present: false` accepts.
  func holds(
    for variables: [String: String], _ request: any RequestValues, _ environment: TemplateEnvironment
  ) -> Bool {
    let value = variables[name]
    switch test {
    case .fixed(.present(let wanted)): return (value != nil) == wanted
    case .fixed(let test): return value.map { test.accepts($0) } ?? false
    case .template(let template):
      let rendering = template.rendered(request, environment)
      return rendering.reason == nil && value.map { $0.utf8Equals(MachineState.stored(rendering.text)) } ?? false
    }
  }
}

extension FixtureTemplate {
  func text(_ request: any RequestValues, _ environment: TemplateEnvironment) -> String {
    String(decoding: render(request, environment), as: UTF8.self)
  }
}
