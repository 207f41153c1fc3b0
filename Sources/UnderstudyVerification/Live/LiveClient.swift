/// Sends requests one by one, and reads responses up to a limit.
struct LiveClient: Sendable {
  let transport: Transport
  let recorder: LedgerRecorder

  func send(
    _ call: LiveCall, of subject: LiveOperation, as kind: Ledger.Kind? = nil, after bases: [Ledger.Base] = []
  ) async throws(UpstreamFailure) -> Exchange.Response {
    try await send(call.wire, LedgerPurpose(call, of: subject, as: kind, after: bases))
  }

  func send(_ wire: WireRequest, _ purpose: LedgerPurpose) async throws(UpstreamFailure) -> Exchange.Response {
    let startedAt = Timestamp.microseconds()
    let start = ContinuousClock.now
    do throws(UpstreamFailure) {
      let response = try await send(wire)
      recorder.record(wire, purpose, .response(response), startedAt: startedAt)
      return response
    } catch {
      recorder.record(wire, purpose, .missing(error.message, after: start.duration(to: .now)), startedAt: startedAt)
      throw error
    }
  }

  private func send(_ wire: WireRequest) async throws(UpstreamFailure) -> Exchange.Response {
    let start = ContinuousClock.now
    do {
      let (response, body) = try await transport(wire.request, Body(wire.body))
      // A stream of events may never end.
      if response.isEndless {
        return Exchange.Response(response, body: .unknown("a stream of events"), duration: start.duration(to: .now))
      }
      var answer = Exchange.Response(response)
      do {
        switch try await body.collected(upTo: LiveSettings.bodyLimit) {
        case .whole(let bytes): answer.body = .coded(bytes)
        case .longer:
          answer.body = .unknown("a body of more than \(LiveSettings.bodyLimit) bytes")
          answer.isEndless = true
        }
      } catch let failure as UpstreamFailure where failure.kind == .timeout {
        answer.body = .unknown("a body that did not end within the time limit")
        answer.isEndless = true
      } catch let failure as UpstreamFailure {
        answer.body = .unknown("a body that ended early")
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
