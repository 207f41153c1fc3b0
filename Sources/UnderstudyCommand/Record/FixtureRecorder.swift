import Dispatch
import Synchronization
import Understudy

/// Hands the exchanges of a running proxy to a recording.
///
/// Event loops append exchanges without waiting, and one thread reduces them in order. Every answer is with its client by
/// then. Exchanges beyond the limits are counted as lost.
final class FixtureRecorder: Sendable {
  private struct State {
    var waiting: [ServedExchange] = []
    var bytes = 0
    var lost = 0
    var isBusy = false
  }

  private let state = Mutex(State())
  private let record: @Sendable (ServedExchange) -> (exchanges: Int, kept: Int)
  private let thread = DispatchQueue(label: "record")
  private let progress = RecordingProgress()

  private static let maximumExchanges = 10_000
  /// The limit of waiting bodies.
  private static let maximumBytes = 64 << 20

  /// - Parameter record: Reduces an exchange, on one thread; returns what there is so far.
  init(_ record: @escaping @Sendable (ServedExchange) -> (exchanges: Int, kept: Int)) { self.record = record }

  /// Adds an exchange, or counts it as lost. Never waits.
  func append(_ exchange: ServedExchange) {
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
    if starts { thread.async { self.drain() } }
  }

  /// Waits until every exchange is reduced, and returns the number of lost ones.
  func finish() -> Int {
    thread.sync { drain() }
    progress.finish()
    return state.withLock { $0.lost }
  }

  private func drain() {
    while let exchanges = take() {
      for exchange in exchanges {
        let (exchanges, kept) = record(exchange)
        progress.show(exchanges: exchanges, kept: kept)
      }
    }
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

/// One line on a terminal, which follows the recording.
final class RecordingProgress: Sendable {
  private let isOn = Terminal.standardError.isInteractive && Environment["TERM"] != "dumb"
  private let shownAt = Mutex<ContinuousClock.Instant?>(nil)

  func show(exchanges: Int, kept: Int) {
    guard isOn else { return }
    let now = ContinuousClock.now
    let isDue = shownAt.withLock { shown in
      guard shown.map({ now - $0 >= .milliseconds(100) }) ?? true else { return false }
      shown = now
      return true
    }
    if isDue { Terminal.standardError.write("\r\(Self.line(exchanges: exchanges, kept: kept))\u{1B}[K") }
  }

  func finish() { if shownAt.withLock({ $0 }) != nil { Terminal.standardError.write("\r\u{1B}[K") } }

  static func line(exchanges: Int, kept: Int) -> String {
    "recording: \(exchanges.counted("exchange")), \(kept.counted("new answer"))"
  }
}
