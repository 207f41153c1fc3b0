import UnderstudySockets

/// Reads what a lane begins with: `{"name": "alice", "scenario": "life", "force": {"readUser": 401}, "advance": "1h"}`.
package struct LaneOpeningReader {
  private let mock: Mock
  private var findings = MappingReader.fixtures

  private static let keys = [
    "name", "port", "scenario", "state", "seed", "dynamic", "force", "fault", "delay", "checks", "advance", "stopClock",
    "limit",
  ]

  /// Findings about names that another mock may have.
  private static let names: [Rule] = [.configInvalid, .fixtureOperationUnknown, .fixtureSequenceCell]

  /// Reads the body of a request; an empty one asks for nothing.
  package static func read(_ body: [UInt8], for mock: Mock) throws(LaneProblem) -> LaneOpening {
    guard !body.isEmpty else { return LaneOpening() }
    let root = try LaneProblem.json(body, help: "send an object, as in {\"scenario\": \"life\"}")
    var reader = LaneOpeningReader(mock: mock)
    let opening = try reader.read(root)
    guard let first = reader.findings.all.first else { return opening }
    let place = first.location.map { "\($0): " } ?? ""
    let isUnknown = Self.names.contains(first.rule)
    throw LaneProblem(
      isUnknown ? .conflict : .invalid, place + first.message,
      help: first.help
        ?? (isUnknown
          ? "`understudy routes` lists what the contracts have" : "a lane takes \(keys.joined(separator: ", "))"))
  }

  private init(mock: Mock) { self.mock = mock }

  private mutating func read(_ root: JSON) throws(LaneProblem) -> LaneOpening {
    var opening = LaneOpening()
    guard findings.isMapping(root, "a mapping for a lane", keys: Self.keys) else { return opening }
    if let name = root["name"], let text = findings.string(name, of: "`name`") { opening.name = try LaneName(text) }
    if let port = root["port"] {
      opening.port = port.int.flatMap { 0...65_535 ~= $0 ? $0 : nil }
      if opening.port == nil { findings.report("expected a port from 1 to 65535, or 0 for a free one", at: port) }
    }
    if let scenario = root["scenario"] { opening.scenario = self.scenario(scenario) }
    opening.seed = root["seed"].flatMap { $0.kind == .number ? $0.text : findings.string($0, of: "`seed`") }
    if let state = root["state"] {
      var starts = ScenarioStartReader(mock, scenario: opening.scenario)
      opening.states = starts.read(state)
      findings.add(starts.findings.all)
    }
    if let isDynamic = root["dynamic"] { opening.isDynamic = findings.flag(isDynamic, of: "`dynamic`") }
    if let force = root["force"] { opening.forced = forced(force) }
    opening.faults = faults(root["fault"], isDelay: false) + faults(root["delay"], isDelay: true)
    if let checks = root["checks"] {
      var reader = ClientCheckReader(mock.operations.map(\.id))
      opening.checks = reader.read(checks)
      findings.add(reader.diagnostics)
    }
    if let stops = root["stopClock"] { opening.stopsClock = findings.flag(stops, of: "`stopClock`") }
    if let limit = root["limit"] { opening.limit = findings.duration(limit, of: "`limit`") }
    if let advance = root["advance"] { opening.advance = self.advance(advance) }
    return opening
  }

  private mutating func scenario(_ node: JSON) -> String? {
    if node.isNull { return "" }
    guard let name = findings.string(node, of: "`scenario`") else { return nil }
    if let problem = MockScenario.problems(of: name, mock.contracts).first {
      findings.report(.configInvalid, problem.message, at: node, help: problem.help)
    }
    return name
  }

  private mutating func forced(_ node: JSON) -> [ForcedReply] {
    guard node.isObject else {
      findings.report("expected a mapping of operations to answers, as in {\"readUser\": 401}", at: node)
      return []
    }
    return node.members.compactMap { member in
      guard member.value.bool == nil, let text = findings.text(member.value, of: "`\(member.name)`") else {
        if member.value.bool != nil { findings.report("expected an answer for `\(member.name)`", at: member.value) }
        return nil
      }
      let (cell, conditions) = FaultConditions.split(text) ?? (text, nil)
      let parts = cell.split(separator: "*", maxSplits: 1).map(String.init)
      var reply = ForcedReply(operation: member.name, answer: parts.first ?? "", conditions: conditions)
      if parts.count > 1 {
        guard let times = Int(parts[1]), 1...ScenarioSequence.timesLimit ~= times else {
          findings.report("`\(text)` has no valid number of times, as in `401*2`", at: member.value)
          return nil
        }
        reply.times = times
      }
      return check(reply, at: member)
    }
  }

  /// A text, or a list of texts.
  private mutating func faults(_ node: JSON?, isDelay: Bool) -> [LaneFault] {
    guard let node else { return [] }
    let key = isDelay ? "`delay`" : "`fault`"
    return (node.isArray ? Array(node.elements) : [node]).compactMap { item in
      guard let text = findings.string(item, of: key) else { return nil }
      do throws(TextProblem) {
        let fault = try LaneFault(text, isDelay: isDelay)
        if let unused = fault.faultRule?.unused(by: mock.operations, mock.sockets) {
          findings.report(.fixtureOperationUnknown, unused.message, at: item, help: unused.help)
        }
        let problem = fault.socketFault.flatMap {
          MockSockets.problem(of: $0, mock.sockets, operations: mock.operations.map(\.id))
        }
        if let problem {
          findings.report(.fixtureOperationUnknown, problem.message, at: item, help: problem.help)
        }
        return fault
      } catch {
        // Another version of the program may know the fault.
        findings.report(.configInvalid, error.message, at: item, help: error.help)
        return nil
      }
    }
  }

  private mutating func check(_ reply: ForcedReply, at member: JSON.Member) -> ForcedReply? {
    let named = mock.operations.filter { $0.compiled.isNamed(reply.operation) }
    guard let first = named.first else {
      findings.report(
        .fixtureOperationUnknown, "no operation is called `\(reply.operation)`", at: member.key,
        help: MockOperation.suggestion(for: reply.operation, among: mock.operations))
      return nil
    }
    if named.contains(where: { reply.forcing(of: $0) != nil }) { return reply }
    if case .failure(let problem) = first.forcing(named: reply.answer) {
      let condition = ForcingRule("\(reply.operation)=\(reply.answer)")?.conditionProblem
      findings.report(.fixtureSequenceCell, problem.message, at: member.value, help: condition ?? problem.help)
    }
    return nil
  }

  private mutating func advance(_ node: JSON) -> Duration {
    if node.isString, node.text.hasPrefix("-") {
      findings.report(
        "the clock of a lane only moves forward", at: node, help: "reset the lane, and advance it from the beginning")
      return .zero
    }
    return findings.duration(node, of: "`advance`") ?? .zero
  }
}
