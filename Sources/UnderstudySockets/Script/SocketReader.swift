package import UnderstudySchema
package import UnderstudyText

/// Reads `x-understudy-events` of a contract, and `sockets` of a scenario.
package struct SocketReader {
  private var findings: MappingReader
  package private(set) var faults: [SocketFault] = []

  /// - Parameter rule: The rule for mistakes in a declaration.
  package init(_ rule: Rule) { findings = MappingReader(rule) }

  package var problems: [Diagnostic] { findings.all }

  package static let key = "x-understudy-events"

  private static let keys = [
    "transport", "path", "namespaces", "operation", "heartbeat", "connectTimeout", "maxPayload", "transports",
    "subprotocols", "eventKey", "ids", "retry", "events", "rules", "summary", "if",
  ]
  private static let eventKeys = ["from", "arguments", "payload", "summary"]
  private static let triggerKeys = ["event", "operation", "status", "timer"]
  private static let ruleKeys = ["on", "if", "to", "remember", "do", "times", "order", "flush", "summary"]
  private static let actionKeys = ["argument", "arguments", "fixture", "to"]
  private static let verbs = ["emit", "broadcast", "ack", "disconnect", "close", "drop", "wait", "refuse", "cut"]

  /// A declaration, or a list of them.
  package mutating func descriptions(_ node: JSON) -> [SocketDescription] {
    (node.array ?? [node]).compactMap { description($0) }
  }

  private mutating func description(_ node: JSON) -> SocketDescription? {
    guard findings.isMapping(node, "a mapping of a socket", keys: Self.keys) else { return nil }
    var result = SocketDescription()
    if node["transport"] != nil {
      guard let kind = transport(of: node) else { return nil }
      result.kind = kind
    }
    result.operation = string("operation", of: node)
    result.conditions = pairs("if", of: node)
    result.path = string("path", of: node) ?? (result.kind == .engineio ? "/engine.io/" : result.path)
    if result.kind == .websocket, node["path"] == nil { return findings.reject("a WebSocket needs a `path`", at: node) }
    if !result.kind.isTwoWay, result.operation == nil {
      return findings.reject("a stream needs its `operation`", at: node)
    }
    if result.kind.isTwoWay, let condition = node["if"] {
      return findings.reject("`if` is for the stream of an operation", at: condition)
    }
    if node["namespaces"] != nil { result.namespaces = strings("namespaces", of: node) }
    readSettings(node, into: &result)
    result.events = node["events"]?.members.flatMap { event($0) } ?? []
    return result
  }

  /// The transport that a declaration names; `nil` without one, or for an unknown one.
  private mutating func transport(of node: JSON) -> SocketDescription.Kind? {
    guard let transport = node["transport"] else { return nil }
    if let kind = transport.string.flatMap(SocketDescription.Kind.init) { return kind }
    let name = SocketTemplate.text(transport)
    return findings.reject(
      "`\(name)` is not a transport", at: transport,
      help: Suggestion.help(for: name, among: SocketDescription.Kind.allCases.map(\.rawValue)))
  }

  /// A declaration within a document that has the events, the path and the namespaces of the socket itself.
  package struct Supplement: Sendable {
    package let transport: SocketDescription.Kind?
    package let operation: String?
    /// The rules and settings; the rest has no meaning.
    package let settings: SocketDescription
  }

  private static let supplementKeys = keys.filter { !["path", "namespaces", "events"].contains($0) }

  /// The transport, the operation, the settings and the rules that a document of another kind has for a socket.
  package mutating func supplement(_ node: JSON) -> Supplement? {
    guard findings.isMapping(node, "a mapping of a socket", keys: Self.supplementKeys) else { return nil }
    var settings = SocketDescription()
    settings.conditions = pairs("if", of: node)
    readSettings(node, into: &settings)
    return Supplement(transport: transport(of: node), operation: string("operation", of: node), settings: settings)
  }

  /// What does not say where the socket is, and which events it has.
  private mutating func readSettings(_ node: JSON, into result: inout SocketDescription) {
    readHeartbeat(node, into: &result)
    if let ids = node["ids"] { result.hasIDs = findings.flag(ids, of: "`ids`") ?? false }
    result.retry = duration(node["retry"])
    result.subprotocols = strings("subprotocols", of: node)
    result.eventKey = string("eventKey", of: node)
    result.rules = rules(node["rules"])
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
    if let limit = number("maxPayload", of: node) { result.engine.maxPayload = limit }
    guard let transports = node["transports"] else { return }
    result.transports = Set(strings("transports", of: node).compactMap { engineTransport($0, transports) })
    result.engine.offersUpgrade = result.transports.contains(.websocket)
  }

  private mutating func engineTransport(_ name: String, _ node: JSON) -> EngineTransport? {
    EngineTransport(rawValue: name)
      ?? findings.reject("`\(name)` is not a transport of Engine.IO", at: node, help: "known: polling, websocket")
  }

  /// An event, or two of one name for both directions.
  private mutating func event(_ member: JSON.Member) -> [SocketDescription.Event] {
    let node = member.value
    let direction = node["from"]?.string
    guard let direction, ["client", "server", "both"].contains(direction) else {
      return findings.reject("an event needs `from: client`, `from: server` or `from: both`", at: node) ?? []
    }
    findings.checkKeys(of: node, Self.eventKeys)
    var arguments = node["payload"].map { [$0] }
    if let node = node["arguments"] {
      guard let list = findings.list(node, "a list of schemas") else { return [] }
      arguments = list
    }
    return [true, false].filter { direction == "both" || $0 == (direction == "client") }.map { isFromClient in
      SocketDescription.Event(name: member.name, isFromClient: isFromClient, arguments: arguments, node: node)
    }
  }

  /// A list of rules, empty if absent; with `takesFaults`, `{fault: duplicate, event: chat}` may replace a rule.
  package mutating func rules(_ node: JSON?, takesFaults: Bool = false) -> [SocketRule] {
    guard let node else { return [] }
    return (findings.list(node, "a list of rules") ?? []).compactMap { element in
      guard takesFaults, let fault = element["fault"] else { return rule(element) }
      readFault(fault, of: element)
      return nil
    }
  }

  private mutating func readFault(_ fault: JSON, of node: JSON) {
    findings.checkKeys(of: node, ["fault", "event", "summary"])
    do throws(TextProblem) {
      faults.append(try SocketFault(SocketTemplate.text(fault), of: string("event", of: node)))
    } catch {
      findings.report(error.message, at: fault, help: error.help)
    }
  }

  private mutating func rule(_ node: JSON) -> SocketRule? {
    findings.checkKeys(of: node, Self.ruleKeys)
    let known = problems.count
    guard let on = node["on"], let trigger = trigger(on) else {
      guard problems.count == known else { return nil }
      return findings.reject(
        "a rule needs `on`: connect, disconnect, or an event, an operation or a timer", at: node,
        help: "as in `on: {event: chat}` or `on: {operation: sendChat, status: 200}`")
    }
    var rule = SocketRule(trigger, at: node)
    rule.conditions = pairs("if", of: node)
    rule.remembers = pairs("remember", of: node)
    rule.times = number("times", of: node)
    if let order = node["order"] {
      guard order.isString("before") || order.isString("after") else {
        return findings.reject(
          "expected `before` or `after` for `order`, found `\(SocketTemplate.text(order))`", at: order)
      }
      rule.isBeforeResponse = order.isString("before")
    }
    if let flush = node["flush"] { rule.flushes = findings.flag(flush, of: "`flush`") ?? false }
    guard node["do"] != nil || node["remember"] != nil else {
      return findings.reject("a rule needs `do` or `remember`", at: node, help: "write `do: [{emit: chat}]`")
    }
    let to = recipients(node["to"]) ?? .own
    rule.actions = (node["do"]?.array ?? node["do"].map { [$0] } ?? []).compactMap { action($0, to) }
    checkNames(ofRule: node)
    return rule
  }

  /// Reports names in templates and conditions that never have a value.
  private mutating func checkNames(ofRule node: JSON) {
    let templates = ["if", "remember", "to", "do"].compactMap { node[$0] }.flatMap(SocketTemplate.unknownNames)
    let paths = (node["if"] ?? .null).members.compactMap { SocketTemplate.unknownName($0.name, $0.key) }
    for name in templates + paths {
      findings.report("nothing gives `\(name.text)` a value", at: name.node, help: name.help)
    }
  }

  private mutating func trigger(_ node: JSON) -> SocketRule.Trigger? {
    if node.isString("connect") { return .connect }
    if node.isString("disconnect") { return .disconnect }
    findings.checkKeys(of: node, Self.triggerKeys)
    if let name = node["event"]?.string { return .event(name) }
    if let name = node["operation"]?.string {
      guard let status = node["status"] else { return .operation(name, status: nil) }
      let text = SocketTemplate.text(status)
      let rest = text.utf8.dropFirst()
      guard text.utf8.count == 3, text.utf8.first.map({ 0x31...0x35 ~= $0 }) == true,
        rest.elementsEqual("XX".utf8) || rest.allSatisfy({ 0x30...0x39 ~= $0 })
      else {
        return findings.reject(
          "`\(text)` is not a status", at: status, help: "expected three digits, or a range such as `2XX`")
      }
      return .operation(name, status: text)
    }
    return duration(node["timer"]).map { .timer($0) }
  }

  private mutating func recipients(_ node: JSON?) -> SocketRule.Recipients? {
    guard let node else { return nil }
    switch node.string {
    case "self"?: return .own
    case "others"?: return .others
    case "all"?: return .all
    default:
      guard node.isObject else {
        return findings.reject(
          expected: "`self`, `others`, `all`, or values that sockets remember", node,
          help: "as in `to: {uid: u2}`")
      }
      // A name for all names.
      if node.members.count == 1, let value = node["*"] { return .knowing(value) }
      return .remembering(node.members.map { ($0.name, $0.value) })
    }
  }

  /// An action, or one from outside with its recipients.
  package mutating func action(
    _ node: JSON, _ inherited: SocketRule.Recipients = .own
  ) -> SocketRule.Action? {
    let named = node.members.filter { Self.verbs.contains($0.name) }
    guard named.count == 1, let verb = named.first else {
      return findings.reject("an action has one of \(Self.verbs.map { "`\($0)`" }.joined(separator: ", "))", at: node)
    }
    let value = verb.value
    findings.checkKeys(of: node, Self.verbs + Self.actionKeys)
    let problemsBefore = problems.count
    let to = recipients(node["to"]) ?? inherited
    guard problems.count == problemsBefore else { return nil }
    switch verb.name {
    case "emit", "cut", "broadcast":
      guard let name = value.string else { return findings.reject("expected the name of an event", at: value) }
      guard let payload = payload(node) else { return nil }
      if verb.name == "cut" { return .cut(name, payload, to: to) }
      return .emit(name, payload, to: verb.name == "broadcast" ? .others : to)
    case "ack":
      if let fixture = value["fixture"]?.string { return .acknowledge(.fixture(fixture)) }
      return .acknowledge(.arguments(value))
    case "disconnect", "drop":
      guard value.bool == true else { return findings.reject(expected: "`true`", value) }
      return verb.name == "drop" ? .drop(to: to) : .disconnect(to: to)
    case "wait":
      guard let time = duration(value) else { return nil }
      return .wait(time)
    case "refuse":
      return .refuse(message: value["message"]?.string ?? value.string ?? "Not authorized", data: value["data"])
    default:
      guard let number = (value["code"] ?? value).int, let code = UInt16(exactly: number) else {
        return findings.reject(expected: "a close code", value["code"] ?? value, help: "expected 1000 or 4000")
      }
      let closeCode = WebSocketCloseCode(rawValue: code)
      guard closeCode.mayBeSent else {
        return findings.reject(
          "the close code \(code) cannot be sent", at: value, help: "RFC 6455, 7.4: as 1000, 1011 or 4000")
      }
      return .close(closeCode, value["reason"]?.string ?? "", to: to)
    }
  }

  private mutating func payload(_ node: JSON) -> SocketPayload? {
    if let fixture = node["fixture"] {
      return fixture.string.map { .fixture($0) } ?? findings.reject("expected the name of a fixture", at: fixture)
    }
    if let arguments = node["arguments"] {
      // A template may resolve to a list.
      guard arguments.isArray || arguments.string?.contains("{{") == true else {
        return findings.reject(expected: "a list of arguments", arguments)
      }
      return .arguments(arguments)
    }
    return .arguments(node["argument"].map { .array([$0]) } ?? .array([]))
  }

  // MARK: - Values

  private mutating func string(_ key: String, of node: JSON) -> String? {
    node[key].flatMap { findings.string($0, of: "`\(key)`") }
  }

  /// A list of strings with at least one; empty where the key is absent.
  private mutating func strings(_ key: String, of node: JSON) -> [String] {
    guard let value = node[key] else { return [] }
    let strings = value.elements.compactMap(\.string)
    guard value.isArray, !strings.isEmpty, strings.count == value.elements.count else {
      return findings.reject(expected: "a list of strings for `\(key)`", value) ?? []
    }
    return strings
  }

  /// A whole number from 1.
  private mutating func number(_ key: String, of node: JSON) -> Int? {
    guard let value = node[key] else { return nil }
    guard let number = value.int, number > 0 else {
      return findings.reject(
        "expected a whole number from 1 for `\(key)`, found `\(SocketTemplate.text(value))`", at: value)
    }
    return number
  }

  private mutating func pairs(_ key: String, of node: JSON) -> [(String, JSON)] {
    guard let value = node[key], findings.isMapping(value, "a mapping for `\(key)`") else { return [] }
    return value.members.map { ($0.name, $0.value) }
  }

  private mutating func duration(_ node: JSON?) -> Duration? {
    guard let node else { return nil }
    guard let time = Duration(text: SocketTemplate.text(node)) else {
      return findings.reject(
        "`\(SocketTemplate.text(node))` is not a time", at: node, help: "expected 250ms, 1.5s or 2m")
    }
    return time
  }
}
