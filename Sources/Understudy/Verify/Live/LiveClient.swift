/// What came back for a request.
struct LiveAnswer: Sendable {
  var response: HTTPResponse
  var body: [UInt8]
  /// Why the body was not read, in a clause; `nil` when it was.
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
      guard !Forward.isEndless(response) else {
        return LiveAnswer(
          response: response, body: [], unread: "a stream of events", duration: start.duration(to: .now))
      }
      let collected = try await body.collected(upTo: LiveSettings.bodyLimit)
      let duration = start.duration(to: .now)
      switch collected {
      case .whole(let bytes): return LiveAnswer(response: response, body: bytes, duration: duration)
      case .longer:
        let type = response.headerFields[.contentType].flatMap { MediaRange($0) }
        // A download may be long; an answer that is to be read may not.
        guard type?.syntax == .binary else {
          throw UpstreamFailure(
            .malformed, "its answer is longer than \(LiveSettings.bodyLimit) bytes, the most that is read")
        }
        return LiveAnswer(
          response: response, body: [], unread: "a body of more than \(LiveSettings.bodyLimit) bytes",
          duration: duration)
      }
    } catch let failure as UpstreamFailure {
      throw failure
    } catch {
      throw UpstreamFailure(.closed, "\(error)")
    }
  }
}
