import UnderstudySockets

/// The rules that replay recorded sockets: after each event of a client the server's messages, at the same pace.
struct RecordedSocketRules {
  private struct Rule {
    let trigger: JSON
    var conditions: [(String, JSON)]
    var remembers: [(String, JSON)] = []
    var actions: [JSON] = []
    /// Whether it stands for what took place once, and not for a rule of the contract.
    var isRecorded = true
    /// The time of the trigger, in milliseconds since 1970.
    let start: Int
    var last: Int
    /// Whether the rule first sends what earlier rules have left, to a client that is faster than the recorded one.
    var flushes = false
    /// The number of pauses that are longer than a scenario may have them.
    var longPauses = 0

    /// An hour, in milliseconds.
    private static let longestPause = 3_600_000

    init(_ trigger: JSON, if conditions: [(String, JSON)] = [], at start: Int) {
      (self.trigger, self.conditions, self.start, last) = (trigger, conditions, start, start)
    }

    var hasPause: Bool { actions.contains { $0[RecordedSocketRules.waitKey] != nil } }

    mutating func add(_ action: JSON, at time: Int) {
      let pause = min(time - last, Self.longestPause)
      if time - last > pause { longPauses += 1 }
      if pause > 0 { actions.append(.object([(RecordedSocketRules.waitKey, .string("\(pause)ms"))])) }
      last = max(last, time)
      actions.append(action)
    }
  }

  /// The name by which a socket remembers its number in the recording.
  private static let name = "recorded"

  private var rules: [Rule] = []
  /// The sockets as their clients use them again, to be played against the rules.
  private(set) var played: [PlayedSocket] = []
  /// What is not replayed, with the number of messages.
  private(set) var losses = NameTally()

  /// - Parameters:
  ///   - sockets: In the order in which they began.
  ///   - silenced: The operations whose rules of the contract would send again what was recorded.
  ///   - clean: The arguments of a message without secrets and personal data.
  init(_ sockets: [RecordedSockets.Connection], silenced: [String], clean: ([UInt8]) -> [UInt8]) {
    guard !sockets.isEmpty else { return }
    for (index, socket) in sockets.enumerated() {
      played.append(PlayedSocket(socket.description))
      for (namespace, messages) in Self.byNamespace(socket.messages) {
        guard namespace == "/" || isClean(namespace, clean) else {
          losses.count("a message of a namespace whose name has a secret", by: messages.count)
          continue
        }
        add(messages, of: socket, number: index + 1, namespace, clean)
      }
    }
    let longPauses = rules.reduce(0) { $0 + $1.longPauses }
    if longPauses > 0 { losses.count("a pause longer than an hour, which is replayed as an hour", by: longPauses) }
    // The first rule of a trigger applies: those of the second socket follow those of the first.
    for operation in silenced.sorted() {
      var rule = Rule(["operation": .string(operation)], at: 0)
      rule.isRecorded = false
      rules.append(rule)
    }
  }

  /// The messages of each namespace, in the order in which they began. The end of the connection is one of the first; a silent
  /// socket has `/`, as it takes its rule too.
  private static func byNamespace(
    _ messages: [RecordedSockets.Message]
  ) -> [(namespace: String, messages: [RecordedSockets.Message])] {
    var order: [String] = []
    var groups: [String: [RecordedSockets.Message]] = [:]
    for message in messages {
      let namespace: String
      switch message.content {
      case .packet(let packet): namespace = packet.namespace
      case .message: namespace = "/"
      case .close, .drop: namespace = order.first ?? "/"
      }
      if groups[namespace] == nil { order.append(namespace) }
      groups[namespace, default: []].append(message)
    }
    return order.isEmpty ? [("/", [])] : order.map { ($0, groups[$0] ?? []) }
  }

  private mutating func add(
    _ own: [RecordedSockets.Message], of socket: RecordedSockets.Connection, number: Int, _ namespace: String,
    _ clean: ([UInt8]) -> [UInt8]
  ) {
    // The pace begins when the server accepts the client.
    let accepted = own.first { message in
      if case .packet(let packet) = message.content { packet.kind == .connect && !message.isFromClient } else { false }
    }
    let start = Self.milliseconds(accepted?.time ?? socket.start)
    played[number - 1].steps.append(.init(time: start * 1000, namespace: namespace, action: .connect))
    var current = rules.count
    var acknowledged: [Int: Int] = [:]
    let place: [(String, JSON)] = namespace == "/" ? [] : [("namespace", .string(namespace))]
    var connect = Rule("connect", if: place, at: start)
    connect.remembers = [(Self.name, .string("\(number)"))]
    let first = rules.count
    rules.append(connect)
    for message in own {
      let time = Self.milliseconds(message.time)
      switch message.content {
      case .close(let code, let reason):
        close(code, reason, at: time, current, namespace, clean)
      case .drop: send(["drop": true], Output("drop", in: namespace), at: time, current)
      case .message(let content):
        guard let argument = argument(content, clean) else { continue }
        let event = Self.event(argument, key: socket.description.eventKey)
        if message.isFromClient {
          let action = PlayedSocket.Action.event(
            event, content.event(key: socket.description.eventKey).arguments, id: 0)
          current = begin(event, number, at: time, action, in: namespace)
        } else {
          let output = Output("emit", event, .array([argument]), in: namespace)
          send(["emit": .string(event), "argument": argument], output, at: time, current)
        }
      case .packet(let packet):
        if message.isFromClient {
          guard packet.kind == .event || packet.kind == .binaryEvent else { continue }
          guard let name = name(of: packet, clean) else { continue }
          let action = PlayedSocket.Action.event(name, packet.arguments, id: packet.id)
          current = begin(name, number, at: time, action, in: namespace)
          if let id = packet.id { acknowledged[id] = current }
        } else {
          answer(packet, at: time, current, acknowledged, clean)
        }
      }
    }
    keepOrder(from: first)
  }

  /// Keeps the order of events of a socket for clients that are faster than the recorded one. An acknowledgement that came
  /// after the next event of the client keeps its time.
  private mutating func keepOrder(from first: Int) {
    var (hasPause, last) = (false, Int.min)
    for index in rules.indices[first...] {
      rules[index].flushes = hasPause && last <= rules[index].start
      (hasPause, last) = (hasPause || rules[index].hasPause, max(last, rules[index].last))
    }
  }

  private typealias Output = PlayedSocket.Output

  /// Adds an action to a rule, with the output that a client of the last socket gets by it.
  private mutating func send(_ action: JSON, _ output: Output, at time: Int, _ rule: Int) {
    rules[rule].add(action, at: time)
    played[played.count - 1].outputs.append(output)
  }

  private mutating func begin(
    _ event: String, _ number: Int, at time: Int, _ action: PlayedSocket.Action, in namespace: String
  ) -> Int {
    played[number - 1].steps.append(.init(time: time * 1000, namespace: namespace, action: action))
    let condition = ("socket.\(Self.name)", JSON.string("\(number)"))
    rules.append(Rule(["event": .string(event)], if: [condition], at: time))
    return rules.count - 1
  }

  private mutating func answer(
    _ packet: SocketPacket, at time: Int, _ current: Int, _ acknowledged: [Int: Int], _ clean: ([UInt8]) -> [UInt8]
  ) {
    switch packet.kind {
    case .connect: break
    case .disconnect: send(["disconnect": true], Output("disconnect", in: packet.namespace), at: time, current)
    case .connectError:
      guard let payload = values(packet.payload ?? "", clean) else { return }
      let message = payload["message"] ?? payload
      let data = payload["data"]
      rules[current].actions = [["refuse": data.map { ["message": message, "data": $0] } ?? message]]
      played[played.count - 1].outputs.append(
        Output("refuse", message.plainText, data ?? .null, in: packet.namespace))
    case .event, .binaryEvent:
      guard let list = arguments(packet, clean), let name = name(of: packet, clean) else { return }
      let value: (String, JSON) = list.count == 1 ? ("argument", list[0]) : ("arguments", .array(list))
      let output = Output("emit", name, .array(list), in: packet.namespace)
      send(.object([("emit", .string(name)), value]), output, at: time, current)
      if packet.id != nil { losses.count("an event that asks for an acknowledgement is replayed without asking") }
    case .ack, .binaryAck:
      guard let index = packet.id.flatMap({ acknowledged[$0] }), let list = arguments(packet, clean) else { return }
      send(["ack": .array(list)], Output("ack", "", .array(list), in: packet.namespace), at: time, index)
    }
  }

  /// Closes a socket by a code that a close frame may have (RFC 6455, 7.4).
  private mutating func close(
    _ code: Int, _ reason: String, at time: Int, _ current: Int, _ namespace: String, _ clean: ([UInt8]) -> [UInt8]
  ) {
    var code = WebSocketCloseCode(rawValue: UInt16(clamping: code))
    // A frame without a code.
    if code == .absent { code = .normal }
    if !code.mayBeSent {
      losses.count("a close frame with a reserved code, which is replayed with 1000")
      code = .normal
    }
    let reason = reason.isEmpty ? nil : values(.string(reason), clean)?.string
    let value = [("code", JSON.integer(Int(code.rawValue)))] + (reason.map { [("reason", JSON.string($0))] } ?? [])
    let output = Output("close", reason ?? "", .integer(Int(code.rawValue)), in: namespace)
    send(["close": .object(value)], output, at: time, current)
  }

  /// The name of an event; `nil` where it has a secret, as another name would be another event.
  private mutating func name(of packet: SocketPacket, _ clean: ([UInt8]) -> [UInt8]) -> String? {
    let name = packet.event ?? ""
    if isClean(name, clean) { return name }
    losses.count("an event whose name has a secret")
    return nil
  }

  private func isClean(_ text: String, _ clean: ([UInt8]) -> [UInt8]) -> Bool {
    let bytes = JSONWriter.bytes(.string(text))
    return clean(bytes) == bytes && !text.contains("{{")
  }

  // MARK: - Arguments

  private mutating func arguments(_ packet: SocketPacket, _ clean: ([UInt8]) -> [UInt8]) -> [JSON]? {
    guard packet.attachments.isEmpty else {
      losses.count("a message with binary parts")
      return nil
    }
    return values(.array(packet.arguments.values), clean)?.array
  }

  private mutating func argument(_ message: WebSocketMessage, _ clean: ([UInt8]) -> [UInt8]) -> JSON? {
    guard case .text(let text) = message else {
      losses.count("a binary message")
      return nil
    }
    guard let value = try? JSONParser.parse(Array(text.utf8)).root, value.isObject || value.isArray else {
      return values(.string(text), clean)
    }
    // A text keeps the white space of the message.
    guard let clean = values(value, clean) else { return nil }
    return JSONWriter.text(value) == text ? clean : .string(clean == value ? text : JSONWriter.text(clean))
  }

  private mutating func values(_ value: JSON, _ clean: ([UInt8]) -> [UInt8]) -> JSON? {
    let bytes = clean(JSONWriter.bytes(value))
    guard !bytes.contains(UInt8(ascii: "{"), twice: true) else {
      losses.count("a message with `{{`, which a scenario takes for a template")
      return nil
    }
    return try? JSONParser.parse(bytes).root
  }

  private static func event(_ argument: JSON, key: String?) -> String {
    guard let key else { return "message" }
    let value = argument.string.flatMap { try? JSONParser.parse(Array($0.utf8)).root } ?? argument
    return value[key]?.string ?? "message"
  }

  private static func milliseconds(_ time: Int) -> Int { (time + 500) / 1000 }

  // MARK: - Text

  var isEmpty: Bool { rules.isEmpty }

  private static let waitKey = "wait"

  private static let flushLine = "    flush: true"

  /// Removes the socket pauses of a scenario, which differ between recordings, and what depends on them.
  static func withoutPauses(_ text: [UInt8]) -> [UInt8] {
    let start = Array("      - {\(waitKey): ".utf8)
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).filter {
      !$0.starts(with: start) && !$0.elementsEqual(flushLine.utf8)
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  /// The lines below `sockets:` of a scenario.
  func write(to yaml: inout YAMLText) {
    guard !rules.isEmpty else { return }
    yaml.line("sockets:")
    for rule in rules {
      yaml.line("- on: \(Self.flow(rule.trigger))", indent: 2)
      if !rule.conditions.isEmpty { yaml.line("if: \(Self.flow(.object(rule.conditions)))", indent: 4) }
      if !rule.remembers.isEmpty { yaml.line("remember: \(Self.flow(.object(rule.remembers)))", indent: 4) }
      if rule.isRecorded { yaml.line("times: 1", indent: 4) }
      if rule.flushes { yaml.line(Self.flushLine) }
      guard !rule.actions.isEmpty else {
        yaml.line("do: []", indent: 4)
        continue
      }
      yaml.line("do:", indent: 4)
      for action in rule.actions { yaml.line("- \(Self.flow(action))", indent: 6) }
    }
  }

  /// A value in flow style (YAML 1.2, 7.4), with quotation marks only where a text needs them.
  private static func flow(_ value: JSON) -> String {
    switch value.kind {
    case .object: "{" + value.members.map { "\(flow(text: $0.name)): \(flow($0.value))" }.joined(separator: ", ") + "}"
    case .array: "[" + value.elements.map(flow).joined(separator: ", ") + "]"
    case .string: flow(text: value.text)
    default: JSONWriter.text(value)
    }
  }

  private static func flow(text: String) -> String {
    let isPause = text.hasSuffix("ms") && Int(text.dropLast(2)) != nil
    let isWord =
      text.utf8.first.map { isLetter($0) } == true
      && text.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || "-.".utf8.contains($0) }
      && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
    return isPause || isWord ? text : JSONWriter.text(.string(text))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
  }
}

extension [UInt8] {
  /// Whether a byte stands twice in a row.
  fileprivate func contains(_ byte: UInt8, twice: Bool) -> Bool {
    zip(self, dropFirst()).contains { $0 == byte && $1 == byte }
  }
}
