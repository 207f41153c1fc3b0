import UnderstudySystem
import UnderstudyVerification

/// Limits the rate of requests, also from several tasks.
final class Pace: Sendable {
  private let interval: Duration
  private let next = Lock<ContinuousClock.Instant?>(nil)

  /// Reads `20/s`, `600/m` or a bare number a second.
  init(_ text: String) throws {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let units: [String: Duration] = ["s": .seconds(1), "m": .seconds(60), "h": .seconds(3600)]
    guard let number = parts.first.flatMap({ Int($0) }), 1...1_000_000 ~= number, parts.count <= 2,
      let unit = parts.count == 1 ? .seconds(1) : units[String(parts[1])]
    else {
      throw CommandFailure(.usage, "`--rate \(text)` is not a rate", help: "expected 20/s, 600/m or 1000/h")
    }
    interval = unit / number
  }

  /// Waits for its turn.
  func turn() async throws {
    let now = ContinuousClock.now
    let start = next.withLock { next in
      let start = max(next ?? now, now)
      next = start + interval
      return start
    }
    if start > now { try await ContinuousClock().sleep(until: start) }
  }
}
