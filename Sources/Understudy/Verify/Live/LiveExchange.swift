import HTTPTypes

/// What came back for a request.
struct LiveAnswer: Sendable {
  var response: HTTPResponse
  /// Empty where it was longer than what is read.
  var body: [UInt8]
  var isTooLong = false
  var duration: Duration

  var status: Int { response.status.code }
}

/// Sends requests one by one, and reads answers up to a limit.
struct LiveExchange: Sendable {
  let transport: Transport

  func send(_ wire: WireRequest) async throws(UpstreamFailure) -> LiveAnswer {
    let start = ContinuousClock.now
    do {
      let (response, body) = try await transport(wire.request, Body(wire.body))
      let collected = try await body.collected(upTo: LiveSettings.bodyLimit)
      let duration = start.duration(to: .now)
      switch collected {
      case .whole(let bytes): return LiveAnswer(response: response, body: bytes, duration: duration)
      case .longer: return LiveAnswer(response: response, body: [], isTooLong: true, duration: duration)
      }
    } catch let failure as UpstreamFailure {
      throw failure
    } catch {
      throw UpstreamFailure(.closed, "\(error)")
    }
  }
}
