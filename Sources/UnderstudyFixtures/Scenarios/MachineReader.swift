struct MachineReader {
  let operations: [Operation]
  let cells: CellNames
  let pushes: PushFiles
  var findings = MappingReader.fixtures

  private static let keys = ["summary", "per", "start", "states", "on"]
  private static let stateKeys = ["summary", "on", "after", "never", "expects", "final"]
  private static let timerKeys = ["to", "push"]

  init(_ operations: [Operation], _ cells: CellNames, _ pushes: PushFiles) {
    (self.operations, self.cells, self.pushes) = (operations, cells, pushes)
  }

  /// The machine; `nil` when it has no valid state.
  mutating func read(_ node: JSON, named name: String) -> ScenarioMachine? {
    guard findings.isMapping(node, "a mapping for a machine", keys: Self.keys) else { return nil }
    var machine = ScenarioMachine(name: name)
    guard let states = node["states"], states.isObject, states.count > 0 else {
      findings.report(
        "a machine needs `states`, as in `states: {normal: {on: {readChat: 200}}}`", at: node["states"] ?? node)
      return nil
    }
    if let per = node["per"] { machine.owner = owner(per) }
    for member in states.members { machine.states.append(state(member.value, named: member.name, at: member.key)) }
    machine.start = machine.states[0].name
    if let start = node["start"], let text = findings.text(start, of: "`start`") {
      if known(text, in: machine, at: start) { machine.start = text }
    }
    if let rules = node["on"] { machine.rules = self.rules(rules) }
    var check = MachineCheck(machine)
    findings.add(check.findings())
    return machine
  }

  private mutating func state(_ node: JSON, named name: String, at key: JSON) -> ScenarioMachine.State {
    var state = ScenarioMachine.State(name: name)
    state.location = Location(key)
    if node.isNull { return state }
    guard findings.isMapping(node, "a mapping for a state", keys: Self.stateKeys) else { return state }
    state.summary = node["summary"].flatMap { findings.text($0, of: "`summary`") }
    if let rules = node["on"] { state.rules = self.rules(rules) }
    if let after = node["after"] { state.timer = timer(after) }
    if let never = node["never"] { state.never = ids(never, of: "`never`") }
    if let expects = node["expects"] { state.expects = ids(expects, of: "`expects`") }
    if let final = node["final"] { state.isFinal = findings.flag(final, of: "`final`") ?? false }
    return state
  }

  /// `after: {1h: expired}`, `after: {20s: {to: found, push: matched}}`
  private mutating func timer(_ node: JSON) -> ScenarioMachine.Timer? {
    guard node.isObject, node.count == 1, let member = node.members.first(where: { _ in true }) else {
      findings.report("expected a time with the state that follows, as in `after: {1h: expired}`", at: node)
      return nil
    }
    let value = member.value
    if value.isObject { findings.checkKeys(of: value, Self.timerKeys) }
    guard let duration = findings.duration(member.key, of: "`after`") else { return nil }
    let target = value.isObject ? value["to"] : value
    guard let target else {
      findings.report("`to` is missing, as in `after: {20s: {to: found, push: matched}}`", at: value)
      return nil
    }
    guard let next = findings.text(target, of: "the state that follows") else { return nil }
    var timer = ScenarioMachine.Timer(after: duration, next: next, location: Location(target))
    if value.isObject, let push = value["push"] {
      timer.pushes = findings.texts(push, of: "`push`").compactMap { pushes.message($0.text, at: $0.node, &findings) }
    }
    return timer
  }

  private mutating func owner(_ node: JSON) -> ScenarioMachine.Owner? {
    let parts = RequestPart.allCases.map(\.rawValue)
    guard findings.isMapping(node, "a mapping for `per`", keys: parts + ["claim"]) else { return nil }
    guard let part = RequestPart.allCases.first(where: { node[$0.rawValue] != nil }), let name = node[part.rawValue],
      let text = findings.text(name, of: "`\(part.rawValue)`")
    else {
      findings.report("`per` needs a part of the request, as in `per: {header: idtoken}`", at: node)
      return nil
    }
    return ScenarioMachine.Owner(
      part: part, name: text, claim: node["claim"].flatMap { findings.text($0, of: "`claim`") },
      location: Location(name))
  }

  private mutating func known(_ state: String, in machine: ScenarioMachine, at node: JSON) -> Bool {
    if machine.state(state) != nil { return true }
    findings.report(
      .scenarioStateUnknown, "the machine has no state `\(state)`", at: node,
      help: Suggestion.phrase(for: state, among: machine.states.map(\.name))
        ?? "it has \(machine.states.map(\.name).joined(separator: ", "))")
    return false
  }

  private mutating func rules(_ node: JSON) -> [String: [ScenarioMachine.Rule]] {
    guard findings.isMapping(node, "a mapping of operations to answers and rules") else { return [:] }
    var rules: [String: [ScenarioMachine.Rule]] = [:]
    for member in node.members where member.name != "*" {
      guard let operation = operation(member.name, at: member.key) else { continue }
      var reader = MachineRuleReader(operation, cells, pushes)
      rules[operation.id] = reader.read(member.value)
      findings.add(reader.findings.all)
    }
    if let every = node["*"] { addRules(of: every, to: &rules) }
    return rules
  }

  /// The rules of `*` come after those of each operation; an operation that lacks an answer of theirs is left out.
  private mutating func addRules(of node: JSON, to rules: inout [String: [ScenarioMachine.Rule]]) {
    var problems: [Diagnostic]?
    var isUsed = false
    for operation in operations {
      var reader = MachineRuleReader(operation, cells, pushes)
      let read = reader.read(node)
      let lacksAnswer = reader.findings.all.contains { $0.rule == .fixtureSequenceCell }
      if lacksAnswer || !reader.findings.all.isEmpty { problems = problems ?? reader.findings.all }
      if !read.isEmpty, !lacksAnswer {
        rules[operation.id, default: []] += read
        isUsed = true
      }
    }
    if !isUsed { findings.add(problems ?? []) }
  }

  private mutating func ids(_ node: JSON, of title: String) -> [String] {
    findings.texts(node, of: title).compactMap { operation($0.text, at: $0.node)?.id }
  }

  private mutating func operation(_ id: String, at node: JSON) -> Operation? {
    if let known = operations.first(where: { $0.id.utf8Equals(id) }) { return known }
    findings.report(
      .fixtureOperationUnknown, "no operation is called `\(id)`", at: node,
      help: Suggestion.phrase(for: id, among: operations.map(\.id)) ?? "`understudy routes` lists them")
    return nil
  }
}
