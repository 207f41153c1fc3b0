/// Reads the rules of one operation: an answer, a mapping, or a list of these.
struct MachineRuleReader {
  let operation: Operation
  let cells: CellNames
  let pushes: PushFiles
  var findings = MappingReader.fixtures
  private var templates: [ScenarioMachine.PlacedTemplate] = []

  private static let keys = [
    "when", "status", "if", "other", "others", "answer", "to", "set", "moves", "push", "send",
    "advance",
  ]
  private static let otherKeys = ["who", "in", "if"]
  private static let listKeys = ["in", "if"]
  private static let moveKeys = ["who", "from", "to", "set"]
  private static let pushKeys = ["message", "to"]
  private static let sendKeys = ["name", "to"]

  init(_ operation: Operation, _ cells: CellNames, _ pushes: PushFiles) {
    (self.operation, self.cells, self.pushes) = (operation, cells, pushes)
  }

  mutating func read(_ node: JSON) -> [ScenarioMachine.Rule] {
    (node.isArray ? Array(node.elements) : [node]).compactMap { rule($0) }
  }

  private mutating func rule(_ node: JSON) -> ScenarioMachine.Rule? {
    templates = []
    var rule = ScenarioMachine.Rule()
    guard node.isObject else {
      rule.answer = answer(node)
      return rule.answer == nil ? nil : rule
    }
    findings.checkKeys(of: node, Self.keys)
    if let answer = node["answer"] {
      rule.answer = self.answer(answer)
      if rule.answer == nil { return nil }
    }
    if let when = node["when"] {
      var reader = RequestMatcherReader()
      rule.when = reader.read(when)
      rule.whenLocations = (rule.when?.conditions ?? []).map { reader.location(of: $0) ?? Location(when) }
      findings.add(reader.diagnostics)
    }
    if let status = node["status"] { rule.status = self.status(status, besides: rule.answer) }
    if let conditions = node["if"] { rule.conditions = self.conditions(conditions) }
    if let other = node["other"] { rule.other = self.other(other) }
    if let others = node["others"] { rule.others = self.others(others, besides: rule.answer) }
    if let next = node["to"] {
      rule.next = findings.text(next, of: "`to`")
      rule.location = Location(next)
    }
    if let changes = node["set"] { rule.changes = self.changes(changes) }
    if let moves = node["moves"] {
      rule.moves = (moves.isArray ? Array(moves.elements) : [moves]).compactMap { move($0) }
    }
    if let push = node["push"] {
      rule.pushes = (push.isArray ? Array(push.elements) : [push]).compactMap { self.push($0) }
    }
    if let send = node["send"] {
      rule.sends = (send.isArray ? Array(send.elements) : [send]).compactMap { self.send($0) }
    }
    if let advance = node["advance"], let duration = findings.duration(advance, of: "`advance`") {
      rule.advance = duration
    }
    rule.templates = templates
    if rule.answer == nil, rule.next == nil, rule.changes.isEmpty, rule.moves.isEmpty, rule.pushes.isEmpty,
      rule.sends.isEmpty, rule.advance == .zero
    {
      findings.report("a rule needs `answer`, `to`, `set`, `moves`, `push`, `send` or `advance`", at: node)
      return nil
    }
    return rule
  }

  private mutating func answer(_ node: JSON) -> Forcing? {
    guard let name = findings.text(node, of: "an answer") else { return nil }
    if let forcing = cells.forcing(name, in: operation) { return forcing }
    let known = cells.known(in: operation)
    findings.report(
      .fixtureSequenceCell, "\(operation.id) has no answer `\(name)`", at: node,
      help: Suggestion.phrase(for: name, among: known) ?? "it has \(known.joined(separator: ", "))")
    return nil
  }

  private mutating func status(_ node: JSON, besides answer: Forcing?) -> Response.Status? {
    if answer != nil { findings.report("`status` is that of `answer`, so only one of them counts", at: node) }
    guard let text = findings.text(node, of: "`status`") else { return nil }
    if let status = Response.Status(text) { return status }
    if let forcing = cells.forcing(text, in: operation) { return .code(forcing.code) }
    findings.report("expected a status such as `200` or `2XX`, a meaning or `default`, found `\(text)`", at: node)
    return nil
  }

  private mutating func conditions(_ node: JSON) -> [ScenarioMachine.VariableCondition] {
    guard findings.isMapping(node, "a mapping of variables to values") else { return [] }
    return node.members.compactMap { member in
      let test: ScenarioMachine.VariableCondition.Test
      if member.value.isString, member.value.text.contains("{{") {
        guard let template = template(member.value, of: "`\(member.name)`") else { return nil }
        test = .template(template)
      } else {
        var reader = RequestMatcherReader()
        let read = reader.test(member.value)
        findings.add(reader.diagnostics)
        guard let read else { return nil }
        test = .fixed(read)
      }
      return ScenarioMachine.VariableCondition(name: member.name, test: test, location: Location(member.key))
    }
  }

  private mutating func other(_ node: JSON) -> ScenarioMachine.OtherCondition? {
    guard findings.isMapping(node, "a mapping for `other`", keys: Self.otherKeys), let who = who(node) else {
      return nil
    }
    return ScenarioMachine.OtherCondition(
      who: who, states: node["in"].map { references($0, of: "`in`") } ?? [],
      conditions: node["if"].map { conditions($0) } ?? [])
  }

  /// `others: {nearby: {in: waiting}}`
  private mutating func others(_ node: JSON, besides answer: Forcing?) -> [ScenarioMachine.OtherList] {
    if answer == nil { findings.report("`others` is for `answer`, so both are needed", at: node) }
    guard findings.isMapping(node, "a mapping of names to conditions") else { return [] }
    return node.members.compactMap { member in
      guard findings.isMapping(member.value, "a mapping for a list of other instances", keys: Self.listKeys) else {
        return nil
      }
      return ScenarioMachine.OtherList(
        name: member.name, states: member.value["in"].map { references($0, of: "`in`") } ?? [],
        conditions: member.value["if"].map { conditions($0) } ?? [])
    }
  }

  private mutating func move(_ node: JSON) -> ScenarioMachine.Move? {
    guard findings.isMapping(node, "a mapping for a move", keys: Self.moveKeys), let who = who(node) else { return nil }
    return ScenarioMachine.Move(
      who: who, from: node["from"].map { references($0, of: "`from`") } ?? [],
      next: node["to"].flatMap { references($0, of: "`to`").first },
      changes: node["set"].map { changes($0) } ?? [])
  }

  /// `push: matched`, or `push: {message: matched, to: "{{request.body.otheruid}}"}`
  private mutating func push(_ node: JSON) -> ScenarioMachine.Push? {
    guard node.isObject else {
      guard let name = findings.text(node, of: "`push`") else { return nil }
      return pushes.message(name, at: node, &findings).map { ScenarioMachine.Push(message: $0) }
    }
    guard findings.checkKeys(of: node, Self.pushKeys) else { return nil }
    guard let message = node["message"] else {
      findings.report("`message` is missing, as in `push: {message: matched}`", at: node)
      return nil
    }
    guard let name = findings.text(message, of: "`message`"), let read = pushes.message(name, at: message, &findings)
    else { return nil }
    return ScenarioMachine.Push(message: read, recipient: node["to"].flatMap { template($0, of: "`to`") })
  }

  /// `send: subscribe.onEvent`, or `send: {name: newPet, to: "http://127.0.0.1:9000/{{request.path.id}}"}`
  private mutating func send(_ node: JSON) -> ScenarioMachine.Send? {
    if node.isObject, !findings.checkKeys(of: node, Self.sendKeys) { return nil }
    guard let given = node.isObject ? node["name"] : node else {
      findings.report("`name` is missing, as in `send: {name: newPet, to: http://127.0.0.1:9000}`", at: node)
      return nil
    }
    guard let name = findings.text(given, of: "`send`") else { return nil }
    let known = pushes.contract.api.sentRequests
    guard let request = known.first(where: { $0.name.utf8Equals(name) }) else {
      findings.report(
        "no callback and no webhook of the contract is called `\(name)`", at: given,
        help: Suggestion.help(for: name, among: known.map(\.name), none: "the contract declares none"))
      return nil
    }
    let to = node["to"].flatMap { template($0, of: "`to`") }
    guard to != nil || request.expression != nil else {
      findings.report(
        "the webhook `\(name)` has no URL", at: given,
        help: "expected `send: {name: \(name), to: http://127.0.0.1:9000}`")
      return nil
    }
    return ScenarioMachine.Send(name: name, to: to)
  }

  private mutating func who(_ node: JSON) -> FixtureTemplate? {
    guard let who = node["who"] else {
      findings.report("`who` is missing, as in `who: \"{{request.body.otheruid}}\"`", at: node)
      return nil
    }
    return template(who, of: "`who`")
  }

  private mutating func template(_ node: JSON, of title: String) -> FixtureTemplate? {
    guard let template = findings.template(node, of: title) else { return nil }
    templates.append(ScenarioMachine.PlacedTemplate(template: template, location: Location(start: node)))
    return template
  }

  private mutating func references(_ node: JSON, of title: String) -> [ScenarioMachine.Reference] {
    findings.texts(node, of: title).map { ScenarioMachine.Reference(name: $0.text, location: Location($0.node)) }
  }

  private mutating func changes(_ node: JSON) -> [ScenarioMachine.VariableChange] {
    guard findings.isMapping(node, "a mapping of variables to values") else { return [] }
    return node.members.compactMap { member in
      template(member.value, of: "`\(member.name)`").map {
        ScenarioMachine.VariableChange(name: member.name, value: $0, location: Location(start: member.value))
      }
    }
  }
}
