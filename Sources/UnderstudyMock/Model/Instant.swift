#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Mock {
  /// A point in time, in microseconds since 1970 (UTC, without leap seconds).
  public struct Instant: InstantProtocol {
    /// Negative before 1970.
    public var microsecondsSince1970: Int

    /// The instant a number of microseconds after the beginning of 1970.
    public init(microsecondsSince1970: Int) { self.microsecondsSince1970 = microsecondsSince1970 }

    /// The instant of a date; the nearest one of a date that is 290,000 years away.
    public init(_ date: Date) {
      let microseconds = date.timeIntervalSince1970 * 1_000_000
      self.init(microsecondsSince1970: Int(exactly: microseconds.rounded()) ?? (microseconds < 0 ? .min : .max))
    }

    /// The time by the clock of this machine.
    public static var now: Instant { Instant(microsecondsSince1970: Timestamp.microseconds()) }

    /// The instant after a duration, which may be negative; the nearest one where it cannot be counted.
    public func advanced(by duration: Duration) -> Instant {
      // In 128 bits, which hold the sum of any two.
      let sum = Int128(microsecondsSince1970) + duration.attoseconds / 1_000_000_000_000
      return Instant(microsecondsSince1970: Int(clamping: sum))
    }

    /// The duration from this instant to another; negative if the other is earlier.
    public func duration(to other: Instant) -> Duration {
      .microseconds(other.microsecondsSince1970) - .microseconds(microsecondsSince1970)
    }

    /// Whether the first instant is earlier.
    public static func < (a: Instant, b: Instant) -> Bool { a.microsecondsSince1970 < b.microsecondsSince1970 }
  }
}
