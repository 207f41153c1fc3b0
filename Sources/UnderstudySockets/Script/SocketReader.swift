package import UnderstudySchema
import UnderstudyText

/// Reads `x-understudy-events` of a contract, and `sockets` of a scenario.
package struct SocketReader {
  /// What is wrong with a declaration, and where.
  package struct Problem: Sendable {
    package let message: String
    package let node: JSON
    package let help: String?
  }

  package private(set) var problems: [Problem] = []

  package init() {}

  package static let key = "x-understudy-events"

  private static let keys = [
    "transport", "path", "namespaces", "operation", "heartbeat", "connectTimeout", "maxPayload", "transports",
    "subprotocols", "eventKey", "ids", "retry", "events", "rules", "summary",
  ]
  private static let ruleKeys = ["on", "if", "to", "remember", "do", "times", "order", "summary"]
  private static let actionKeys = ["argument", "arguments", "fixture", "to"]
  private static let verbs = ["emit", "broadcast", "ack", "disconnect", "close", "drop", "wait", "refuse", "cut"]

  /// A declaration, or a list of them.
  package mutating func descriptions(_ node: JSON) -> [SocketDescription] {
    (node.array ?? [node]).compactMap { description($0) }
  }

  private mutating func description(_ node: JSON) -> SocketDescription? {
    guard node.isObject else { return fail("expected a mapping of a socket, found \(node.kindName)", node) }
    checkKeys(of: node, Self.keys)
    var result = SocketDescription()
    if let transport = node["transport"] {
      guard let kind = transport.string.flatMap(SocketDescription.Kind.init) else {
        let known = SocketDescription.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        return fail("`\(SocketTemplate.text(transport))` is not a transport", transport, help: "known: \(known)")
      }
      result.kind = kind
    }
    result.operation = node["operation"]?.string
    result.path = node["path"]?.string ?? (result.kind == .engineio ? "/engine.io/" : result.path)
    if result.kind == .websocket, node["path"] == nil { return fail("a WebSocket needs a `path`", node) }
    if !result.kind.isTwoWay, result.operation == nil { return fail("a stream needs its `operation`", node) }
    if let namespaces = node["namespaces"] {
      result.namespaces = namespaces.elements.compactMap(\.string)
      if result.namespaces.isEmpty { return fail("expected a list of namespaces, as in `[/]`", namespaces) }
    }
    readHeartbeat(node, into: &result)
    result.hasIDs = node["ids"]?.bool ?? false
    result.retry = duration(node["retry"])
    result.subprotocols = node["subprotocols"]?.elements.compactMap(\.string) ?? []
    result.eventKey = node["eventKey"]?.string
    result.events = node["events"]?.members.compactMap { event($0) } ?? []
    result.rules = rules(node["rules"])
    return result
  }

  private mutating func readHeartbeat(_ node: JSON, into result: inout SocketDescription) {
    if let heartbeat = node["heartbeat"] {
      if heartbeat.isObject {
        if let time = duration(heartbeat["interval"]) { result.engine.pingInterval = time }
        if let time = duration(heartbeat["timeout"]) { result.engine.pingTimeout = time }
      } else {
        result.heartbeat = duration(heartbeat)
      }
    }
    if let time = duration(node["connectTimeout"]) { result.connectTimeout = time }
    if let limit = node["maxPayload"]?.int, limit > 0 { result.engine.maxPayload = limit }
    if let transports = node["transports"] {
      result.transports = Set(transports.elements.compactMap { $0.string.flatMap(EngineTransport.init) })
      if result.transports.isEmpty {
        problems.append(
          Problem(
            message: "expected a list of transports", node: transports, help: "as in `[polling, websocket]`"))
      }
      result.engine.offersUpgrade = result.transports.contains(.websocket)
    }
  }

  private mutating func event(_ member: JSON.Member) -> SocketDescription.Event? {
    let node = member.value
    let direction = node["from"]?.string
    guard direction == "client" || direction == "server" else {
      return fail("an event needs `from: client` or `from: server`", node)
    }
    let arguments = node["arguments"]?.array ?? node["payload"].map { [$0] } ?? []
    return SocketDescription.Event(
      name: member.name, isFromClient: direction == "client", arguments: arguments, node: node)
  }

  /// A list of rules; empty where there is none.
  package mutating func rules(_ node: JSON?) -> [SocketRule] {
    guard let node else { return [] }
    guard let list = node.array else { return fail("expected a list of rules, found \(node.kindName)", node) ?? [] }
    return list.compactMap { rule($0) }
  }

  private mutating func rule(_ node: JSON) -> SocketRule? {
    checkKeys(of: node, Self.ruleKeys)
    guard let on = node["on"], let trigger = trigger(on) else {
      return fail(
        "a rule needs `on`: connect, disconnect, or an event, an operation or a timer", node,
        help: "as in `on: {event: chat}` or `on: {operation: sendChat, status: 200}`")
    }
    var rule = SocketRule(trigger, at: node)
    rule.conditions = node["if"]?.members.map { ($0.name, $0.value) } ?? []
    rule.remembers = node["remember"]?.members.map { ($0.name, $0.value) } ?? []
    rule.times = node["times"]?.int
    rule.isBeforeResponse = node["order"]?.string == "before"
    let to = recipients(node["to"]) ?? .own
    rule.actions = (node["do"]?.array ?? node["do"].map { [$0] } ?? []).compactMap { action($0, to) }
    return rule
  }

  private func trigger(_ node: JSON) -> SocketRule.Trigger? {
    if node.isString("connect") { return .connect }
    if node.isString("disconnect") { return .disconnect }
    if let name = node["event"]?.string { return .event(name) }
    if let name = node["operation"]?.string {
      return .operation(name, status: node["status"].map(SocketTemplate.text))
    }
    return node["timer"].flatMap { Duration(text: SocketTemplate.text($0)) }.map { .timer($0) }
  }

  private mutating func recipients(_ node: JSON?) -> SocketRule.Recipients? {
    guard let node else { return nil }
    switch node.string {
    case "self"?: return .own
    case "others"?: return .others
    case "all"?: return .all
    default:
      guard node.isObject else {
        return fail(
          "expected `self`, `others`, `all`, or values that sockets remember, found \(node.kindName)", node,
          help: "as in `to: {uid: u2}`")
      }
      return .remembering(node.members.map { ($0.name, $0.value) })
    }
  }

  /// An action, or one from outside with its recipients.
  package mutating func action(
    _ node: JSON, _ inherited: SocketRule.Recipients = .own
  ) -> SocketRule.Action? {
    let named = node.members.filter { Self.verbs.contains($0.name) }
    guard named.count == 1, let verb = named.first else {
      return fail("an action has one of \(Self.verbs.map { "`\($0)`" }.joined(separator: ", "))", node)
    }
    let value = verb.value
    checkKeys(of: node, Self.verbs + Self.actionKeys)
    let problemsBefore = problems.count
    let to = recipients(node["to"]) ?? inherited
    guard problems.count == problemsBefore else { return nil }
    switch verb.name {
    case "emit", "cut", "broadcast":
      guard let name = value.string else { return fail("expected the name of an event", value) }
      guard let payload = payload(node) else { return nil }
      if verb.name == "cut" { return .cut(name, payload, to: to) }
      return .emit(name, payload, to: verb.name == "broadcast" ? .others : to)
    case "ack":
      if let fixture = value["fixture"]?.string { return .acknowledge(.fixture(fixture)) }
      return .acknowledge(.arguments(value))
    case "disconnect", "drop":
      guard value.bool == true else { return fail("expected `true`, found \(value.kindName)", value) }
      return verb.name == "drop" ? .drop(to: to) : .disconnect(to: to)
    case "wait":
      guard let time = duration(value) else { return nil }
      return .wait(time)
    case "refuse":
      return .refuse(message: value["message"]?.string ?? value.string ?? "Not authorized", data: value["data"])
    default:
      guard let number = (value["code"] ?? value).int, let code = UInt16(exactly: number) else {
        return fail("expected a close code, found \((value["code"] ?? value).kindName)", value, help: "as 1000 or 4000")
      }
      let closeCode = WebSocketCloseCode(rawValue: code)
      guard closeCode.mayBeSent else {
        return fail("the close code \(code) cannot be sent", value, help: "RFC 6455, 7.4: as 1000, 1011 or 4000")
      }
      return .close(closeCode, value["reason"]?.string ?? "", to: to)
    }
  }

  private mutating func payload(_ node: JSON) -> SocketPayload? {
    if let fixture = node["fixture"] {
      return fixture.string.map { .fixture($0) } ?? fail("expected the name of a fixture", fixture)
    }
    if let arguments = node["arguments"] {
      // A template may resolve to a list.
      guard arguments.isArray || arguments.string?.contains("{{") == true else {
        return fail("expected a list of arguments, found \(arguments.kindName)", arguments)
      }
      return .arguments(arguments)
    }
    return .arguments(node["argument"].map { .array([$0]) } ?? .array([]))
  }

  private mutating func duration(_ node: JSON?) -> Duration? {
    guard let node else { return nil }
    guard let time = Duration(text: SocketTemplate.text(node)) else {
      return fail("`\(SocketTemplate.text(node))` is not a time", node, help: "as 250ms, 1.5s or 2m")
    }
    return time
  }

  private mutating func checkKeys(of node: JSON, _ known: [String]) {
    for member in node.members where !known.contains(member.name) {
      let help = Suggestion.phrase(for: member.name, among: known)
      problems.append(
        Problem(
          message: "unknown key `\(member.name)`", node: member.key,
          help: help ?? "known: \(known.map { "`\($0)`" }.joined(separator: ", "))"))
    }
  }

  private mutating func fail<T>(_ message: String, _ node: JSON, help: String? = nil) -> T? {
    problems.append(Problem(message: message, node: node, help: help))
    return nil
  }
}
