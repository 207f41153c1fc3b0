import UnderstudyMock
import UnderstudySystem
import UnderstudyVerification

/// Hands the exchanges of a running proxy to a recording. Every answer is with its client by then.
final class FixtureRecorder: Sendable {
  private let queue = ExchangeQueue(label: "record")
  private let record: @Sendable (ServedRequest) -> (exchanges: Int, kept: Int?)
  private let hide: @Sendable (Redacted<String>) -> Redacted<String>
  private let log = Lock<(@Sendable (ServedRequest, _ hide: (Redacted<String>) -> Redacted<String>) -> Void)?>(nil)
  private let progress = RecordingProgress()

  /// - Parameters:
  ///   - record: Reduces an exchange, on one thread; returns the numbers so far, without that of new answers where they are
  ///     known only at the end.
  ///   - hide: Removes the secrets that are known so far from a text.
  init(
    _ record: @escaping @Sendable (ServedRequest) -> (exchanges: Int, kept: Int?),
    hiding hide: @escaping @Sendable (Redacted<String>) -> Redacted<String>
  ) {
    self.record = record
    self.hide = hide
  }

  /// Logs every exchange when it is recorded, so that the log has no secret that an earlier one shows to be one.
  func log(by log: @escaping @Sendable (ServedRequest, _ hide: (Redacted<String>) -> Redacted<String>) -> Void) {
    self.log.withLock { $0 = log }
  }

  /// Adds an exchange, or counts it as lost. Never waits.
  func append(_ exchange: ServedRequest) { queue.append(exchange, then: reduce) }

  /// Waits until every exchange is reduced, and returns the number of lost ones.
  func finish() -> Int {
    queue.finish(then: reduce)
    progress.finish()
    return queue.lost
  }

  @Sendable private func reduce(_ exchanges: [ServedRequest]) {
    for exchange in exchanges {
      let (exchanges, kept) = record(exchange)
      log.withLock(\.self)?(exchange, hide)
      progress.show(exchanges: exchanges, kept: kept)
    }
  }
}

/// One line on a terminal, which follows the recording.
final class RecordingProgress: Sendable {
  private let isOn = Terminal.standardError.isInteractive && Environment["TERM"] != "dumb"
  private let shownAt = Lock<ContinuousClock.Instant?>(nil)

  func show(exchanges: Int, kept: Int?) {
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

  static func line(exchanges: Int, kept: Int?) -> String {
    "recording: \(exchanges.counted("exchange"))" + (kept.map { ", \($0.counted("new answer"))" } ?? "")
  }
}
