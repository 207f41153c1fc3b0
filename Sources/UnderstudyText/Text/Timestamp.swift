#if canImport(SwiftOverlayShims)
// On Linux the compiler may count `timespec` among the members of this module.
import UnderstudySystem
import SwiftOverlayShims
#endif

/// Writes and reads timestamps in UTC.
package enum Timestamp {
  /// Formats microseconds since 1970 by RFC 3339, with milliseconds: `2022-11-16T06:55:54.784Z`.
  package static func text(microseconds: Int) -> String {
    text(seconds: microseconds / 1_000_000, milliseconds: microseconds / 1000 % 1000)
  }

  /// RFC 3339 with milliseconds: `2022-11-16T06:55:54.784Z`.
  package static func text(seconds: Int, milliseconds: Int) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func pad(_ value: some BinaryInteger, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    let date = "\(pad(Int(parts.tm_year) + 1900, 4))-\(pad(parts.tm_mon + 1, 2))-\(pad(parts.tm_mday, 2))"
    let clock = "\(pad(parts.tm_hour, 2)):\(pad(parts.tm_min, 2)):\(pad(parts.tm_sec, 2))"
    return "\(date)T\(clock).\(pad(milliseconds, 3))Z"
  }

  /// The local time of day: `14:03:59`.
  package static func clock() -> String { clock(at: time(nil)) }

  private static func clock(at seconds: Int) -> String {
    var now = time_t(seconds)
    var parts = tm()
    localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
  }

  /// The same for microseconds since 1970.
  package static func clock(_ microseconds: Int) -> String { clock(at: microseconds / 1_000_000) }

  /// Whole seconds since 1970.
  package static func seconds() -> Int { Int(time(nil)) }

  /// Microseconds since 1970.
  package static func microseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
  }

  /// The current time.
  package static func now() -> String {
    let time = microseconds()
    return text(seconds: time / 1_000_000, milliseconds: time / 1000 % 1000)
  }
}

// MARK: - Reading

extension Timestamp {
  /// Microseconds since 1970 of an ISO 8601 date with time, as RFC 3339 and HAR write it; `nil` for any other text. A text
  /// without an offset is read as UTC.
  package static func microseconds(_ text: some Sequence<UInt8>) -> Int? {
    var reader = DateReader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
      let day = reader.number(2), reader.take("T", "t", " "), let hour = reader.number(2), reader.take(":"),
      let minute = reader.number(2), 1...12 ~= month, 1...31 ~= day, hour <= 24, minute < 60
    else { return nil }
    var second = 0
    if reader.take(":") {
      guard let number = reader.number(2), number <= 60 else { return nil }
      second = number
    }
    let fraction = reader.fraction()
    guard let offset = reader.offset() else { return nil }
    let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset
    return (minutes * 60 + second) * 1_000_000 + fraction
  }

  /// Microseconds since 1970 of a date in a field of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7); `nil` for any
  /// other text, and for the obsolete forms.
  package static func microseconds(http text: some Sequence<UInt8>) -> Int? {
    var reader = DateReader(text)
    guard reader.take(oneOf: weekdays) != nil, reader.take(","), reader.take(" "), let day = reader.number(2),
      reader.take(" "), let month = reader.take(oneOf: months), reader.take(" "), let year = reader.number(4),
      reader.take(" "), let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
      let second = reader.number(2), reader.take(oneOf: [" GMT"]) != nil, reader.isAtEnd, 1...31 ~= day, hour < 24,
      minute < 60, second <= 60
    else { return nil }
    return (((days(year, month + 1, day) * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Days since 1970 in the proleptic Gregorian calendar; years begin in March, so that the leap day is their last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
