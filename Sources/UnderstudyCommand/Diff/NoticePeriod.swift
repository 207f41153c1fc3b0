import ArgumentParser
import UnderstudyVerification

/// The days of notice before a sunset date: `180`, or `beta=30` for operations of one stability level.
struct NoticePeriod {
  /// The stability level; `nil` for all levels that may not change freely.
  let level: String?
  let days: Int

  private static let levels = ["beta", "stable"]
  private static let maximumDays = 10_000

  /// Reads the argument of `--notice`.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let days = parts.last.flatMap({ Int($0) }), 0...Self.maximumDays ~= days,
      parts.count == 1 || Self.levels.contains(parts[0])
    else { throw ValidationError("expected days, as in 180, or beta=30 or stable=90 for a stability level") }
    level = parts.count == 1 ? nil : parts[0]
    self.days = days
  }

  /// The days by stability level; a level of its own goes first.
  static func days(of periods: [NoticePeriod]) -> [String: Int] {
    var days: [String: Int] = [:]
    for period in periods where period.level == nil {
      for level in levels { days[level] = period.days }
    }
    for period in periods { if let level = period.level { days[level] = period.days } }
    return days
  }
}
