import UnderstudySystem

/// A time in the form of a `Date` field: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
package struct HTTPDate {
  /// Since 1970, without leap seconds.
  package let seconds: Int
  /// 29 bytes.
  package let bytes: [UInt8]

  static func now() -> HTTPDate { HTTPDate(seconds: time(nil)) }

  /// - Parameter seconds: Since 1970, limited to the years 1 to 9999.
  package init(seconds: Int) {
    self.seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
    var time = time_t(self.seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func pad(_ value: CInt, _ width: Int = 2) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    let (weekday, month) = (Self.weekdays[Int(parts.tm_wday)], Self.months[Int(parts.tm_mon)])
    let date = "\(weekday), \(pad(parts.tm_mday)) \(month) \(pad(parts.tm_year + 1900, 4))"
    bytes = Array("\(date) \(pad(parts.tm_hour)):\(pad(parts.tm_min)):\(pad(parts.tm_sec)) GMT".utf8)
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
