public import Foundation

/// A length of time; `Duration` needs iOS 16.
public struct Interval: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// In milliseconds.
  let milliseconds: Int

  private init(milliseconds: Double) {
    // A century is enough for every clock, and fits the wire.
    self.milliseconds = milliseconds.isNaN ? 0 : Int(min(max(-Self.limit, milliseconds.rounded()), Self.limit))
  }

  private static let limit: Double = 100 * 365 * 86_400 * 1_000

  /// Milliseconds.
  public static func milliseconds(_ count: Int) -> Interval { Interval(milliseconds: Double(count)) }
  /// Seconds.
  public static func seconds(_ count: Double) -> Interval { Interval(milliseconds: count * 1_000) }
  /// Minutes.
  public static func minutes(_ count: Double) -> Interval { .seconds(count * 60) }
  /// Hours.
  public static func hours(_ count: Double) -> Interval { .minutes(count * 60) }

  /// The length in nanoseconds; 0 for a negative length.
  var nanoseconds: UInt64 { UInt64(max(0, milliseconds)) * 1_000_000 }

  /// In seconds.
  public var seconds: TimeInterval { Double(milliseconds) / 1_000 }

  /// Compares lengths.
  public static func < (first: Interval, second: Interval) -> Bool { first.milliseconds < second.milliseconds }

  /// `5s`, `1500ms`, as the admin API reads it.
  public var description: String {
    milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
  }
}
