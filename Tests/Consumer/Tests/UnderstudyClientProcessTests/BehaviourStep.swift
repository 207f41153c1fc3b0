import Foundation
import Testing
import UnderstudyClient
import UnderstudyClientTestSupport

/// The actions on a lane.
struct BehaviourStep {
  let lane: Lane
  let sessions: Sessions

  /// The ids of the sessions of Engine.IO.
  final class Sessions {
    var ids: [String: String] = [:]
  }

  func perform(_ action: String, _ value: JSONValue) async throws -> JSONValue {
    switch action {
    case "request": return try await request(value)
    case "begin": try await begin(value)
    case "socket": try await socket(value)
    case "force": try await lane.force(Self.cells(value))
    case "release": try await lane.release()
    case "mend": try await lane.mend()
    case "reset": try await lane.reset()
    case "forget": try await lane.forgetReplies()
    case "play":
      if let state = value["state"]?.string {
        try await lane.play(value["scenario"]?.string ?? "", state: state)
      } else {
        try await lane.play(value.string)
      }
    case "advance": try await lane.advance(by: try Self.interval(value))
    case "limit": try await lane.limit(try Self.interval(value))
    case "stopClock": try await lane.stopClock()
    case "checks": for check in Self.checks(value) { try await lane.expect(checks: check) }
    case "fault", "delay": try await rules(action, value)
    case "reply": return Self.state(try await reply(value))
    case "replies": return ["replies": .array(try await lane.replies().map(Self.state))]
    case "next": return try await next(value)
    case "sweep": return try await sweep(value)
    case "pushes":
      let pushes = try await lane.pushes()
      return ["names": .array(pushes.map { .string($0.name) }), "json": pushes.last?.content ?? .null]
    case "requests": return Self.list(try await lane.calls(value["operation"]?.string))
    case "expect": try await expect(value)
    case "verdict": return Self.state(try await lane.verdict())
    case "close": return Self.state(try await lane.close(checking: false))
    case "finish":
      for rule in value["allow"]?.array ?? [] { lane.allow(rule.string ?? "") }
      try await lane.close()
    default: throw Unfit("no action `\(action)`")
    }
    return .null
  }

  // MARK: - Actions

  private func request(_ value: JSONValue) async throws -> JSONValue {
    var statuses: [JSONValue] = []
    var last: JSONValue = .null
    for _ in 0..<(value["times"]?.int ?? 1) {
      do {
        let answer = try await AppClient(lane, isAlone: true).exchange(
          value["method"]?.string ?? "GET", value["path"]?.string ?? "/",
          headers: value["headers"]?.members?.compactMapValues(\.string) ?? [:], body: value["body"]?.string)
        statuses.append(.int(answer.status))
        let headers = answer.headers.map { ($0.key.lowercased(), JSONValue.string($0.value)) }
        last = [
          "status": .int(answer.status), "text": .string(answer.text),
          "json": (try? JSONValue(parsing: answer.text)) ?? .null,
          "headers": .object(Dictionary(headers, uniquingKeysWith: { first, _ in first })),
        ]
      } catch is URLError {
        statuses.append(.null)
        last = ["failed": true]
      }
    }
    guard var members = last.members else { return last }
    members["statuses"] = .array(statuses)
    return .object(members)
  }

  /// Sends a request whose response is late, and waits until the mock has it.
  private func begin(_ value: JSONValue) async throws {
    let count = try await lane.verdict().requests
    let end = ContinuousClock.now + .seconds(20)
    let (method, path) = (value["method"]?.string ?? "GET", value["path"]?.string ?? "/")
    let headers = value["headers"]?.members?.compactMapValues(\.string) ?? [:]
    Task { [lane] in
      try await AppClient(lane, isAlone: true).exchange(method, path, headers: headers, body: value["body"]?.string)
    }
    while try await lane.verdict().requests == count, ContinuousClock.now < end {}
  }

  /// Sends an Engine.IO packet by polling; the first packet of a session opens the session.
  private func socket(_ value: JSONValue) async throws {
    let (path, key) = ("/socket.io/?EIO=4&transport=polling", "\(lane.name) \(value["id"]?.int ?? 0)")
    let packet = value["packet"]?.string ?? ""
    let client = AppClient(lane, isAlone: true)
    if sessions.ids[key] == nil {
      let text = try await client.exchange("GET", path, headers: [:], body: nil).text
      sessions.ids[key] = try JSONValue(parsing: String(text.dropFirst()))["sid"]?.string
    }
    let own = "\(path)&sid=\(sessions.ids[key] ?? "")"
    #expect(try await client.exchange("POST", own, headers: [:], body: packet).text == "ok")
    if packet == "40" { #expect(try await client.exchange("GET", own, headers: [:], body: nil).text.hasPrefix("40{")) }
  }

  private func rules(_ action: String, _ value: JSONValue) async throws {
    for rule in value.array ?? [] {
      let parts = (rule.string ?? "").components(separatedBy: "=")
      let text = parts.dropFirst().joined(separator: "=")
      if action == "fault" {
        try await lane.fault(parts[0], Fault(stringLiteral: text))
      } else {
        try await lane.delay(parts[0], by: try Self.interval(.string(text)))
      }
    }
  }

  private func reply(_ value: JSONValue) async throws -> LaneReplyState {
    let operation = value["operation"]?.string ?? "\(value["method"]?.string ?? "") \(value["path"]?.string ?? "")"
    let predicate = value["when"]?.members.map { parts in
      RequestPredicate(
        when: parts.mapValues { conditions in
          (conditions.members ?? [:]).mapValues { $0.object == nil ? ["equals": $0] : $0 }
        })
    }
    let times = value["times"]?.int
    guard let steps = value["steps"]?.array else {
      return try await lane.reply(to: operation, when: predicate, Self.reply(value), times: times)
    }
    let replies = steps.map { step in step["times"]?.int.map { Self.reply(step).times($0) } ?? Self.reply(step) }
    switch replies.count {
    case 1: return try await lane.reply(to: operation, when: predicate, replies[0], times: times)
    case 2: return try await lane.reply(to: operation, when: predicate, replies[0], replies[1], times: times)
    case 3:
      return try await lane.reply(to: operation, when: predicate, replies[0], replies[1], replies[2], times: times)
    default: throw Unfit("\(replies.count) steps")
    }
  }

  private static func reply(_ value: JSONValue) -> ScriptedReply {
    let status = value["status"]?.int ?? 200
    var reply: ScriptedReply
    if let events = value["events"]?.array {
      reply = .events(events.map(Self.event), status: status)
    } else if let json = value["json"] {
      reply = .json(json, status: status)
    } else if let text = value["text"]?.string {
      reply = .response(status, body: text)
    } else if let base64 = value["base64"]?.string {
      reply = .response(status, body: Data(base64Encoded: base64) ?? Data())
    } else if let fixture = value["fixture"]?.string {
      reply = .fixture(fixture)
    } else if let meaning = value["meaning"]?.string {
      reply = .meaning(meaning)
    } else if value["status"] != nil {
      reply = value["variant"]?.string.map { .fixture("\(status).\($0)") } ?? .status(status)
    } else {
      reply = .usual
    }
    for (name, field) in value["headers"]?.members ?? [:] { reply = reply.header(name, field.string ?? "") }
    if value["template"]?.bool == true { reply = reply.asTemplate() }
    if let delay = value["delay"], let interval = try? interval(delay) { reply = reply.delayed(interval) }
    if let fault = value["fault"]?.string { reply = reply.with(fault: Fault(stringLiteral: fault)) }
    return reply
  }

  private static func event(_ value: JSONValue) -> StreamEvent {
    if let text = value.string { return StreamEvent(stringLiteral: text) }
    if let data = value["data"] { return value["event"]?.string.map { .event($0, data) } ?? .data(data) }
    if let text = value["text"]?.string { return .text(text) }
    if let pause = value["pause"], let time = try? interval(pause) { return .pause(time) }
    if let data = value["cut"] { return .cut(data) }
    return value["comment"] != nil ? .comment : value["end"]?.string == "stall" ? .stall : .drop
  }

  private func sweep(_ value: JSONValue) async throws -> JSONValue {
    struct Refused: Error {}
    let ids = (value["operations"]?.array ?? []).compactMap(\.string)
    let limit = try value["within"].map(Self.interval) ?? .seconds(5)
    let client: @Sendable (Lane) async throws -> Void = { run in
      let status = try await AppClient(run, isAlone: true).exchange(
        value["method"]?.string ?? "GET", value["path"]?.string ?? "/",
        headers: value["headers"]?.members?.compactMapValues(\.string) ?? [:], body: value["body"]?.string
      ).status
      guard status == 200 else { throw Refused() }
    }
    let sweep =
      ids.isEmpty
      ? try await lane.sweep(within: limit, client: client)
      : try await lane.sweep(ids[0], within: limit, client: client)
    for kind in (value["throwsFor"]?.array ?? []).compactMap(\.string) {
      try sweep.expect(.throwsFor(Sweep.Kind(stringLiteral: kind)))
    }
    let rows = sweep.rows.map { row in
      let outcome =
        switch row.outcome {
        case .returned: "returned"
        case .threw: "threw"
        default: "hung"
        }
      return "\(row): \(outcome)"
    }
    let rules = sweep.rows.flatMap(\.violations).compactMap { $0.components(separatedBy: "[").last?.dropLast() }
    return [
      "count": .int(rows.count), "rows": .array(rows.map { .string($0) }),
      "rules": .array(Set(rules).sorted().map { .string(String($0)) }),
    ]
  }

  private func next(_ value: JSONValue) async throws -> JSONValue {
    let limit = try value["within"].map(Self.interval) ?? .seconds(20)
    let call = try await lane.next(value["operation"]?.string, within: limit)
    let names = Self.fieldNames(call)
    let fields = names.map { name -> (String, JSONValue) in
      let all = call.fields(name)
      return (name, all.count == 1 ? .string(all[0]) : .array(all.map(JSONValue.string)))
    }
    let query = call.target.components(separatedBy: "?").dropFirst().joined(separator: "?")
    return [
      "method": .string(call.method), "path": .string(call.path), "query": .string(query),
      "operation": call.operation.map(JSONValue.string) ?? .null, "status": Self.status(call),
      "text": .string(call.text),
      "fields": .object(Dictionary(fields, uniquingKeysWith: { first, _ in first })),
      "headers": .object(
        Dictionary(
          call.headers.map { ($0.name.lowercased(), JSONValue.string($0.value)) },
          uniquingKeysWith: { first, _ in first })),
    ]
  }

  private static func fieldNames(_ call: Call) -> [String] {
    if let object = call.json?.members { return Array(object.keys) }
    return call.text.components(separatedBy: "&").map { $0.components(separatedBy: "=")[0] }
  }

  private func expect(_ value: JSONValue) async throws {
    let operation = value["operation"]?.string ?? ""
    if let times = value["times"]?.int { try await lane.expect(operation, times: times) }
    if let least = value["atLeast"]?.int { try await lane.expect(operation, atLeast: least) }
    if let most = value["atMost"]?.int { try await lane.expect(operation, atMost: most) }
  }

  // MARK: - Values

  static func cells(_ value: JSONValue?) -> [String: ForcedCell] {
    (value?.members ?? [:]).mapValues { cell in
      cell.int.map { ForcedCell(integerLiteral: $0) } ?? ForcedCell(stringLiteral: cell.string ?? "")
    }
  }

  static func checks(_ value: JSONValue?) -> [Check] {
    (value?.array ?? []).map { Check(stringLiteral: $0.string ?? $0.text) }
  }

  static func interval(_ value: JSONValue) throws -> Duration {
    let text = value.string ?? ""
    let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
    for (unit, seconds) in units where text.hasSuffix(unit) {
      if let number = Double(text.dropLast(unit.count)) { return .seconds(number * seconds) }
    }
    throw Unfit("no interval `\(text)`")
  }

  private static func state(_ reply: LaneReplyState) -> JSONValue {
    [
      "number": .int(reply.number), "operation": .string(reply.operation), "answered": .int(reply.answered),
      "steps": .array(reply.steps.map(JSONValue.string)), "isOver": .bool(reply.isOver),
    ]
  }

  private static func state(_ verdict: Verdict) -> JSONValue {
    [
      "verdict": verdict.findings.contains(where: \.isError) ? "failed" : "passed", "requests": .int(verdict.requests),
      "rules": .array(Set(verdict.findings.map(\.rule)).sorted().map(JSONValue.string)),
      "messages": .array(verdict.findings.map { .string($0.message) }),
      "unused": .array(verdict.unusedReplies.map { .string($0.operation) }),
    ]
  }

  private static func status(_ call: Call) -> JSONValue { call.status == 0 ? .null : .int(call.status) }

  private static func list(_ calls: [Call]) -> JSONValue {
    [
      "count": .int(calls.count), "operations": .array(calls.map { $0.operation.map(JSONValue.string) ?? .null }),
      "statuses": .array(calls.map(status)),
      "rules": .array(Set(calls.flatMap(\.findings).map(\.rule)).sorted().map(JSONValue.string)),
    ]
  }
}
