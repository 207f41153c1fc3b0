import UnderstudySockets

/// The events of a socket in a recording, as Chrome and this program write them (`_webSocketMessages`).
struct RecordedEvents {
  struct Event {
    let name: String
    let isFromClient: Bool
    let arguments: [JSON]
    let hasAttachments: Bool
  }

  let contract: Contract
  let description: Int
  let events: [Event]

  /// `nil` where no contract declares the socket of the entry.
  init?(_ entry: Exchange, _ contracts: [Contract]) {
    let path = URIReference(entry.url).path
    for contract in contracts {
      let descriptions = contract.sockets.descriptions
      // A recording may have the prefix of a lane.
      let bare = path.hasPrefix("/~") ? path.dropFirst(2).drop { $0 != "/" } : path[...]
      guard let index = descriptions.firstIndex(where: { $0.kind.isTwoWay && $0.answers(String(bare)) }) else {
        continue
      }
      let own = descriptions[index]
      (self.contract, description) = (contract, index)
      events = (entry.socket?.messages ?? []).filter { !$0.isBinary }.compactMap { message in
        switch own.kind {
        case .socketio: Self.socketIO(message)
        case .engineio: Self.engineIO(message)
        default: Self.plain(message, key: own.eventKey)
        }
      }
      return
    }
    return nil
  }

  /// `42["chat",{}]`, with a namespace or the number of an acknowledgement; attachments are left out.
  private static func socketIO(_ message: Exchange.Socket.Message) -> Event? {
    let bytes = message.data.utf8
    guard bytes.first == UInt8(ascii: "4"), let type = bytes.dropFirst().first,
      type == UInt8(ascii: "2") || type == UInt8(ascii: "5"), let start = message.data.firstIndex(of: "["),
      let values = (try? JSONParser.parse(Array(message.data[start...].utf8)).root)?.array,
      let name = values.first?.string
    else { return nil }
    return Event(
      name: name, isFromClient: message.isFromClient, arguments: Array(values.dropFirst()),
      hasAttachments: type == UInt8(ascii: "5"))
  }

  /// `4hello`; other packets than messages are no events.
  private static func engineIO(_ message: Exchange.Socket.Message) -> Event? {
    guard message.data.utf8.first == UInt8(ascii: "4") else { return nil }
    return Event(
      name: "message", isFromClient: message.isFromClient, arguments: [.string(String(message.data.dropFirst()))],
      hasAttachments: false)
  }

  private static func plain(_ message: Exchange.Socket.Message, key: String?) -> Event? {
    let value = try? JSONParser.parse(Array(message.data.utf8)).root
    let name = key.flatMap { value?[$0]?.string } ?? "message"
    return Event(
      name: name, isFromClient: message.isFromClient, arguments: [value ?? .string(message.data)], hasAttachments: false
    )
  }

  func holds(_ event: Event) -> Bool {
    contract.sockets.validators[description].validate(
      event.name, event.arguments, isFromClient: event.isFromClient, hasAttachments: event.hasAttachments,
      within: WorkBudget(EventValidator.workLimit)
    ).findings.isEmpty
  }
}
