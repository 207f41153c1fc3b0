import HTTPTypes
import Synchronization
import UnderstudySockets
import UnderstudySystem

/// Sends callbacks and webhooks: a bounded number at a time, each a bounded number of times.
package final class CallbackSender: Sendable {
  package struct Settings: Sendable {
    /// Makes the transport on first use; throws where the program has none.
    package var transport: @Sendable () throws -> Transport
    package var pause: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    /// Gets each attempt.
    package var report: @Sendable (ServedRequest) -> Void
    /// Gets a line about callbacks that are not sent.
    package var warn: @Sendable (String) -> Void

    package init(
      transport: @escaping @Sendable () throws -> Transport,
      report: @escaping @Sendable (ServedRequest) -> Void, warn: @escaping @Sendable (String) -> Void
    ) {
      (self.transport, self.report, self.warn) = (transport, report, warn)
    }
  }

  /// The maximum number of callbacks that are being sent.
  package static let runningLimit = 16
  /// The maximum number of callbacks that wait to be sent; further ones are dropped, and counted in the log.
  package static let waitingLimit = 1_000
  /// The maximum number of attempts for a receiver that fails.
  package static let attemptLimit = 4
  /// The pause before the second attempt; each later pause is twice as long.
  package static let firstPause = Duration.milliseconds(500)

  private struct State {
    var settings: Settings?
    var waiting: [(order: CallbackOrder, lane: String?)] = []
    /// The index of the next order in `waiting`.
    var next = 0
    var running = 0
    var dropped = 0
    var isClosed = false
  }

  private let state = Lock(State())
  private let count = Atomic(0)

  package init() {}

  /// Sets how requests are sent; before, nothing is.
  package func use(_ settings: Settings) { state.withLock { $0.settings = settings } }

  package var isReady: Bool { state.withLock { $0.settings != nil && !$0.isClosed } }

  /// Drops what waits: the server is about to stop.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      (state.waiting, state.next) = ([], 0)
    }
  }

  /// Sends callbacks after a response of a lane, without waiting for them.
  package func send(_ orders: [CallbackOrder], in lane: String?) {
    for order in orders { enqueue(order, lane) }
  }

  private func enqueue(_ order: CallbackOrder, _ lane: String?) {
    let (starts, warning) = state.withLock { state -> (Bool, (Int, Settings)?) in
      guard let settings = state.settings, !state.isClosed else { return (false, nil) }
      guard state.waiting.count - state.next < Self.waitingLimit else {
        state.dropped += 1
        return (false, Self.isPowerOfTen(state.dropped) ? (state.dropped, settings) : nil)
      }
      state.waiting.append((order, lane))
      guard state.running < Self.runningLimit else { return (false, nil) }
      state.running += 1
      return (true, nil)
    }
    if let (dropped, settings) = warning {
      settings.warn(
        "\(dropped.counted("callback")) not sent, the last of them `\(order.operation.name)`: \(Self.waitingLimit) wait "
          + "already\n  help: let the receiver respond faster, or cause fewer of them at a time\n")
    }
    if starts { Task.detached { await self.work() } }
  }

  /// The first, the tenth, the hundredth ... is a line of the log.
  private static func isPowerOfTen(_ number: Int) -> Bool {
    var rest = number
    while rest > 1, rest % 10 == 0 { rest /= 10 }
    return rest == 1
  }

  private func work() async {
    while let (order, lane, settings) = nextOrder() { _ = await perform(order, in: lane, settings) }
  }

  private func nextOrder() -> (CallbackOrder, String?, Settings)? {
    state.withLock { state in
      guard state.next < state.waiting.count, let settings = state.settings, !state.isClosed else {
        state.running -= 1
        return nil
      }
      let (order, lane) = state.waiting[state.next]
      state.next += 1
      if state.next > Self.waitingLimit || state.next == state.waiting.count {
        state.waiting.removeFirst(state.next)
        state.next = 0
      }
      return (order, lane, settings)
    }
  }

  // MARK: - One callback

  /// Sends a callback, and returns its attempts; throws where the URL is not allowed, or the program cannot send.
  package func send(_ order: CallbackOrder, in lane: String?) async throws(TextProblem) -> [ServedRequest] {
    guard let settings = state.withLock({ $0.isClosed ? nil : $0.settings }) else {
      throw TextProblem(
        .limit, "this mock sends no requests", at: 0..<0, help: "`understudy serve` does, unless it records")
    }
    _ = try CallbackTarget(order.url, allowing: order.operation.settings.hosts)
    return await perform(order, in: lane, settings)
  }

  private func perform(_ order: CallbackOrder, in lane: String?, _ settings: Settings) async -> [ServedRequest] {
    let target: CallbackTarget
    do throws(TextProblem) {
      target = try CallbackTarget(order.url, allowing: order.operation.settings.hosts)
    } catch {
      let finding = Diagnostic(.callbackTarget, "nothing is sent: \(error.message)", help: error.help)
      let exchange = unsent(order, finding, lane)
      settings.report(exchange)
      return [exchange]
    }
    let attempt = CallbackAttempt(
      order, to: target, in: lane, settings, number: count.add(1, ordering: .relaxed).newValue)
    var attempts: [ServedRequest] = []
    var pause = Self.firstPause
    for number in 1...Self.attemptLimit {
      if number > 1 {
        let time = order.operation.settings.speed.scaled(pause)
        if time > .zero { await settings.pause(time) }
        pause *= 2
      }
      if state.withLock(\.isClosed) { break }
      let (exchange, isFinal) = await attempt.send(number)
      attempts.append(exchange)
      settings.report(exchange)
      if isFinal { break }
    }
    return attempts
  }

  private func unsent(_ order: CallbackOrder, _ finding: Diagnostic, _ lane: String?) -> ServedRequest {
    let operation = order.operation.operation
    let reference = URIReference(order.url)
    let request = HTTPRequest(
      method: .init(operation.compiled.operation.method) ?? .post, scheme: "http",
      authority: reference.authority.map { VisibleText.shortened($0, to: 100) } ?? "",
      path: VisibleText.shortened(reference.path.isEmpty ? "/" : reference.path, to: 200))
    var reply = Reply(
      .made(HTTPResponse(status: .badGateway), body: []), operation: operation,
      source: ReplySource(.receiver("\(order.operation.name) \(order.reason), not sent")),
      diagnostics: [operation.options.weighed(finding)].compactMap(\.self))
    reply.lane = lane
    return ServedRequest(
      startedAt: Timestamp.microseconds(), microseconds: 0, request: SharedRequest(request), body: [], reply: reply,
      status: nil)
  }
}
