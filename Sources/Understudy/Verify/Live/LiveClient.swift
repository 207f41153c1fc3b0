/// The answer to a request.
struct LiveAnswer: Sendable {
  var response: HTTPResponse
  var body: [UInt8]
  /// Why the body was not read; `nil` when it was.
  var unread: String?
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
      if Forward.isEndless(response) {
        return LiveAnswer(
          response: response, body: [], unread: "a stream of events", duration: start.duration(to: .now))
      }
      let collected = try await body.collected(upTo: LiveSettings.bodyLimit)
      var answer = LiveAnswer(response: response, body: [], duration: start.duration(to: .now))
      switch collected {
      case .whole(let bytes): answer.body = bytes
      // A download may be long, other answers may not.
      case .longer where response.headerFields[.contentType].flatMap({ MediaRange($0) })?.syntax == .binary:
        answer.unread = "a body of more than \(LiveSettings.bodyLimit) bytes"
      case .longer:
        throw UpstreamFailure(.malformed, "the answer is longer than the limit of \(LiveSettings.bodyLimit) bytes")
      }
      return answer
    } catch let failure as UpstreamFailure {
      throw failure
    } catch {
      throw UpstreamFailure(.closed, "\(error)")
    }
  }
}
