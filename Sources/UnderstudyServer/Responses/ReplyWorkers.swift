import NIOCore
import NIOPosix
import UnderstudyMock

/// Computes replies: on an event loop within a limit, else on another thread, so that no request delays those of other
/// clients.
///
/// The limit counts work, not time. A computation that exceeds it has done nothing, and begins again.
final class ReplyWorkers: Sendable {
  private let running = RunningCount()
  /// Threads of their own, so that a slow store of lanes stops no other work.
  private let waiting = WorkerPool("replies")

  /// The work for one reply on an event loop, in units of `WorkBudget`: a few milliseconds.
  static let loopLimit = 50_000
  /// In bytes. Reading a longer body takes milliseconds with any schema.
  static let loopBodyLimit = 256 * 1024

  /// An attempt at a reply within the limits of an event loop.
  enum Attempt {
    case found(Reply)
    /// Another thread computes the reply; `waits` is `true` if it will wait for the store of a lane.
    case later(waits: Bool)
  }

  /// The reply, if it is found within the limits of an event loop; `bytes` is the length of the body.
  func quick(_ bytes: Int, _ compute: (WorkBudget) -> Reply?) -> Attempt {
    guard bytes <= Self.loopBodyLimit else { return .later(waits: false) }
    let budget = WorkBudget(Self.loopLimit)
    // A computation that ends within its budget, without a reply, needs a state that no event loop waits for.
    return compute(budget).map { .found($0) } ?? .later(waits: !budget.isExceeded)
  }

  func slow(
    waits: Bool, _ compute: @escaping @Sendable (WorkBudget) -> Reply?, then use: @escaping @Sendable (Reply) -> Void
  ) {
    let work: @Sendable () -> Void = { use(compute(.unlimited) ?? .unavailable) }
    guard waits else { return perform(work) }
    running.begin()
    waiting.submit { [running] in
      work()
      running.end()
    }
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    running.begin()
    NIOThreadPool.singleton.submit { [running] _ in
      work()
      running.end()
    }
  }

  func reply(_ bytes: Int, _ compute: @escaping @Sendable (WorkBudget) -> Reply?) async -> Reply {
    switch quick(bytes, compute) {
    case .found(let reply): reply
    case .later(let waits):
      await withCheckedContinuation { continuation in
        slow(waits: waits, compute) { continuation.resume(returning: $0) }
      }
    }
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
