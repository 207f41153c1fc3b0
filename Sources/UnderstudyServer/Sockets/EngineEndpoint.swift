import NIOCore
import UnderstudyMock
import UnderstudySockets

/// A session of Engine.IO with its requests and WebSockets, and Socket.IO on it, all on the loop of its first request:
/// other loops post to it, so that everything keeps its order.
final class EngineEndpoint: SocketTransport {
  /// Sends the response to a request of the polling transport, on any loop.
  typealias Answer = @Sendable (EngineResponse) -> Void

  /// The lane that its requests have to name.
  let lane: any LaneAccess
  private let queue: SocketQueue
  private let state: NIOLoopBound<Conversation>

  /// Opens a session, on the loop of the request; `answer` is `nil` where a WebSocket opens it, which `attach` follows.
  init(
    _ place: SocketService.Place, _ version: EngineVersion, _ registry: EngineRegistry, on queue: SocketQueue,
    answer: Answer?, channel: (any Channel)?, record: SocketRecord.Maker
  ) {
    self.queue = queue
    lane = place.lane
    let conversation = Conversation(place, version, registry, on: queue, answer: answer, channel: channel)
    state = NIOLoopBound(conversation, eventLoop: queue.loop)
    registry.add(self, conversation.id)
    place.service.hub.add(self, conversation.socket, in: place.lane, record(conversation.socket))
    conversation.begin()
  }

  private func post(_ body: @escaping @Sendable (Conversation) -> Void) {
    queue.execute { [state] in
      body(state.value)
      state.value.run()
    }
  }

  /// Answers a GET of the polling transport; returns a function to call if the client leaves.
  func poll(_ answer: @escaping Answer) -> @Sendable () -> Void {
    let ticket = Ticket.next()
    let now = Conversation.now
    post { $0.poll(ticket, at: now, answer) }
    return { [weak self] in self?.post { $0.abandon(ticket) } }
  }

  func post(_ body: [UInt8], isBinary: Bool, _ answer: @escaping Answer) {
    let ticket = Ticket.next()
    let now = Conversation.now
    post { $0.post(ticket, body, isBinary, at: now, answer) }
  }

  func attach(_ channel: any Channel, _ ticket: Int) { post { $0.attach(ticket, channel) } }

  func receive(_ update: WebSocketUpdate, on ticket: Int) {
    // A pong that arrives in time counts, however late it is handled.
    let now = Conversation.now
    post { $0.receive(update, on: ticket, at: now) }
  }

  /// The number of the WebSocket that opened a session.
  static let first = 0

  func perform(_ action: SocketOutput.Action, in namespace: String) { post { $0.perform(action, in: namespace) } }

  func close(_ reason: String) { post { $0.close() } }
}
