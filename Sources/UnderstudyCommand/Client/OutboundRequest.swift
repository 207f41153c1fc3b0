import UnderstudySystem
import UnderstudyVerification

/// A request and its answer, shared by tasks and the curl thread.
final class OutboundRequest: Sendable {
  let request: HTTPRequest
  let head: WireHead
  /// The length of the request's body in bytes; `nil` if unknown.
  let length: Int?
  /// `nil` for a request without a body.
  let upload: RequestStream?
  let answer = AnswerStream()
  let deadline: ContinuousClock.Instant?
  /// Moves the body of the request to `upload`.
  private let pump = Lock<Task<Void, Never>?>(nil)

  /// Throws if the request cannot be sent.
  init(_ request: HTTPRequest, _ body: Body, deadline: ContinuousClock.Instant?) throws {
    head = try WireHead(request, hasBody: body.length != 0)
    self.request = request
    self.deadline = deadline
    length = body.length
    upload = body.length == 0 ? nil : RequestStream()
  }

  /// Whether the request is safe (RFC 9110, 9.2.1) and has no body that could be used up.
  var isRepeatable: Bool { upload == nil && [.get, .head, .options].contains(request.method) }

  /// Sends the request, and waits for the head of the answer. The exchange ends early when the task is cancelled or the
  /// body of the answer is released.
  func answer(to body: Body, by loop: CurlLoop) async throws -> (HTTPResponse, Body) {
    if let upload {
      pump.withLock { $0 = Task(executorPreference: loop.bodies) { await self.move(body, to: upload, loop) } }
    }
    loop.send(.start(self))
    let pieces = AnswerPieces(exchange: self, loop: loop)
    let head = try await withTaskCancellationHandler {
      try await answer.head()
    } onCancel: {
      loop.send(.cancel(self))
    }
    return (head, Body(length: head.announcedLength, pieces))
  }

  /// Ends both directions.
  func finish(_ end: Result<Void, UpstreamFailure>) {
    upload?.abandon()
    pump.withLock { $0.take() }?.cancel()
    answer.finish(end)
  }

  private func move(_ body: Body, to upload: RequestStream, _ loop: CurlLoop) async {
    let resume = { loop.send(.resume(self)) }
    do {
      for try await piece in body {
        guard await upload.write(piece, resume: resume) else { return }
      }
      upload.finish(.success(()), resume: resume)
    } catch {
      let failure = error as? UpstreamFailure ?? UpstreamFailure(.unsendable, "the client left")
      upload.finish(.failure(failure), resume: resume)
    }
  }
}

/// The body of an answer. The exchange ends when it is released.
private final class AnswerPieces: AsyncSequence, Sendable {
  private let exchange: OutboundRequest
  private let loop: CurlLoop

  init(exchange: OutboundRequest, loop: CurlLoop) {
    self.exchange = exchange
    self.loop = loop
  }

  deinit { loop.send(.cancel(exchange)) }

  func makeAsyncIterator() -> Iterator { Iterator(pieces: self) }

  struct Iterator: AsyncIteratorProtocol {
    let pieces: AnswerPieces

    func next() async throws -> [UInt8]? {
      let (exchange, loop) = (pieces.exchange, pieces.loop)
      return try await withTaskCancellationHandler {
        try await exchange.answer.next { loop.send(.resume(exchange)) }
      } onCancel: {
        loop.send(.cancel(exchange))
      }
    }
  }
}
