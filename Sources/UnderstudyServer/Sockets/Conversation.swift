import NIOCore
import Synchronization
import UnderstudyJSON
import UnderstudyMock
import UnderstudySockets

enum Ticket {
  private static let last = Atomic(0)

  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

/// Performs the actions of a session of Engine.IO and of its Socket.IO, on one loop.
final class Conversation {
  let id = EngineRegistry.newID()
  let socket: Int
  let place: SocketService.Place
  private let registry: EngineRegistry
  private let version: EngineVersion
  private let queue: SocketQueue
  private var engine: EngineSession
  /// `nil` for Engine.IO without Socket.IO.
  private var sockets: SocketSession?
  private var answers: [Int: EngineEndpoint.Answer] = [:]
  private var channels: [Int: any Channel] = [:]
  private var timer: Scheduled<Void>?
  private var timerDue: Duration?
  private var isRunning = false
  private var isOver = false

  init(
    _ place: SocketService.Place, _ version: EngineVersion, _ registry: EngineRegistry, on queue: SocketQueue,
    answer: EngineEndpoint.Answer?, channel: (any Channel)?
  ) {
    (self.place, self.registry, self.version, self.queue) = (place, registry, version, queue)
    socket = place.service.hub.newID()
    answers[EngineEndpoint.first] = answer
    channels[EngineEndpoint.first] = channel
    let now = Self.now
    engine = EngineSession(
      id: id, version, answer == nil ? .websocket : .polling, first: EngineEndpoint.first, place.description.engine,
      acceptsBinary: place.query["b64"] == nil, losesHeartbeat: { place.takeFault { $0 == .noPong } != nil }, at: now)
    if place.description.kind == .socketio {
      sockets = SocketSession(
        version, engineID: id, connectTimeout: place.description.connectTimeout, at: now)
    }
  }

  /// Begins once outputs of the mock arrive here.
  func begin() {
    if sockets == nil { connect("/", auth: nil) }
    run()
  }

  static var now: Duration { .nanoseconds(Int64(NIODeadline.now().uptimeNanoseconds)) }

  // MARK: - Events

  func poll(_ ticket: Int, at now: Duration, _ answer: @escaping EngineEndpoint.Answer) {
    answers[ticket] = answer
    engine.poll(ticket, at: now)
  }

  func post(
    _ ticket: Int, _ body: [UInt8], _ isBinary: Bool, at now: Duration, _ answer: @escaping EngineEndpoint.Answer
  ) {
    answers[ticket] = answer
    engine.post(ticket, body, isBinary: isBinary, at: now)
  }

  func abandon(_ ticket: Int) {
    answers[ticket] = nil
    engine.abandon(ticket)
  }

  func attach(_ ticket: Int, _ channel: any Channel) {
    guard !isOver else {
      return channel.writeAndFlush(WebSocketCommand.close(.policy, "unknown session"), promise: nil)
    }
    channels[ticket] = channel
    engine.openWebSocket(ticket, at: Self.now)
  }

  func receive(_ update: WebSocketUpdate, on ticket: Int, at now: Duration) {
    switch update {
    case .message(let message):
      if delays(message, on: ticket) { return }
      engine.receive(message, on: ticket, at: now)
    case .read(let next): next()
    case .ended(let end):
      place.service.hub.noteEnd(end)
      channels[ticket] = nil
      engine.webSocketClosed(ticket)
    }
  }

  func close() { engine.close(.goingAway) }

  /// Whether a fault of the lane delays a message, which is a probe.
  private func delays(_ message: WebSocketMessage, on ticket: Int) -> Bool {
    guard case .text("2probe") = message else { return false }
    let fault = place.takeFault { if case .lateProbe = $0 { true } else { false } }
    guard case .lateProbe(let time)? = fault else { return false }
    queue.loop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [self] in
      engine.receive(message, on: ticket, at: Self.now)
      run()
    }
    return true
  }

  // MARK: - The mock

  func perform(_ action: SocketOutput.Action, in namespace: String) {
    switch action {
    case .accept: sockets?.accept(namespace, id: EngineRegistry.newID())
    case .refuse(let message, let data):
      if sockets == nil { return engine.close(.policy) }
      sockets?.refuse(namespace, message: message, data: data)
    case .emit(let event, let arguments, let attachments):
      if sockets == nil {
        engine.send([WebSocketMessage(arguments, attachments)])
      } else {
        sockets?.emit(event, arguments, attachments: attachments, to: namespace)
      }
    case .acknowledge(let id, let arguments, let attachments):
      sockets?.acknowledge(id, arguments, attachments: attachments, to: namespace)
    case .disconnect:
      if sockets == nil { engine.close() } else { sockets?.disconnect(namespace) }
    case .close(let code, _): engine.close(code)
    case .drop:
      for channel in channels.values { channel.writeAndFlush(WebSocketCommand.drop, promise: nil) }
      engine.close()
    case .cut(let event, let arguments): sockets?.emit(event, arguments, to: namespace)
    case .malformed(let event, let arguments): sendPart(of: event, arguments, to: namespace)
    case .hold: break
    }
  }

  private func sendPart(of event: String, _ arguments: JSONValue, to namespace: String) {
    let packet = SocketPacket(arguments, attachments: [], event: event, namespace: namespace, id: nil)
    let message = sockets == nil ? WebSocketMessage(arguments) : packet.encoded.first
    if let malformed = message?.malformed { engine.send([malformed]) }
  }

  // MARK: - Actions

  func run() {
    guard !isRunning else { return }
    isRunning = true
    performSockets()
    while let action = engine.nextAction() {
      perform(action)
      // What a message brings precedes what follows it, such as the end of the session.
      performSockets()
    }
    if isOver { answerRest() }
    isRunning = false
    schedule()
  }

  private func performSockets() { while let action = sockets?.nextAction() { perform(action) } }

  private func perform(_ action: EngineSession.Action) {
    switch action {
    case .respond(let ticket, let response):
      if response.status >= 400 { place.service.hub.noteRefusal(response.status) }
      answers.removeValue(forKey: ticket)?(response)
    case .write(let ticket, let message):
      channels[ticket]?.writeAndFlush(WebSocketCommand.send(message), promise: nil)
    case .closeWebSocket(let ticket, let code):
      channels.removeValue(forKey: ticket)?.writeAndFlush(WebSocketCommand.close(code, ""), promise: nil)
    case .message(let message):
      if sockets == nil { receive(message) } else { sockets?.receive(message) }
    case .upgraded: break
    case .closed: end()
    }
  }

  private func perform(_ action: SocketSession.Action) {
    switch action {
    case .send(let messages): engine.send(messages)
    case .connecting(let namespace, let auth): connect(namespace, auth: auth)
    case .event(let namespace, let name, let arguments, let id):
      place.apply(.event(socket, namespace: namespace, name: name, arguments, id: id))
    case .acknowledged(let namespace, let id, let arguments):
      place.service.hub.acknowledged(socket, id, arguments, in: namespace)
    case .disconnected(let namespace): place.apply(.disconnected(socket, namespace: namespace))
    case .close: engine.close(.protocolError)
    }
  }

  private func connect(_ namespace: String, auth: JSON?) {
    place.apply(
      .connecting(
        socket, description: place.number, namespace: namespace, auth: auth, request: place.environment))
  }

  /// A message without Socket.IO is an event `message`.
  private func receive(_ message: WebSocketMessage) {
    let (name, arguments) = message.event(key: nil)
    place.apply(.event(socket, namespace: "/", name: name, arguments, id: nil))
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    registry.remove(id)
    if sockets == nil { place.apply(.disconnected(socket, namespace: "/")) }
    sockets?.closed()
    place.service.hub.remove(socket)
  }

  /// Answers what the session has left without a response, once it has given all of its own.
  private func answerRest() {
    for answer in answers.values { answer(EngineRefusal.unknownSession.response) }
    answers = [:]
  }

  private func schedule() {
    guard let due = deadline else { return }
    // Each message moves the deadline, and a loop searches all of its timers to cancel one: a timer that comes too early asks
    // again.
    if let timerDue, timerDue <= due { return }
    timer?.cancel()
    timerDue = due
    timer = queue.loop.assumeIsolated().scheduleTask(in: TimeAmount(max(.zero, due - Self.now))) { [self] in
      timerDue = nil
      let conversation = NIOLoopBound(self, eventLoop: queue.loop)
      // After what has arrived, such as the pong without which the session would end.
      queue.execute { conversation.value.advance(to: max(due, Self.now)) }
    }
  }

  private func advance(to now: Duration) {
    guard let deadline else { return }
    guard deadline <= now else { return schedule() }
    engine.advance(to: now)
    sockets?.advance(to: now)
    run()
  }

  /// When something is due by itself.
  private var deadline: Duration? { isOver ? nil : [engine.deadline, sockets?.deadline].compactMap(\.self).min() }
}
