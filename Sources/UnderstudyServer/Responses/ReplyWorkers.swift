import NIOCore
import NIOPosix
import UnderstudyMock

/// Computes replies: on an event loop within a limit, else on another thread, so that no request delays those of other
/// clients.
///
/// The limit counts work, not time. A computation that exceeds it has done nothing, and begins again.
final class ReplyWorkers: Sendable {
  private let running = RunningCount()

  /// The work for one reply on an event loop, in units of `WorkBudget`: a few milliseconds.
  static let loopLimit = 50_000
  /// In bytes. Reading a longer body takes milliseconds with any schema.
  static let loopBodyLimit = 256 * 1024

  /// The reply, if it is found within the limits of an event loop; `bytes` is the length of the body.
  func quick(_ bytes: Int, _ compute: (WorkBudget) -> Reply?) -> Reply? {
    bytes <= Self.loopBodyLimit ? compute(WorkBudget(Self.loopLimit)) : nil
  }

  func slow(_ compute: @escaping @Sendable (WorkBudget) -> Reply?, then use: @escaping @Sendable (Reply) -> Void) {
    perform { use(compute(.unlimited) ?? .unavailable) }
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    running.begin()
    NIOThreadPool.singleton.submit { [running] _ in
      work()
      running.end()
    }
  }

  func reply(_ bytes: Int, _ compute: @escaping @Sendable (WorkBudget) -> Reply?) async -> Reply {
    if let reply = quick(bytes, compute) { return reply }
    return await withCheckedContinuation { continuation in slow(compute) { continuation.resume(returning: $0) } }
  }

  func finish() async { await running.untilZero() }

  var isBusy: Bool { !running.isZero }
}

extension Responder {
  /// The head of a request that the responder answers; `nil` for one that is refused.
  func head(of request: ReceivedRequest) -> RequestHead? {
    request.refusal == nil && (!request.isLong || longLimit != nil) ? request.head : nil
  }

  func reply(to head: RequestHead, _ request: ReceivedRequest, within budget: WorkBudget) -> Reply? {
    reply(head.shared.head, request.isLong ? nil : request.body, budget)
  }
}
