import NIOCore

/// The receiving side of a connection: assembles requests, which methods return, and limits them (RFC 9112, 2 to 7).
struct RequestInput {
  enum Phase {
    /// Between requests, or within the head of one.
    case head
    case body
    /// Within a body that is passed on in chunks.
    case longBody
    case ended
  }

  private(set) var phase = Phase.head
  /// Decoded parts were received, and more of the same read may follow.
  private(set) var isReading = false
  /// The client waits for `100 Continue` before it sends the body (RFC 9110, 10.1.1).
  var owesContinue = false
  /// The reader of a long body accepts further chunks.
  var readerKeepsUp = true
  private(set) var ignoredReads = 0

  private let configuration: ServerConfiguration
  private var request = ReceivedRequest()
  /// The longest body that is held, if longer ones are passed on; `nil` if they are refused.
  private var longLimit: Int?
  /// The part of a long body that was not passed to its reader yet.
  private var chunks: [UInt8] = []
  private var completesBody: Bool?
  /// The progress of the body; `nil` until a second read is needed.
  private var pace: BodyPace?
  private var timer = TimerState()
  private var timeout: (limit: Duration, refusal: Refusal) = (.zero, .headTimeout)

  init(_ configuration: ServerConfiguration) { self.configuration = configuration }

  // MARK: - Requests

  mutating func receive(_ head: RequestHead, longLimit: Int?, at start: NIODeadline?) -> ReceivedRequest? {
    guard phase == .head else { return nil }
    isReading = true
    timer.stop()
    pace = nil
    self.longLimit = longLimit
    request = ReceivedRequest(head: head, refusal: head.refusal, start: start)
    if longLimit == nil, head.contentLength ?? 0 > configuration.maximumBodyBytes {
      request.refusal = request.refusal ?? .bodyTooLarge
    }
    phase = .body
    guard request.refusal == nil else { return complete() }
    if head.announcesBody {
      // A client may announce any length, so it does not determine the reserved memory.
      request.body.reserveCapacity(min(head.contentLength ?? 0, 64 * 1024))
      owesContinue = head.expectsContinue
    }
    return nil
  }

  mutating func receive(_ bytes: ByteBuffer) -> ReceivedRequest? {
    guard phase == .body || phase == .longBody else { return nil }
    isReading = true
    owesContinue = false
    pace?.bytes += bytes.readableBytes
    if phase == .longBody {
      bytes.withUnsafeReadableBytes { chunks.append(contentsOf: $0) }
      return nil
    }
    if longLimit == nil, request.body.count + bytes.readableBytes > configuration.maximumBodyBytes {
      return refuse(.bodyTooLarge)
    }
    // In place, since copying the body for every chunk would take quadratic time.
    bytes.withUnsafeReadableBytes { request.body.append(contentsOf: $0) }
    return nil
  }

  mutating func receiveEnd() -> ReceivedRequest? {
    switch phase {
    case .head, .ended:
      return nil
    case .body:
      isReading = true
      return complete()
    case .longBody:
      isReading = true
      completesBody = true
      _ = complete()
      return nil
    }
  }

  /// Refuses the current request. The rest of the input is ignored.
  mutating func refuse(_ refusal: Refusal, head: RequestHead? = nil) -> ReceivedRequest {
    request.head = request.head ?? head
    request.refusal = refusal
    return complete()
  }

  private mutating func complete() -> ReceivedRequest {
    timer.stop()
    owesContinue = false
    // Requests after one that closes the connection are not answered (RFC 9112, 9.6).
    phase = request.closes ? .ended : .head
    var completed = ReceivedRequest()
    swap(&completed, &request)
    completed.isLong = isTooLong(completed)
    return completed
  }

  mutating func end() {
    if phase == .longBody { completesBody = false }
    phase = .ended
    chunks = []
    owesContinue = false
    timer.stop()
    request = ReceivedRequest()
  }

  // MARK: - Long bodies

  private func isTooLong(_ request: ReceivedRequest) -> Bool {
    if let longLimit { request.body.count > longLimit } else { false }
  }

  /// The request whose body has become too long to be held. The body is then passed on in chunks.
  mutating func takeLong() -> ReceivedRequest? {
    guard phase == .body, isTooLong(request) else { return nil }
    phase = .longBody
    swap(&chunks, &request.body)
    var long = request
    long.isLong = true
    return long
  }

  mutating func nextAction() -> ConnectionAction? {
    if let action = timer.nextAction(for: .input) { return action }
    if !chunks.isEmpty {
      defer { chunks = [] }
      return .pass(chunks)
    }
    return completesBody.take().map { .endBody(isComplete: $0) }
  }

  // MARK: - Reads and time limits

  /// - Parameter isBetweenRequests: Whether the last bytes were the end of a request.
  mutating func readComplete(isBetweenRequests: @autoclosure () -> Bool, now: @autoclosure () -> NIODeadline) {
    switch phase {
    case .head:
      // Bytes that belong to no decoded part are the beginning of a head.
      if !timer.isRunning && !(isReading && isBetweenRequests()) {
        expectInput(within: configuration.headTimeout, orRefuse: .headTimeout)
      }
    case .body, .longBody:
      if isReading { expectBody(now: now()) }
    case .ended:
      ignoredReads += 1
    }
    isReading = false
  }

  mutating func inputClosed() { isReading = false }

  /// The server pauses reading, which does not count as a delay of the client.
  mutating func pause() { pace = nil }

  /// Returns why the request is refused for being late, unless reading is paused.
  mutating func timerFired(isPaused: Bool) -> Refusal? {
    guard timer.fire() else { return nil }
    guard isPaused else { return timeout.refusal }
    timer.start(timeout.limit)
    return nil
  }

  /// The client has begun a request and not completed it.
  var awaitsInput: Bool { timer.isRunning }

  private mutating func expectInput(within limit: Duration, orRefuse refusal: Refusal) {
    timeout = (limit, refusal)
    timer.start(limit)
  }

  /// Limits the time for the next chunk, and for all chunks by the minimum rate.
  private mutating func expectBody(now: NIODeadline) {
    let pace = pace ?? BodyPace(start: now)
    self.pace = pace
    let left = configuration.bodyTimeout + pace.time(at: configuration.minimumBodyRate) - pace.spent(until: now)
    let isSlow = left < configuration.bodyTimeout && pace.bytes > 0
    expectInput(within: max(.zero, min(left, configuration.bodyTimeout)), orRefuse: isSlow ? .slowBody : .bodyTimeout)
  }
}

private struct BodyPace {
  let start: NIODeadline
  var bytes = 0

  /// The time for these bytes at a rate in bytes a second.
  func time(at rate: Int) -> Duration { .seconds(Double(bytes) / Double(max(1, rate))) }

  func spent(until now: NIODeadline) -> Duration { .nanoseconds((now - start).nanoseconds) }
}
