import Dispatch
import Synchronization
import Understudy

/// Hands the exchanges of a server to one thread, in their order.
///
/// Event loops add exchanges without waiting. Those beyond the limits are dropped and counted.
final class ExchangeQueue: Sendable {
  private struct State {
    var waiting: [ServedExchange] = []
    var bytes = 0
    var lost = 0
    var isBusy = false
  }

  private let state = Mutex(State())
  private let thread: DispatchQueue

  private static let maximumExchanges = 10_000
  /// The limit of waiting bodies.
  private static let maximumBytes = 64 << 20

  init(label: String) { thread = DispatchQueue(label: label) }

  /// The number of dropped exchanges.
  var lost: Int { state.withLock { $0.lost } }

  /// Adds an exchange, or drops it.
  ///
  /// - Parameter use: Gets all waiting exchanges, on the thread.
  func append(_ exchange: ServedExchange, then use: @escaping @Sendable ([ServedExchange]) -> Void) {
    let size = (exchange.body?.count ?? 0) + exchange.reply.body.count
    let starts = state.withLock { state in
      // An empty queue takes an exchange of any size.
      guard
        state.waiting.isEmpty
          || state.waiting.count < Self.maximumExchanges && state.bytes + size <= Self.maximumBytes
      else {
        state.lost += 1
        return false
      }
      state.waiting.append(exchange)
      state.bytes += size
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if starts { thread.async { self.drain(use) } }
  }

  /// Waits until every exchange is used.
  func finish(then use: ([ServedExchange]) -> Void) { thread.sync { drain(use) } }

  private func drain(_ use: ([ServedExchange]) -> Void) {
    while let exchanges = take() { use(exchanges) }
  }

  /// All waiting exchanges; `nil` if there are none, and the next one has to start the thread again.
  private func take() -> [ServedExchange]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isBusy = false
        return nil
      }
      defer { (state.waiting, state.bytes) = ([], 0) }
      return state.waiting
    }
  }
}
