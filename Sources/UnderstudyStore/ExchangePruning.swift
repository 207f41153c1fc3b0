import UnderstudyMock
import UnderstudySystem

/// Counts the exchanges that this process stores, and names the lanes whose oldest exchanges should be removed.
final class ExchangePruning: Sendable {
  /// The number of exchanges of a lane that stay; a lane may have some more until the next removal.
  static let limit = 10_000
  /// The number of new exchanges of a lane between two removals.
  static let interval = 500
  /// The maximum number of lanes with a count.
  private static let laneLimit = 20_000

  /// The age at which exchanges of a lane without a row are removed, an hour in microseconds: clients list the requests of a
  /// closed lane, and a new lane may not be stored yet.
  static let orphanAge = 3_600_000_000
  /// The time between two removals of them, in microseconds.
  private static let orphanInterval = 600_000_000

  private let counts = Lock([String: Int]())
  private let lastSweep = Lock<Int?>(nil)

  /// Whether exchanges of removed lanes should be removed now.
  func isDue(at now: Int) -> Bool {
    lastSweep.withLock { last in
      if let last, abs(now - last) < Self.orphanInterval { return false }
      last = now
      return true
    }
  }

  func lanes(after exchanges: [StoredExchange]) -> [String] {
    if exchanges.isEmpty { return [] }
    return counts.withLock { counts in
      if counts.count > Self.laneLimit { counts = counts.filter { $0.value > Self.interval / 2 } }
      var full: [String] = []
      for exchange in exchanges {
        let count = counts[exchange.lane, default: 0] + 1
        counts[exchange.lane] = count == Self.interval ? 0 : count
        if count == Self.interval { full.append(exchange.lane) }
      }
      return full
    }
  }

  func forget(_ lanes: [String]) { counts.withLock { counts in for lane in lanes { counts[lane] = nil } } }
}
