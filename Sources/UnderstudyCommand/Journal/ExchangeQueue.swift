import Dispatch
import UnderstudyMock
import UnderstudySystem
import UnderstudyVerification

/// Hands the exchanges of a server to one thread, in their order.
///
/// Event loops add exchanges without waiting, and those beyond the limits are dropped and counted; a lossless queue lets the
/// event loops wait instead.
final class ExchangeQueue: Sendable {
  private struct State {
    var waiting: [ServedRequest] = []
    var bytes = 0
    var lost = 0
    var isBusy = false
    /// Those who wait for room.
    var waiters: [DispatchSemaphore] = []
  }

  private let state = Lock(State())
  private let thread: DispatchQueue
  private let isLossless: Bool

  private static let maximumExchanges = 10_000
  /// The limit of waiting bodies.
  private static let maximumBytes = 64 << 20

  init(label: String, isLossless: Bool = false) {
    thread = DispatchQueue(label: label)
    self.isLossless = isLossless
  }

  /// The number of dropped exchanges.
  var lost: Int { state.withLock { $0.lost } }

  /// Adds an exchange, or drops it.
  ///
  /// - Parameter use: Gets all waiting exchanges, on the thread.
  func append(_ exchange: ServedRequest, then use: @escaping @Sendable ([ServedRequest]) -> Void) {
    let size = (exchange.body?.count ?? 0) + exchange.reply.body.count
    while true {
      let (outcome, room) = state.withLock { state -> (Outcome, DispatchSemaphore?) in
        // An empty queue takes an exchange of any size.
        let hasRoom =
          state.waiting.isEmpty
          || state.waiting.count < Self.maximumExchanges && state.bytes + size <= Self.maximumBytes
        if !hasRoom {
          guard isLossless else {
            state.lost += 1
            return (.done, nil)
          }
          let room = DispatchSemaphore(value: 0)
          state.waiters.append(room)
          return (.full, room)
        }
        state.waiting.append(exchange)
        state.bytes += size
        defer { state.isBusy = true }
        return (state.isBusy ? .done : .starts, nil)
      }
      switch outcome {
      case .done: return
      case .starts: return thread.async { self.drain(use) }
      case .full: room?.wait()
      }
    }
  }

  private enum Outcome { case done, starts, full }

  /// Waits until every exchange is used.
  func finish(then use: ([ServedRequest]) -> Void) { thread.sync { drain(use) } }

  private func drain(_ use: ([ServedRequest]) -> Void) {
    while let exchanges = take() { use(exchanges) }
  }

  /// All waiting exchanges; `nil` if there are none, and the next one has to start the thread again.
  private func take() -> [ServedRequest]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isBusy = false
        return nil
      }
      for waiter in state.waiters { waiter.signal() }
      state.waiters = []
      defer { (state.waiting, state.bytes) = ([], 0) }
      return state.waiting
    }
  }
}
