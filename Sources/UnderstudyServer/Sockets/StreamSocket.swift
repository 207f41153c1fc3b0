import Synchronization
import UnderstudyJSON
import UnderstudyMock
import UnderstudySockets

/// A stream of server-sent events or of lines of JSON: the body of a response that the rules of sockets write.
final class StreamSocket: SocketTransport {
  private let id: Int
  private let description: SocketDescription
  private let chunks: AsyncThrowingStream<[UInt8], any Error>.Continuation
  private let lastEvent: Atomic<Int>

  private init(
    _ place: SocketService.Place, _ id: Int, _ chunks: AsyncThrowingStream<[UInt8], any Error>.Continuation
  ) {
    (self.id, self.description, self.chunks) = (id, place.description, chunks)
    let last = place.request.headerFields.first(named: "last-event-id").flatMap { Int($0) } ?? 0
    lastEvent = Atomic(ServerSentEvent.numbers.contains(last) ? last : 0)
  }

  /// The response of an operation as a stream, with the status and the fields of the mock's reply.
  static func forward(_ place: SocketService.Place, _ environment: JSON, reply: Reply) -> Forward {
    Forward(request: place.request, waitsForEvents: true) {
      var reply = reply
      let (chunks, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
      let id = place.service.hub.newID()
      let stream = StreamSocket(place, id, continuation)
      continuation.onTermination = { _ in
        // An output that ends the stream arrives while its lane is locked.
        Task {
          place.service.hub.remove(id)
          place.apply(.disconnected(id, namespace: "/"))
        }
      }
      var response = reply.response
      response.headerFields[.contentLength] = nil
      response.headerFields[.contentType] = place.description.encoder.mediaType
      response.headerFields[.cacheControl] = "no-cache"
      reply.content = .streamed(response, Body(length: nil, chunks))
      // For the journal, which hides the secrets of events by their declarations.
      reply.sockets = .stream(place.number, place.description, environment: .object([]))
      if let retry = place.description.retry, place.description.kind == .sse {
        continuation.yield(ServerSentEvent.retry(retry.wholeMicroseconds / 1000))
      }
      place.service.hub.add(stream, id, in: place.lane)
      place.apply(
        .connecting(
          id, description: place.number, namespace: "/", auth: nil,
          request: environment["request"] ?? place.environment))
      stream.beat()
      return reply
    }
  }

  /// Sends comments, or empty lines, while the stream is open.
  private func beat() {
    guard let interval = description.heartbeat else { return }
    let bytes = description.encoder.heartbeat
    Task { [weak self] in
      while true {
        try await Task.sleep(for: interval)
        guard let self, case .enqueued = chunks.yield(bytes) else { return }
      }
    }
  }

  func close(_ reason: String) { chunks.finish() }

  func perform(_ action: SocketOutput.Action, in namespace: String) {
    switch action {
    case .accept, .hold: break
    case .emit(let event, let arguments, _): chunks.send(bytes(event, arguments))
    case .acknowledge(_, let arguments, _): chunks.send(bytes("message", arguments))
    case .disconnect, .close: chunks.finish()
    case .refuse, .drop: chunks.send([], .close)
    case .cut(let event, let arguments): chunks.send(bytes(event, arguments), .truncate)
    case .malformed(let event, let arguments):
      let text = SocketFault.cut((arguments[0] ?? .null).plainText)
      chunks.send(description.encoder.event(event == "message" ? nil : event, text: text))
    }
  }

  private func bytes(_ event: String, _ arguments: JSONValue) -> [UInt8] {
    let id = description.hasIDs ? String(lastEvent.add(1, ordering: .relaxed).newValue) : nil
    return description.encoder.event(event == "message" ? nil : event, arguments[0] ?? .null, id: id)
  }
}
