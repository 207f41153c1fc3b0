import UnderstudySockets

/// The sockets of a recording: what both sides sent, and when.
struct RecordedSockets: Sendable {
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
    var unread = 0
    /// A packet and its attachments may come in several requests.
    fileprivate var client: SocketDecoder
    fileprivate var server: SocketDecoder
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

  static let limit = 50_000

  init(_ contracts: [Contract]) { descriptions = contracts.map(\.sockets.descriptions) }

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

  /// Whether an exchange belongs to a declared socket, whose messages are added. Throws why it cannot be replayed.
  mutating func take(_ entry: Exchange) throws(Loss) -> Bool {
    guard let (contract, description) = declared(entry) else { return false }
    if entry.socket == nil, entry.requestFields[.upgrade] != nil {
      throw Loss(reason: "a handshake of a socket that got \(entry.status)")
    }
    let query = Query(of: entry.url)
    guard entry.socket != nil || Self.isPolling(entry, description) else { return false }
    if entry.socket != nil {
      let key = try connection(of: entry, query.first(named: "sid"), query, contract, description)
      try addFrames(of: entry, to: key)
    } else {
      try poll(entry, query, contract, description)
    }
    return true
  }

  /// Whether an exchange belongs to a socket that a contract declares.
  func has(_ entry: Exchange) -> Bool {
    guard let (_, description) = declared(entry) else { return false }
    return entry.socket != nil || entry.requestFields[.upgrade] != nil || Self.isPolling(entry, description)
  }

  private static func isPolling(_ entry: Exchange, _ description: SocketDescription) -> Bool {
    let isEngine = description.kind == .socketio || description.kind == .engineio
    return isEngine && Query(of: entry.url).first(named: "transport") == "polling"
  }

  private func declared(_ entry: Exchange) -> (Int, SocketDescription)? {
    let whole = URIReference(entry.url).path
    // A recording of a mock may have the prefix of a lane.
    let path = whole.hasPrefix("/~") ? String(whole.dropFirst(2).drop { $0 != "/" }) : whole
    for (index, own) in descriptions.enumerated() {
      if let description = own.first(where: { $0.kind.isTwoWay && $0.answers(path) }) { return (index, description) }
    }
    return nil
  }

  /// The key of the connection that an exchange belongs to, which begins with its first exchange.
  private mutating func connection(
    of entry: Exchange, _ session: String?, _ query: Query, _ contract: Int, _ description: SocketDescription
  ) throws(Loss) -> String {
    let key = session.map { "\(contract) \($0)" } ?? "\(order.count)"
    guard connections[key] == nil else { return key }
    guard order.count < Self.limit else { throw Loss(reason: "there are more than \(Self.limit) sockets") }
    let version = Self.version(query)
    connections[key] = Connection(
      contract: contract, description: description, start: Self.start(of: entry), client: SocketDecoder(version),
      server: SocketDecoder(version))
    order.append(key)
    return key
  }

  /// Adds a message that a packet completes; nothing for packets of Engine.IO alone, such as a ping.
  private mutating func add(
    _ content: WebSocketMessage?, isFromClient: Bool, _ time: Int, _ version: EngineVersion, to key: String
  ) throws(Loss) {
    guard let kind = connections[key]?.description.kind else { return }
    try checkLimit(adding: 1)
    guard let content else {
      connections[key]?.unread += 1
      return
    }
    do {
      guard kind == .socketio || kind == .engineio else {
        return append(.message(content), isFromClient: isFromClient, time, to: key)
      }
      try add(try EnginePacket(decoding: content, version), isFromClient: isFromClient, time, to: key)
    } catch {
      connections[key]?.unread += 1
    }
  }

  private mutating func add(_ packet: EnginePacket, isFromClient: Bool, _ time: Int, to key: String) throws {
    guard packet.kind == .message, let kind = connections[key]?.description.kind else { return }
    guard kind == .socketio else {
      return append(.message(packet.content), isFromClient: isFromClient, time, to: key)
    }
    let whole =
      isFromClient
      ? try connections[key]?.client.receive(packet.content) : try connections[key]?.server.receive(packet.content)
    if let whole { append(.packet(whole), isFromClient: isFromClient, time, to: key) }
  }

  private func checkLimit(adding messages: Int) throws(Loss) {
    guard count + messages <= Self.limit else {
      throw Loss(reason: "the sockets have more than \(Self.limit) messages")
    }
  }

  private mutating func append(_ content: Message.Content, isFromClient: Bool, _ time: Int, to key: String) {
    count += 1
    connections[key]?.messages.append(Message(time: time, isFromClient: isFromClient, content: content))
  }

  private static func start(of entry: Exchange) -> Int { entry.startedAt ?? 0 }

  private static func version(_ query: Query) -> EngineVersion { query.first(named: "EIO") == "3" ? .three : .four }

  // MARK: - The polling transport

  private mutating func poll(
    _ entry: Exchange, _ query: Query, _ contract: Int, _ description: SocketDescription
  ) throws(Loss) {
    let version = Self.version(query)
    let isPost = entry.method == "POST"
    let body = isPost ? entry.requestBody : entry.response?.body ?? .empty
    guard entry.status == 200 else { throw Loss(reason: "a request of a socket that got \(entry.status)") }
    if let reason = body.reason { throw Loss(reason: reason) }
    let type = isPost ? entry.requestFields.contentType : entry.response?.fields.contentType
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
    let time = isPost ? start : start + (entry.duration?.wholeMicroseconds ?? 0)
    try checkLimit(adding: packets.count)
    let key = try connection(of: entry, session, query, contract, description)
    for packet in packets {
      do { try add(packet, isFromClient: isPost, time, to: key) } catch { connections[key]?.unread += 1 }
    }
  }

  // MARK: - WebSockets

  private mutating func addFrames(of entry: Exchange, to key: String) throws(Loss) {
    let version = Self.version(Query(of: entry.url))
    let start = Self.start(of: entry)
    for frame in entry.socket?.messages ?? [] {
      try add(frame.content, isFromClient: frame.isFromClient, frame.time ?? start, version, to: key)
    }
    guard let end = entry.socket?.end else { return }
    append(end.code.map { .close(code: $0, reason: end.reason) } ?? .drop, isFromClient: false, end.time, to: key)
  }
}

extension RecordedSockets.Message {
  /// Its texts as JSON, which may have secrets.
  var texts: [[UInt8]] {
    switch content {
    case .packet(let packet): packet.payload.map { [JSONWriter.bytes($0)] } ?? []
    case .message(.text(let text)):
      [(try? JSONParser.parse(Array(text.utf8)).root).map { JSONWriter.bytes($0) } ?? JSONWriter.bytes(.string(text))]
    case .close(_, let reason): [JSONWriter.bytes(.string(reason))]
    case .message(.binary), .drop: []
    }
  }
}
