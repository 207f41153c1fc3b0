package import UnderstudySockets

/// A message of a socket as it is shown, without secrets.
package struct SocketMessageText {
  private let message: SocketMessage
  private let socket: SocketIdentity
  private let list: String

  package init(_ message: SocketMessage, of socket: SocketIdentity, _ redactor: inout Redactor) {
    socket.teach(&redactor)
    let description = socket.description
    let name = message.event ?? ""
    list = String(
      decoding: redactor.redact(
        arguments: message.arguments, of: name, isFromClient: message.isFromClient, by: description,
        handshake: socket.request?.head
      ).value, as: UTF8.self)
    self.socket = socket
    var message = message
    // A client may send a secret as a name by mistake.
    if !description.declares(name, isFromClient: message.isFromClient) {
      message.event = message.event.map { redactor.redact(text: $0).value }
    }
    if !description.namespaces.contains(message.namespace) {
      message.namespace = redactor.redact(text: message.namespace).value
    }
    self.message = message
  }

  /// The arguments with commas between them.
  package var arguments: String {
    list.hasPrefix("[") ? String(list.dropFirst().dropLast(list.hasSuffix("]") && message.isWhole ? 1 : 0)) : list
  }

  /// `chat`, `ack 3`, `connect /admin`
  package var title: String {
    let own =
      switch message.kind {
      case .event: message.event ?? ""
      case .acknowledgement: "ack \(message.acknowledgement ?? 0)"
      case .cut: "\(message.event ?? "") (cut)"
      case .held: "\(message.event ?? "") (held until the next event)"
      case .connect, .refusal, .disconnect, .close, .drop: message.kind.rawValue
      }
    return message.namespace == "/" ? own : "\(own) \(message.namespace)"
  }

  /// - Parameter length: The maximum length of a string, in characters.
  func members(length: Int, _ redactor: inout Redactor) -> Redacted<[(String, JSON?)]> {
    redactor.redact(message.findings).map { members(length: length, $0) }
  }

  private func members(length: Int, _ findings: [Diagnostic]) -> [(String, JSON?)] {
    let findings = findings.map { JSON.object(present: $0.members(.journal)) }
    return [
      ("number", .integer(message.number)), ("microseconds", .integer(max(0, message.time - socket.startedAt))),
      ("from", message.isFromClient ? "client" : "server"), ("kind", .string(message.kind.rawValue)),
      ("event", message.event.map { .string(VisibleText.shortened($0, to: length)) }),
      ("namespace", message.namespace == "/" ? nil : .string(message.namespace)),
      ("acknowledgement", message.acknowledgement.map { .integer($0) }),
      ("text", .string(VisibleText.shortened(arguments, to: length))),
      ("size", message.isWhole ? nil : .integer(message.size)),
      ("findings", findings.isEmpty ? nil : .array(findings)),
    ]
  }

  // MARK: - HAR

  /// The frames of it, as Chrome writes them into a HAR: what the client sends is `send`, opcode 1 is text, 2 is bytes in
  /// base64. Those of Socket.IO are written as in version 5 of its protocol, by any transport.
  var frames: [JSON] {
    guard let texts = message.texts(by: socket.transport, list: list) else { return [] }
    let time = JSON.make { $0.append(number: Array("\(Double(message.time) / 1_000_000)".utf8)) }
    func frame(_ opcode: Int, _ data: String) -> JSON {
      [
        "type": message.isFromClient ? "send" : "receive", "time": time, "opcode": .integer(opcode),
        "data": .string(data),
      ]
    }
    return texts.map { frame(1, $0) } + message.attachments.map { frame(2, Base64.encode($0)) }
  }
}

extension Redactor {
  /// The list of the arguments of an event without the values that a declaration of the event marks as secrets.
  ///
  /// - Parameters:
  ///   - name: The name of the event; `nil` on a stream whose events have no names.
  ///   - handshake: The request of the socket or stream: the arguments may repeat its secrets.
  package mutating func redact(
    arguments list: [UInt8], of name: String?, isFromClient: Bool, by description: SocketDescription,
    handshake: HTTPRequest?
  ) -> Redacted<[UInt8]> {
    let declared = description.events.filter { event in
      event.isFromClient == isFromClient && (name.map { event.name.utf8Equals($0) } ?? true)
    }
    let alternatives = declared.isEmpty ? [[]] : declared.map(\.arguments)
    return alternatives.dropFirst().reduce(redact(arguments: list, alternatives[0], handshake: handshake)) {
      list, schemas in
      redact(arguments: list.value, schemas, handshake: handshake)
    }
  }

  /// The only argument of an event without secrets; `nil` if it has none.
  mutating func redact(
    argument: JSON, of name: String?, isFromClient: Bool, by description: SocketDescription, handshake: HTTPRequest?
  ) -> Redacted<JSON>? {
    let list = JSONWriter.bytes(.array([argument]))
    let shown = redact(arguments: list, of: name, isFromClient: isFromClient, by: description, handshake: handshake)
    guard shown.value != list else { return nil }
    return shown.map { shown in
      let hidden = JSON.string(Placeholder.marker)
      do throws(TextProblem) { return try JSONParser.parse(shown).root[0] ?? hidden } catch { return hidden }
    }
  }

  /// Learns the secrets of all messages of a socket or stream: one may repeat what a later one shows to be secret.
  mutating func learnMessages(of exchange: ServedRequest) {
    if let transcript = exchange.transcript {
      for message in transcript.messages { _ = SocketMessageText(message, of: transcript.identity, &self) }
    }
    if let log = exchange.messages { _ = MessageTexts.list(log.messages, of: exchange, length: .max, &self) }
  }
}

extension SocketMessage {
  /// The frames with text; `nil` for a message that is none.
  ///
  /// - Parameters:
  ///   - transport: The transport of its socket: `socketio`, `websocket` or `engineio`.
  ///   - list: The list of its arguments in JSON.
  package func texts(by transport: String, list: String) -> [String]? {
    let arguments = String(list.dropFirst().dropLast(list.hasSuffix("]") && isWhole ? 1 : 0))
    guard transport == "socketio" else {
      guard kind == .event || kind == .acknowledgement else { return nil }
      guard attachments.isEmpty else { return [] }
      let text = Self.first(of: list) ?? arguments
      return [transport == "engineio" ? "4" + text : text]
    }
    let place = namespace == "/" ? "" : namespace + ","
    let number = acknowledgement.map { "\($0)" } ?? ""
    let isBinary = !attachments.isEmpty
    let count = isBinary ? "\(attachments.count)-" : ""
    switch kind {
    case .connect: return ["40\(place)\(arguments)"]
    case .disconnect: return ["41\(place)"]
    case .refusal: return ["44\(place)\(arguments)"]
    case .event:
      let name = JSONWriter.text(.string(event ?? ""))
      let rest = list.hasPrefix("[") ? String(list.dropFirst()) : "]"
      return ["4\(isBinary ? 5 : 2)\(count)\(place)\(number)[\(name)\(rest == "]" ? "" : ",")\(rest)"]
    case .acknowledgement: return ["4\(isBinary ? 6 : 3)\(count)\(place)\(number)\(list)"]
    case .close, .drop, .cut, .held: return nil
    }
  }

  /// The first element of a list as a message without a protocol has it; `nil` for a list that is cut.
  private static func first(of list: String) -> String? {
    do throws(TextProblem) {
      return try JSONParser.parse(Array(list.utf8)).root[0].map(SocketTemplate.text)
    } catch {
      return nil
    }
  }
}
