import NIOCore
import UnderstudyMock
import UnderstudySockets

/// A WebSocket without a protocol above it: each message is an event.
final class PlainSocket: SocketTransport {
  private let queue: SocketQueue
  private let state: NIOLoopBound<State>

  private final class State {
    let place: SocketService.Place
    let id: Int
    var accept: (() -> Void)?
    var refuse: ((String) -> Void)?
    var channel: (any Channel)?
    var waiting: [WebSocketCommand] = []
    var heartbeat: RepeatedTask?

    init(_ place: SocketService.Place) { (self.place, id) = (place, place.service.hub.newID()) }

    func send(_ command: WebSocketCommand) {
      if let channel { channel.writeAndFlush(command, promise: nil) } else { waiting.append(command) }
    }
  }

  private init(_ state: State, on queue: SocketQueue) {
    self.queue = queue
    self.state = NIOLoopBound(state, eventLoop: queue.loop)
  }

  /// Asks the lane whether a client may connect, and responds to its handshake.
  static func open(
    _ place: SocketService.Place, _ request: ReceivedRequest, _ handler: ConnectionHandler,
    _ context: ChannelHandlerContext
  ) {
    let handshake: WebSocketHandshake
    do throws(WebSocketHandshake.Refusal) {
      handshake = try SocketUpgrade.handshake(request, place)
    } catch {
      place.service.hub.noteRefusal(error.status)
      return handler.answer(request, with: ConnectionHandler.reply(error), context)
    }
    let state = State(place)
    let socket = PlainSocket(state, on: handler.loop.socketQueue)
    state.accept = { [socket] in
      handler.upgrade(handshake, SocketUpgrade.limits(place.description), context) { update in
        socket.queue.execute { socket.receive(update) }
      } opened: { channel in
        socket.opened(channel)
      }
    }
    state.refuse = { message in
      place.service.hub.noteRefusal(403)
      var reply = ConnectionHandler.reply(403, message)
      // The rules of the socket refuse, not the mock.
      (reply.isAboutMock, reply.lane) = (false, place.laneName)
      reply.source = ReplySource(.socket(state.id))
      handler.answer(request, with: reply, context)
      handler.run(context)
      place.service.hub.remove(state.id, isRefused: true)
    }
    let record = handler.socketRecords(of: request, place, status: .switchingProtocols)
    place.service.hub.add(socket, state.id, in: place.lane, record(state.id))
    place.apply(
      .connecting(state.id, description: place.number, namespace: "/", auth: nil, request: place.environment))
  }

  private func opened(_ channel: any Channel) {
    let state = state.value
    state.channel = channel
    for command in state.waiting { channel.writeAndFlush(command, promise: nil) }
    state.waiting = []
    guard let interval = state.place.description.heartbeat else { return }
    state.heartbeat = queue.loop.scheduleRepeatedTask(initialDelay: TimeAmount(interval), delay: TimeAmount(interval)) {
      _ in
      channel.writeAndFlush(WebSocketCommand.ping, promise: nil)
    }
  }

  private func receive(_ update: WebSocketUpdate) {
    let (place, id) = (state.value.place, state.value.id)
    switch update {
    case .message(let message):
      let (name, arguments) = message.event(key: place.description.eventKey)
      place.apply(.event(id, namespace: "/", name: name, arguments, id: 0))
    case .read(let next): next()
    case .ended(let end):
      place.service.hub.noteEnd(end)
      state.value.heartbeat?.cancel()
      place.service.hub.remove(id)
      place.apply(.disconnected(id, namespace: "/"))
    }
  }

  func close(_ reason: String) { queue.execute { [state] in state.value.send(.close(.goingAway, reason)) } }

  func perform(_ action: SocketOutput.Action, in namespace: String) {
    queue.execute { [state] in Self.perform(action, state.value) }
  }

  private static func perform(_ action: SocketOutput.Action, _ state: State) {
    switch action {
    // Each closure holds the connection.
    case .accept:
      state.refuse = nil
      state.accept.take()?()
    case .refuse(let message, _):
      state.accept = nil
      state.refuse.take()?(message)
    case .emit(_, let arguments, let attachments), .acknowledge(_, let arguments, let attachments):
      state.send(.send(WebSocketMessage(arguments, attachments)))
    case .disconnect: state.send(.close(.normal, ""))
    case .close(let code, let reason): state.send(.close(code, reason))
    case .drop: state.send(.drop)
    case .cut(_, let arguments):
      state.send(.transmit(TransmissionPlan(body: WebSocketMessage(arguments).frame.bytes(), .truncate)))
    case .malformed(_, let arguments):
      if let message = WebSocketMessage(arguments).malformed { state.send(.send(message)) }
    case .hold: break
    }
  }
}
