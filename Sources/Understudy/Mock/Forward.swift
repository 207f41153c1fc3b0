/// A request to the upstream with a function that makes the reply of its answer, for a server that has a `Transport`.
package struct Forward: Sendable {
  /// The head for the upstream; the body is that of the client's request.
  package let request: HTTPRequest
  let settle: @Sendable (Answer) -> Reply

  package init(request: HTTPRequest, settle: @escaping @Sendable (Answer) -> Reply) {
    self.request = request
    self.settle = settle
  }

  /// The outcome of the request.
  package enum Answer: Sendable {
    case whole(HTTPResponse, body: [UInt8], took: Duration)
    /// The body was not buffered, for a reason.
    case streamed(HTTPResponse, Body, reason: String)
    case failed(UpstreamFailure)
  }

  /// The longest body that is buffered and validated, in bytes; a longer one passes through unvalidated.
  package static let bufferLimit = 1024 * 1024

  /// Sends the request to the upstream. Its answer is sent on only once it is complete, unless it is too long to buffer.
  package func reply(by transport: Transport, body: Body) async -> Reply {
    let clock = ContinuousClock()
    let start = clock.now
    do {
      let (response, content) = try await transport(request, body)
      if Self.isEndless(response) {
        return settle(.streamed(response, content, reason: "the answer is a stream of events, passed on unread"))
      }
      switch try await content.collected(upTo: Self.bufferLimit) {
      case .whole(let bytes): return settle(.whole(response, body: bytes, took: clock.now - start))
      case .longer(let body): return settle(.streamed(response, body, reason: Self.tooLong("answer")))
      }
    } catch let failure as UpstreamFailure {
      return settle(.failed(failure))
    } catch {
      return settle(.failed(UpstreamFailure(.closed, "\(error)")))
    }
  }

  /// Why a body was not validated.
  static func tooLong(_ side: String) -> String {
    "the \(side)'s body is longer than \(bufferLimit) bytes and was passed on unread"
  }

  static func isEndless(_ response: HTTPResponse) -> Bool {
    response.headerFields[.contentType].flatMap { MediaRange($0) }?.syntax == .eventStream
  }
}
