import UnderstudySockets

/// The sockets of a recording: what both sides sent, and when.
struct RecordedSockets: Sendable {
  /// A message of one side.
  struct Message: Sendable {
    enum Content: Sendable {
      case packet(SocketPacket)
      case message(WebSocketMessage)
      /// The server ended the connection: with a close frame or without one.
      case close(code: Int, reason: String)
      case drop
    }

    /// Microseconds since 1970.
    var time: Int
    var isFromClient: Bool
    var content: Content
  }

  /// A socket that the contract declares, whose messages may come from several requests.
  struct Connection: Sendable {
    let contract: Int
    let description: SocketDescription
    var start: Int
    var messages: [Message] = []
  }

  /// A reason why a part is not replayed.
  struct Loss: Error {
    let reason: String
  }

  /// By the id of their session, else in the order of their requests.
  private var connections: [String: Connection] = [:]
  private var order: [String] = []
  private var count = 0
  private let descriptions: [[SocketDescription]]

  /// The most messages of all sockets.
  static let limit = 50_000

  init(_ contracts: [Contract]) { descriptions = contracts.map(\.sockets.descriptions) }

  var isEmpty: Bool { order.isEmpty }

  /// The number of sockets and messages of a contract.
  func counts(ofContract contract: Int) -> (sockets: Int, messages: Int) {
    let own = sockets(ofContract: contract)
    return (own.count, own.reduce(0) { $0 + $1.messages.count })
  }

  /// The sockets of a contract in the order in which they began, with their messages in the order of time.
  func sockets(ofContract contract: Int) -> [Connection] {
    order.compactMap { connections[$0] }.filter { $0.contract == contract }.map { connection in
      var connection = connection
      connection.messages = connection.messages.enumerated()
        .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
      return connection
    }.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
  }

  // MARK: - Exchanges

  /// Whether an exchange belongs to a socket that a contract declares; then its messages are added.
  ///
  /// - Throws: What of it cannot be kept.
  mutating func take(_ entry: HAREntry) throws(Loss) -> Bool {
    guard let (contract, description) = declared(entry) else { return false }
    if !entry.isSocket, entry.requestFields[.upgrade] != nil {
      throw Loss(reason: "a handshake of a socket that got \(entry.answer.status)")
    }
    let query = Query(of: entry.url)
    let isEngine = description.kind == .socketio || description.kind == .engineio
    guard entry.isSocket || isEngine && query.first(named: "transport") == "polling" else { return false }
    if entry.isSocket {
      try add(frames(entry, description, query), query.first(named: "sid"), of: entry, contract, description)
    } else {
      try poll(entry, query, contract, description)
    }
    return true
  }

  private func declared(_ entry: HAREntry) -> (Int, SocketDescription)? {
    let whole = URIReference(entry.url).path
    // A recording of a mock may have the prefix of a lane.
    let path = whole.hasPrefix("/~") ? String(whole.dropFirst(2).drop { $0 != "/" }) : whole
    for (index, own) in descriptions.enumerated() {
      if let description = own.first(where: { $0.kind.isTwoWay && $0.answers(path) }) { return (index, description) }
    }
    return nil
  }

  private mutating func add(
    _ messages: [Message], _ session: String?, of entry: HAREntry, _ contract: Int, _ description: SocketDescription
  ) throws(Loss) {
    guard count + messages.count <= Self.limit else {
      throw Loss(reason: "the sockets have more than \(Self.limit) messages")
    }
    count += messages.count
    let key = session.map { "\(contract) \($0)" } ?? "\(order.count)"
    if connections[key] == nil {
      connections[key] = Connection(contract: contract, description: description, start: Self.start(of: entry))
      order.append(key)
    }
    connections[key]?.messages += messages
  }

  private static func start(of entry: HAREntry) -> Int { Timestamp.microseconds(entry.startedDateTime.utf8) ?? 0 }

  private static func version(_ query: Query) -> EngineVersion { query.first(named: "EIO") == "3" ? .three : .four }

  // MARK: - The polling transport

  private mutating func poll(
    _ entry: HAREntry, _ query: Query, _ contract: Int, _ description: SocketDescription
  ) throws(Loss) {
    let version = Self.version(query)
    let isPost = entry.method == "POST"
    let body = isPost ? entry.requestBody : entry.answer.body
    guard entry.answer.status == 200 else {
      throw Loss(reason: "a request of a socket that got \(entry.answer.status)")
    }
    if let reason = body.reason { throw Loss(reason: reason) }
    let type = isPost ? entry.requestFields.contentType : entry.answer.fields.contentType
    let isBinary = type?.hasPrefix("application/octet-stream") == true
    let packets: [EnginePacket]
    do throws(EngineDecodingError) {
      packets = body.bytes.isEmpty ? [] : try EnginePayload.decode(body.bytes, version, isBinary: isBinary)
    } catch {
      throw Loss(reason: "a payload of a socket cannot be read: \(error.reason)")
    }
    let open = packets.first { $0.kind == .open }?.text.flatMap { try? JSONParser.parse(Array($0.utf8)).root }
    let session = query.first(named: "sid") ?? open?["sid"]?.string
    let start = Self.start(of: entry)
    // What the server sends arrives at the end of its response.
    let time = isPost ? start : start + (entry.answer.duration?.wholeMicroseconds ?? 0)
    var decoder = SocketDecoder(version)
    let messages = packets.compactMap { Self.message($0, isFromClient: isPost, time, description, &decoder) }
    try add(messages, session, of: entry, contract, description)
  }

  private static func message(
    _ packet: EnginePacket, isFromClient: Bool, _ time: Int, _ description: SocketDescription,
    _ decoder: inout SocketDecoder
  ) -> Message? {
    guard packet.kind == .message else { return nil }
    guard description.kind == .socketio else {
      return Message(time: time, isFromClient: isFromClient, content: .message(packet.content))
    }
    guard let whole = (try? decoder.receive(packet.content)) ?? nil else { return nil }
    return Message(time: time, isFromClient: isFromClient, content: .packet(whole))
  }

  // MARK: - WebSockets

  private func frames(_ entry: HAREntry, _ description: SocketDescription, _ query: Query) -> [Message] {
    let version = Self.version(query)
    var client = SocketDecoder(version)
    var server = SocketDecoder(version)
    let start = Self.start(of: entry)
    var messages = entry.socketMessages.compactMap { frame -> Message? in
      let time = frame.time ?? start
      guard let content = frame.content else { return nil }
      guard description.kind == .socketio || description.kind == .engineio else {
        return Message(time: time, isFromClient: frame.isFromClient, content: .message(content))
      }
      guard let packet = try? EnginePacket(decoding: content, version) else { return nil }
      return frame.isFromClient
        ? Self.message(packet, isFromClient: true, time, description, &client)
        : Self.message(packet, isFromClient: false, time, description, &server)
    }
    if let end = entry.socketEnd {
      let content: Message.Content = end.code.map { .close(code: $0, reason: end.reason) } ?? .drop
      messages.append(Message(time: end.time, isFromClient: false, content: content))
    }
    return messages
  }
}
