/// A distance in time: `+1h`, `3 days`, `-1 month`. Months and years follow the calendar.
struct TimeShift: Sendable {
  private var months = 0
  private var microseconds = 0

  static let zero = TimeShift()
  /// A hundred years.
  private static let monthLimit = 1_200

  private init() {}

  init(microseconds: Int) { self.microseconds = microseconds }

  private static let units = [
    "millisecond": 1_000, "second": 1_000_000, "minute": 60_000_000, "hour": 3_600_000_000, "day": 86_400_000_000,
    "week": 604_800_000_000,
  ]

  /// Reads a distance; `nil` without a number and a unit, and for more than a hundred years.
  init?(_ text: String) {
    if let offset = TimeOffset.microseconds(text) {
      microseconds = offset
      return
    }
    let words = text.split(separator: " ")
    guard !words.isEmpty, words.count.isMultiple(of: 2) else { return nil }
    for pair in stride(from: 0, to: words.count, by: 2) {
      let digits = words[pair].first == "+" ? words[pair].dropFirst() : words[pair]
      let unit = words[pair + 1].hasSuffix("s") ? String(words[pair + 1].dropLast()) : String(words[pair + 1])
      guard let count = Int(digits), count.magnitude <= TimeOffset.limit / 1_000 else { return nil }
      switch unit {
      case "month": months += count
      case "year": months += count * 12
      default:
        guard let factor = Self.units[unit], abs(count) <= TimeOffset.limit / factor else { return nil }
        microseconds += count * factor
      }
      guard abs(months) <= Self.monthLimit, abs(microseconds) <= TimeOffset.limit else { return nil }
    }
  }

  /// A time moved by the distance; `nil` outside of the years 0 to 9999.
  ///
  /// - Parameter time: Microseconds since 1970.
  func applied(to time: Int) -> Int? {
    let (moved, isOver) = time.addingReportingOverflow(microseconds)
    guard !isOver else { return nil }
    guard months != 0 else { return TimeFormat.years.contains(moved) ? moved : nil }
    let moment = TimeFormat.Moment(moved)
    guard let year = Int(moment.field(0..<4)), let month = Int(moment.field(5..<7)), let day = Int(moment.field(8..<10))
    else { return nil }
    let total = year * 12 + month - 1 + months
    guard 0..<120_000 ~= total else { return nil }
    // A later day becomes the last day of a shorter month.
    let date = "\(Self.padded(total / 12, 4))-\(Self.padded(total % 12 + 1, 2))"
    let days = min(day, Self.days(inMonth: total % 12 + 1, of: total / 12))
    guard let midnight = Timestamp.microseconds("\(date)-\(Self.padded(days, 2))T00:00:00Z".utf8) else { return nil }
    return midnight + moment.sinceMidnight
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}
