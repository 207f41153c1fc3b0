/// The answer to a request.
struct LiveAnswer: Sendable {
  var response: HTTPResponse
  var body: [UInt8]
  /// Why the body was not read; `nil` when it was.
  var unread: String?
  /// Whether the body did not end in time, or was too long.
  var isEndless = false
  /// A defect of the message itself, such as an end before its announced length.
  var defect: String?
  var duration: Duration

  var status: Int { response.status.code }
}

/// Sends requests one by one, and reads answers up to a limit.
struct LiveClient: Sendable {
  let transport: Transport

  func send(_ wire: WireRequest) async throws(UpstreamFailure) -> LiveAnswer {
    let start = ContinuousClock.now
    do {
      let (response, body) = try await transport(wire.request, Body(wire.body))
      // A stream of events may never end.
      if response.isEndless {
        return LiveAnswer(
          response: response, body: [], unread: "a stream of events", duration: start.duration(to: .now))
      }
      var answer = LiveAnswer(response: response, body: [], duration: start.duration(to: .now))
      do {
        switch try await body.collected(upTo: LiveSettings.bodyLimit) {
        case .whole(let bytes): answer.body = bytes
        case .longer:
          answer.unread = "a body of more than \(LiveSettings.bodyLimit) bytes"
          answer.isEndless = true
        }
      } catch let failure as UpstreamFailure where failure.kind == .timeout {
        answer.unread = "a body that did not end within the time limit"
        answer.isEndless = true
      } catch let failure as UpstreamFailure {
        answer.unread = "a body that ended early"
        answer.defect = failure.message
      }
      answer.duration = start.duration(to: .now)
      return answer
    } catch let failure as UpstreamFailure {
      throw failure
    } catch {
      throw UpstreamFailure(.closed, "\(error)")
    }
  }
}

extension ExchangeContent {
  /// An answer alone: what the run itself sends is not a secret of the server.
  init(_ answer: LiveAnswer, _ operation: Operation? = nil) {
    self.init(
      HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"), response: answer.response,
      responseBody: answer.body, operation: operation)
  }
}
