import UnderstudyJSON
package import UnderstudySchema
import UnderstudyText

/// The declared sockets and the rules in play: equal state, event and time give equal outputs and next state.
package struct SocketScript: Sendable {
  package let descriptions: [SocketDescription]
  /// The rules of the scenario in play, which precede those of a description.
  private let scenario: [SocketRule]
  private let fixtures: [String: JSON]
  private let speed: PlaybackSpeed
  /// The operations whose responses a rule waits for.
  package let operations: Set<String>

  package static let socketLimit = 20_000
  package static let timerLimit = 10_000

  package init(
    _ descriptions: [SocketDescription], scenario: [SocketRule] = [], fixtures: [String: JSON] = [:],
    speed: PlaybackSpeed = .usual
  ) {
    (self.descriptions, self.scenario, self.fixtures, self.speed) = (descriptions, scenario, fixtures, speed)
    operations = Set(
      (scenario + descriptions.flatMap(\.rules)).compactMap { rule in
        if case .operation(let operation, _) = rule.trigger { operation } else { nil }
      })
  }

  /// - Parameter now: Microseconds since 1970, by the clock of the lane.
  /// - Returns: The number of the outputs that wait for the response of an operation; `SocketState.release` takes it.
  @discardableResult
  package func apply(_ event: SocketEvent, to state: inout SocketState, at now: Int) -> Int? {
    state.releaseResponses(before: event)
    fire(in: &state, at: now)
    switch event {
    case .connecting(let id, let description, let namespace, let auth, let request):
      connect(id, description, namespace, auth, request, in: &state, at: now)
    case .event(let id, let namespace, let name, let arguments, let acknowledgement):
      guard let member = state.sockets[id, namespace] else { return nil }
      var run = Run(member, arguments.attachments, acknowledgement)
      run.environment = environment(member, [("event", .array(arguments.values)), ("name", .string(name))])
      apply(.event(name), of: member.description, &run, in: &state, at: now)
    case .disconnected(let id, let namespace):
      guard let member = state.sockets.remove(id, namespace) else { return nil }
      state.timers.removeAll { $0.member == id && $0.namespace == namespace }
      state.reordered.removeAll { $0.socket == id && $0.namespace == namespace }
      var run = Run(member)
      run.environment = environment(member, [])
      apply(.disconnect, of: member.description, &run, in: &state, at: now)
    case .answered(let operation, let status, let delay, let environment):
      return answered(operation, status, after: delay, environment, in: &state, at: now)
    case .command(let rule):
      var run = Run(nil)
      run.environment = environment(nil, [])
      perform(rule, named: nil, from: 0, &run, in: &state, at: now)
    case .time: break
    }
    return nil
  }

  // MARK: - Events

  private func connect(
    _ id: Int, _ number: Int, _ namespace: String, _ auth: JSON?, _ request: JSON, in state: inout SocketState,
    at now: Int
  ) {
    guard descriptions.indices.contains(number), descriptions[number].namespaces.contains(namespace) else {
      return state.put(SocketOutput(id, namespace, .refuse(message: "Invalid namespace", data: nil)))
    }
    guard state.sockets.count < Self.socketLimit else {
      return state.put(SocketOutput(id, namespace, .refuse(message: "Too many sockets", data: nil)))
    }
    let connection: JSONValue = ["auth": auth.map { JSONValue($0) } ?? .object([]), "request": JSONValue(request)]
    let member = SocketState.Member(id: id, description: number, namespace: namespace, connection: connection)
    var run = Run(member)
    run.environment = environment(member, [])
    let fault = state.takeFault { if case .connectError = $0.kind { true } else { false } }
    if case .connectError(let message)? = fault?.kind {
      return state.put(SocketOutput(id, namespace, .refuse(message: message, data: nil)))
    }
    let rule = rule(for: .connect, of: number, run.environment, in: state)
    if let refusal = rule?.rule.refusal {
      count(rule, in: &state)
      let data = refusal.data.map { JSONValue(SocketTemplate.fill($0, from: run.environment)) }
      return state.put(SocketOutput(id, namespace, .refuse(message: refusal.message, data: data)))
    }
    state.sockets.append(member)
    state.put(SocketOutput(id, namespace, .accept))
    fail(id, namespace, in: &state, at: now)
    for (timer, key) in timers(of: number) {
      guard case .timer(let delay) = timer.trigger else { continue }
      schedule(key, step: 0, after: delay, run, in: &state, at: now)
    }
    if let rule { perform(rule, &run, in: &state, at: now) }
    for fault in state.allFaults {
      guard case .sent(let arguments, let sockets) = fault.kind, let event = fault.event, sockets.contains(number)
      else {
        continue
      }
      // Other faults change it.
      state.deliver(SocketOutput(id, namespace, .emit(event, arguments, attachments: [])), at: now)
    }
  }

  private func answered(
    _ operation: String, _ status: Int, after delay: Duration, _ environment: JSON, in state: inout SocketState,
    at now: Int
  ) -> Int? {
    var held: Int?
    for (number, rules) in ([scenario] + descriptions.map(\.rules)).enumerated() {
      let named = rules.enumerated().map { (rule: $0.element, key: Self.key(number - 1, $0.offset)) }
      let first = named.first { rule, key in
        guard case .operation(operation, let expected) = rule.trigger else { return false }
        return Self.matches(status, expected) && holds(rule, key, environment, in: state)
      }
      guard let first else { continue }
      let count = state.outputCount
      var run = Run(nil)
      run.description = number == 0 ? nil : number - 1
      run.environment = environment
      // A pause, and the time of a late event, begin when the client has the response.
      perform(first, &run, in: &state, at: first.rule.isBeforeResponse ? now : now &+ delay.wholeMicroseconds)
      if !first.rule.isBeforeResponse { held = state.hold(from: count, in: held) }
      // A rule of the scenario takes precedence over those of all descriptions.
      if number == 0 { break }
    }
    return held
  }

  private static func matches(_ status: Int, _ expected: String?) -> Bool {
    guard let expected else { return true }
    if let code = Int(expected) { return code == status }
    return expected.utf8.first == UInt8(ascii: "0") + UInt8(clamping: status / 100)
  }

  private func fire(in state: inout SocketState, at now: Int) {
    // A timer may start another one, which is due later.
    for _ in 0..<Self.timerLimit {
      guard let next = state.timers.indices.min(by: { state.timers[$0].due < state.timers[$1].due }),
        state.timers[next].due <= now
      else { return }
      let timer = state.timers.remove(at: next)
      if let output = timer.output {
        if state.sockets[output.socket, output.namespace] != nil { state.put(output) }
        continue
      }
      guard let (rule, context) = resumed(timer, in: state) else { continue }
      var run = context
      if timer.step == 0, !holds(rule, timer.rule, run.environment, in: state) { continue }
      if timer.step == 0 {
        perform((rule, timer.rule), &run, in: &state, at: timer.due)
      } else {
        perform(rule, named: timer.rule, from: timer.step, &run, in: &state, at: timer.due)
      }
    }
  }

  /// The rule of a timer with its context; `nil` if the socket has left.
  private func resumed(_ timer: SocketState.Timer, in state: SocketState) -> (rule: SocketRule, run: Run)? {
    guard let rule = rule(named: timer.rule) else { return nil }
    var run = Run(timer.member.flatMap { state.sockets[$0, timer.namespace] })
    if timer.member != nil, run.member == nil { return nil }
    run.description = run.description ?? Self.description(of: timer.rule)
    (run.attachments, run.acknowledgement) = (timer.attachments, timer.acknowledgement)
    // The socket may remember other values than when the timer began.
    run.environment = environment(run.member, JSON(timer.environment))
    return (rule, run)
  }

  /// Performs the actions that rules have left for a socket, in the order of time and without pauses.
  private func flush(_ member: SocketState.Member, in state: inout SocketState, at now: Int) {
    func isLeft(_ timer: SocketState.Timer) -> Bool {
      timer.step > 0 && timer.output == nil && timer.member == member.id && timer.namespace == member.namespace
    }
    let left = state.timers.enumerated().filter { isLeft($0.element) }.sorted {
      ($0.element.due, $0.offset) < ($1.element.due, $1.offset)
    }.map(\.element)
    state.timers.removeAll(where: isLeft)
    for timer in left {
      guard let (rule, run) = resumed(timer, in: state) else { continue }
      for action in rule.actions.dropFirst(timer.step) { perform(action, run, in: &state, at: now) }
    }
  }

  // MARK: - Rules

  /// A rule with its name in the state: the number of its description, or `-1` for a scenario, and its position.
  private typealias Named = (rule: SocketRule, key: String)

  private static func key(_ description: Int, _ position: Int) -> String { "\(description)/\(position)" }

  /// The position of the description that has a rule; `nil` for a rule of a scenario.
  private static func description(of key: String) -> Int? {
    key.split(separator: "/").first.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  private func rule(named key: String) -> SocketRule? {
    let parts = key.split(separator: "/").compactMap { Int($0) }
    guard parts.count == 2 else { return nil }
    let rules = parts[0] < 0 ? scenario : descriptions.indices.contains(parts[0]) ? descriptions[parts[0]].rules : []
    return rules.indices.contains(parts[1]) ? rules[parts[1]] : nil
  }

  private func candidates(of description: Int) -> [Named] {
    scenario.enumerated().map { ($0.element, Self.key(-1, $0.offset)) }
      + descriptions[description].rules.enumerated().map { ($0.element, Self.key(description, $0.offset)) }
  }

  private func timers(of description: Int) -> [Named] {
    candidates(of: description).filter { if case .timer = $0.rule.trigger { true } else { false } }
  }

  private func rule(
    for trigger: SocketRule.Trigger, of description: Int, _ environment: JSON, in state: SocketState
  ) -> Named? {
    candidates(of: description).first { $0.rule.trigger == trigger && holds($0.rule, $0.key, environment, in: state) }
  }

  private func holds(_ rule: SocketRule, _ key: String, _ environment: JSON, in state: SocketState) -> Bool {
    if let times = rule.times, state.applied[key] ?? 0 >= times { return false }
    return Self.hold(rule.conditions, in: environment)
  }

  /// Whether an environment has the values that conditions ask for.
  package static func hold(_ conditions: [(path: String, value: JSON)], in environment: JSON) -> Bool {
    conditions.allSatisfy { path, expected in
      let value = SocketTemplate.value(at: path, in: environment)
      if let isPresent = expected["present"]?.bool { return isPresent == (value != nil) }
      let expected = SocketTemplate.fill(expected, from: environment)
      return value == expected || value.map(SocketTemplate.text) == SocketTemplate.text(expected)
    }
  }

  private func apply(
    _ trigger: SocketRule.Trigger, of description: Int, _ run: inout Run, in state: inout SocketState, at now: Int
  ) {
    guard let rule = rule(for: trigger, of: description, run.environment, in: state) else { return }
    perform(rule, &run, in: &state, at: now)
  }

  private func count(_ rule: Named?, in state: inout SocketState) {
    if let rule, rule.rule.times != nil { state.applied[rule.key, default: 0] += 1 }
  }

  private func perform(_ rule: Named, _ run: inout Run, in state: inout SocketState, at now: Int) {
    count(rule, in: &state)
    if rule.rule.flushes, let member = run.member { flush(member, in: &state, at: now) }
    for (name, template) in rule.rule.remembers {
      guard let known = run.member, let member = state.sockets[known.id, known.namespace] else { break }
      let value = SocketTemplate.fill(template, from: run.environment)
      state.remember(JSONValue(value), as: name, by: member)
      run.member = state.sockets[member.id, member.namespace]
    }
    if !rule.rule.remembers.isEmpty { run.environment = environment(run.member, run.environment) }
    perform(rule.rule, named: rule.key, from: 0, &run, in: &state, at: now)
  }

  // MARK: - Actions

  private struct Run {
    var member: SocketState.Member?
    /// The position of the description whose sockets the actions are for; `nil` for the sockets of all of them.
    var description: Int?
    var attachments: [[UInt8]]
    var acknowledgement: Int?
    var environment: JSON = .object([])

    init(_ member: SocketState.Member?, _ attachments: [[UInt8]] = [], _ acknowledgement: Int? = nil) {
      (self.member, self.attachments, self.acknowledgement) = (member, attachments, acknowledgement)
      description = member?.description
    }
  }

  private func perform(
    _ rule: SocketRule, named key: String?, from step: Int, _ run: inout Run, in state: inout SocketState, at now: Int
  ) {
    for (position, action) in rule.actions.enumerated().dropFirst(step) {
      if case .wait(let pause) = action {
        let pause = speed.scaled(pause)
        guard let key, pause > .zero else { continue }
        return schedule(key, step: position + 1, after: pause, run, in: &state, at: now)
      }
      perform(action, run, in: &state, at: now)
    }
  }

  private func perform(_ action: SocketRule.Action, _ run: Run, in state: inout SocketState, at now: Int) {
    switch action {
    case .emit(let event, let payload, let recipients):
      let arguments = arguments(payload, run)
      send(.emit(event, arguments.list, attachments: arguments.attachments), to: recipients, run, in: &state, at: now)
    case .cut(let event, let payload, let recipients):
      send(.cut(event, arguments(payload, run).list), to: recipients, run, in: &state, at: now)
    case .acknowledge(let payload):
      guard let member = run.member, let id = run.acknowledgement else { return }
      let arguments = arguments(payload, run)
      let acknowledgement = SocketOutput.Action.acknowledge(id, arguments.list, attachments: arguments.attachments)
      state.deliver(SocketOutput(member.id, member.namespace, acknowledgement), at: now)
    case .disconnect(let recipients): send(.disconnect, to: recipients, run, in: &state, at: now)
    case .close(let code, let reason, let recipients):
      send(.close(code, reason), to: recipients, run, in: &state, at: now)
    case .drop(let recipients): send(.drop, to: recipients, run, in: &state, at: now)
    case .wait, .refuse: break
    }
  }

  private func send(
    _ action: SocketOutput.Action, to recipients: SocketRule.Recipients, _ run: Run, in state: inout SocketState,
    at now: Int
  ) {
    for member in members(for: recipients, run, among: state.sockets) {
      state.deliver(SocketOutput(member.id, member.namespace, action), at: now)
    }
  }

  /// The faults of a connection that begins: its end after a time, and events that come too early.
  private func fail(_ id: Int, _ namespace: String, in state: inout SocketState, at now: Int) {
    let lost = state.takeFault { if case .lost = $0.kind { true } else { false } }
    if case .lost(let time)? = lost?.kind { state.delay(SocketOutput(id, namespace, .drop), by: time, at: now) }
    for fault in state.allFaults where fault.kind == .early {
      guard let event = fault.event, state.takeFault({ $0 == fault }) != nil else { continue }
      let arguments = fixtures[event].map { JSONValue($0) } ?? .array([])
      state.put(SocketOutput(id, namespace, .emit(event, arguments, attachments: [])))
    }
  }

  /// The recipients. A rule is for the sockets of its own description.
  private func members(
    for recipients: SocketRule.Recipients, _ run: Run, among sockets: SocketMembers
  ) -> [SocketState.Member] {
    func isWithin(_ member: SocketState.Member) -> Bool { run.description.map { member.description == $0 } ?? true }
    // A broadcast stays in its namespace.
    func isNear(_ member: SocketState.Member) -> Bool {
      isWithin(member) && run.member.map { member.namespace == $0.namespace } ?? true
    }
    switch recipients {
    case .own:
      guard let own = run.member else { return sockets.filter(isWithin) }
      return sockets[own.id, own.namespace].map { [$0] } ?? []
    case .others:
      return sockets.filter { isNear($0) && !($0.id == run.member?.id && $0.namespace == run.member?.namespace) }
    case .all: return sockets.filter(isNear)
    case .remembering(let values):
      let expected = values.map { name, value in
        (name: name, values: Self.recipients(named: SocketTemplate.fill(value, from: run.environment)))
      }
      return sockets.filter { member in
        isWithin(member)
          && expected.allSatisfy { name, values in member.values[name].map(values.contains) ?? false }
      }
    case .knowing(let value):
      let values = Self.recipients(named: value)
      return sockets.filter { isWithin($0) && $0.values.values.contains { values.contains($0) } }
    case .socket(let id, let namespace): return sockets[id, namespace].map { [$0] } ?? []
    }
  }

  /// The remembered values that name the same recipient as a value: a path has the number 7 as the string "7".
  private static func recipients(named value: JSON) -> [JSONValue] {
    let value = JSONValue(value)
    switch value {
    case .array, .object: return [value]
    case .null, .bool, .number: return [value, .string(value.text)]
    case .string("true"): return [value, .bool(true)]
    case .string("false"): return [value, .bool(false)]
    case .string(let text): return [value] + [JSONValue.Number(text)].compactMap { $0.map { .number($0) } }
    }
  }

  private func arguments(_ payload: SocketPayload, _ run: Run) -> (list: JSONValue, attachments: [[UInt8]]) {
    let template =
      switch payload {
      case .arguments(let arguments): arguments
      case .fixture(let name): fixtures[name] ?? .array([])
      }
    let filled = SocketTemplate.fill(template, from: run.environment)
    let list: JSONValue = filled.isArray ? JSONValue(filled) : [JSONValue(filled)]
    return (list, run.attachments.isEmpty || !list.mentions("_placeholder") ? [] : run.attachments)
  }

  private func schedule(
    _ key: String, step: Int, after delay: Duration, _ run: Run, in state: inout SocketState, at now: Int
  ) {
    guard state.timers.count < Self.timerLimit else { return }
    state.timers.append(
      SocketState.Timer(
        due: now + delay.wholeMicroseconds, rule: key, step: step, member: run.member?.id,
        namespace: run.member?.namespace ?? "", environment: JSONValue(run.environment),
        attachments: run.attachments, acknowledgement: run.acknowledgement))
  }
}

extension SocketRule {
  var refusal: (message: String, data: JSON?)? {
    for case .refuse(let message, let data) in actions { return (message, data) }
    return nil
  }
}
