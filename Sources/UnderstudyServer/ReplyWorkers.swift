import NIOCore
import NIOPosix
import Understudy

/// Computes replies: on an event loop within a limit, else on another thread, so that no request delays those of other
/// clients.
///
/// The limit counts work, not time. A reply that exceeds it is computed again, as far as the limit of the mock allows.
final class ReplyWorkers: Sendable {
  private let running = RunningCount()

  /// The work for one reply on an event loop, in units of `WorkLimit`: a few milliseconds.
  static let loopLimit = 50_000
  /// In bytes. Reading a longer body takes milliseconds with any schema.
  static let loopBodyLimit = 256 * 1024

  /// The reply, if it is found within the limits of an event loop.
  ///
  /// - Parameter bytes: The length of the body that it depends on.
  func quick(_ bytes: Int, _ compute: () -> Reply) -> Reply? {
    guard bytes <= Self.loopBodyLimit else { return nil }
    let (reply, sufficed) = WorkLimit.run(Self.loopLimit, compute)
    return sufficed ? reply : nil
  }

  /// Computes a reply on another thread.
  func slow(_ compute: @escaping @Sendable () -> Reply, then use: @escaping @Sendable (Reply) -> Void) {
    running.begin()
    NIOThreadPool.singleton.submit { [running] _ in
      use(compute())
      running.end()
    }
  }

  /// The reply, on the current thread or on another one.
  func reply(_ bytes: Int, _ compute: @escaping @Sendable () -> Reply) async -> Reply {
    if let reply = quick(bytes, compute) { return reply }
    return await withCheckedContinuation { continuation in slow(compute) { continuation.resume(returning: $0) } }
  }

  /// Waits until no reply is being computed.
  func finish() async { await running.untilZero() }

  var isBusy: Bool { !running.isZero }
}

/// Asks the responder for the reply to a request.
struct ReplyComputation: Sendable {
  private let head: HTTPRequest?
  private let body: [UInt8]
  private let isLong: Bool
  private let refusal: Refusal?
  private let responder: @Sendable (HTTPRequest, [UInt8]) -> Reply
  private let long: Responder.Long?
  private let configuration: ServerConfiguration

  init(_ request: ReceivedRequest, _ loop: LoopState, _ configuration: ServerConfiguration) {
    head = request.head?.request
    body = request.body
    isLong = request.isLong
    refusal = request.refusal
    responder = loop.reply
    long = loop.long
    self.configuration = configuration
  }

  func reply() -> Reply {
    guard refusal == nil, let head else { return (refusal ?? .malformed).reply(configuration) }
    guard isLong else { return responder(head, body) }
    // Meanwhile the responder may have been replaced by one that accepts no long bodies.
    return long?.reply(head) ?? Refusal.bodyTooLarge.reply(configuration)
  }
}
