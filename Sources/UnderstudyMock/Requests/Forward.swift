/// A request to the upstream that settles its response; a class, because every reply has a reference to one.
package final class Forward: Sendable {
  /// The head for the upstream; the body is that of the client's request.
  package let request: HTTPRequest
  private let handler: ProxyHandler?
  /// Where the answer is settled.
  private let place: Place?
  /// Answers in place of an upstream, with content that follows in pieces.
  private let own: (@Sendable () async -> Reply)?
  /// Whether the response waits for an event that may never come, so that a client that closes its output counts as gone.
  package let waitsForEvents: Bool

  private init(
    _ request: HTTPRequest, _ handler: ProxyHandler?, _ place: Place?,
    _ own: (@Sendable () async -> Reply)?, waitsForEvents: Bool = false
  ) {
    (self.request, self.handler, self.place, self.own) = (request, handler, place, own)
    self.waitsForEvents = waitsForEvents
  }

  convenience init(request: HTTPRequest, by handler: ProxyHandler) { self.init(request, handler, nil, nil) }

  /// The lane that the request belongs to, and what it does to the response.
  private struct Place {
    let lane: any LaneAccess
    let time: LaneTime
    let outcome: FaultPlan.Outcome
  }

  /// The forward for a lane, with the delay and the fault that `reply` of the lane has for the upstream's response.
  func settled(in lane: any LaneAccess, at time: LaneTime, like reply: Reply) -> Forward {
    let outcome = FaultPlan.Outcome(delay: reply.delay > .zero ? reply.delay : nil, fault: reply.fault)
    return Forward(request, handler, Place(lane: lane, time: time, outcome: outcome), own)
  }

  /// The reply to an answer; `nil` where the budget did not suffice.
  func settle(_ answer: Answer, within budget: WorkBudget) -> Reply? {
    guard let handler, let place else { return .unavailable }
    guard var reply = handler.settled(answer, in: place.lane, at: place.time, budget) else { return nil }
    reply.apply(place.outcome)
    return reply
  }

  /// An answer of the mock itself that takes its time, or whose content follows in pieces.
  package convenience init(
    request: HTTPRequest, waitsForEvents: Bool = false, answering own: @escaping @Sendable () async -> Reply
  ) {
    self.init(request, nil, nil, own, waitsForEvents: waitsForEvents)
  }

  package var needsUpstream: Bool { own == nil }

  package enum Answer: Sendable {
    /// The upstream announced the length of the body, or sent it in chunks.
    case whole(HTTPResponse, body: [UInt8], isChunked: Bool, took: Duration)
    /// The body was not buffered, for a reason.
    case streamed(HTTPResponse, Body, reason: String)
    case passing(HTTPResponse, Body)
    case failed(UpstreamFailure)

    /// The length of the body that has to be read, a measure of the time that takes; unknown for one that is coded.
    fileprivate var size: Int {
      guard case .whole(let response, let body, _, _) = self else { return 0 }
      return body.isEmpty || response.headerFields[.contentEncoding] == nil ? body.count : .max
    }
  }

  /// Computes a reply, with the length of the body that it depends on.
  package typealias Decision = @Sendable (_ bytes: Int, @escaping @Sendable (WorkBudget) -> Reply?) async -> Reply

  /// How long an answer of unknown length may take to be complete, before it is sent on as it arrives: well below what a
  /// person notices, and longer than a server needs between the chunks of a text that it has.
  static let patience: Duration = .milliseconds(25)

  /// Sends the request to the upstream. An answer whose length is known is sent on once it is complete, unless it is too
  /// long to buffer; `decide` runs what it leads to.
  package func reply(
    by transport: Transport, body: Body, decide: Decision = { $1(.unlimited) ?? .unavailable }
  ) async -> Reply {
    if let own { return await own() }
    let answer = await answer(by: transport, body: body)
    return await decide(answer.size) { self.settle(answer, within: $0) }
  }

  private func answer(by transport: Transport, body: Body) async -> Answer {
    let clock = ContinuousClock()
    let start = clock.now
    do {
      let (response, content) = try await transport(request, body)
      let isEndless = request.method != .head && response.isEndless
      guard isEndless || content.length == nil else {
        switch try await content.collected(upTo: Body.bufferLimit) {
        case .whole(let bytes): return .whole(response, body: bytes, isChunked: false, took: clock.now - start)
        case .longer(let body): return .streamed(response, body, reason: Body.tooLong("answer"))
        }
      }
      let relay = BodyRelay(content, limit: Body.bufferLimit)
      if !isEndless, let bytes = try await relay.whole(within: Self.patience) {
        return .whole(response, body: bytes, isChunked: true, took: clock.now - start)
      }
      return .passing(response, Body(length: content.length, relay))
    } catch let failure as UpstreamFailure {
      return .failed(failure)
    } catch {
      return .failed(UpstreamFailure(.closed, "the exchange was cut off"))
    }
  }
}
