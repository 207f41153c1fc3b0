#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A moment as a `Date` field gives it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
package struct HTTPDate: Equatable {
  /// Since 1970, without leap seconds.
  package let seconds: Int
  /// 29 bytes.
  package let bytes: [UInt8]

  static let length = 29

  package static func == (a: HTTPDate, b: HTTPDate) -> Bool { a.seconds == b.seconds }

  static func now() -> HTTPDate { HTTPDate(seconds: time(nil)) }

  /// - Parameter seconds: since 1970; the field has room for the years 0 to 9999 only, so others are clamped.
  package init(seconds: Int) {
    let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
    let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    let second = seconds - days * 86_400
    let (year, month, day) = Self.civil(days)
    let weekday = Self.weekdays[((days + 4) % 7 + 7) % 7]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.length)
    func append(_ value: Int, digits: Int) {
      var divisor = 1
      for _ in 1..<digits { divisor *= 10 }
      while divisor > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
        divisor /= 10
      }
    }
    bytes += weekday.utf8
    bytes += ", ".utf8
    append(day, digits: 2)
    bytes += Self.months[month - 1].utf8
    append(year, digits: 4)
    bytes += " ".utf8
    append(second / 3600, digits: 2)
    bytes += ":".utf8
    append(second / 60 % 60, digits: 2)
    bytes += ":".utf8
    append(second % 60, digits: 2)
    bytes += " GMT".utf8
    self.seconds = seconds
    self.bytes = bytes
  }

  /// The Gregorian date of a day since 1970-01-01. Counts years from March, so that the leap day comes last.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    " Jan ", " Feb ", " Mar ", " Apr ", " May ", " Jun ", " Jul ", " Aug ", " Sep ", " Oct ", " Nov ", " Dec ",
  ]
}
