extension TimeFormat {
  private static let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]

  fileprivate static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// The fields of a time, read from its RFC 3339 text.
  struct Moment {
    private let seconds: Int
    private let microseconds: Int
    private let bytes: [UInt8]

    init(_ time: Int) {
      let (quotient, remainder) = time.quotientAndRemainder(dividingBy: 1_000_000)
      // Times before 1970 round down as well.
      seconds = remainder < 0 ? quotient - 1 : quotient
      microseconds = remainder < 0 ? remainder + 1_000_000 : remainder
      bytes = Array(Timestamp.text(seconds: seconds, milliseconds: microseconds / 1_000).utf8)
    }

    func field(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    var sinceMidnight: Int { (seconds % 86_400 + 86_400) % 86_400 * 1_000_000 + microseconds }

    func text(_ field: Field) -> String {
      switch field {
      case .year: self.field(0..<4)
      case .shortYear: self.field(2..<4)
      case .month: self.field(5..<7)
      case .plainMonth: plain(5..<7)
      case .monthName: String(fullMonthName.prefix(3))
      case .fullMonthName: fullMonthName
      case .day: self.field(8..<10)
      case .plainDay: plain(8..<10)
      case .weekday: String(fullWeekday.prefix(3))
      case .fullWeekday: fullWeekday
      case .hour: self.field(11..<13)
      case .plainHour: plain(11..<13)
      case .halfHour: halfHour < 10 ? "0\(halfHour)" : "\(halfHour)"
      case .plainHalfHour: "\(halfHour)"
      case .half: hour < 12 ? "AM" : "PM"
      case .minute: self.field(14..<16)
      case .second: self.field(17..<19)
      case .millisecond: self.field(20..<23)
      case .epoch: String(seconds)
      case .epochMilliseconds: String(seconds * 1000 + microseconds / 1_000)
      case .offset: "+0000"
      case .zone: "Z"
      case .percent: "%"
      }
    }

    private func plain(_ range: Range<Int>) -> String { Int(field(range)).map { "\($0)" } ?? "" }

    private var hour: Int { Int(field(11..<13)) ?? 0 }

    private var halfHour: Int { hour % 12 == 0 ? 12 : hour % 12 }

    private var fullMonthName: String { Int(field(5..<7)).map { TimeFormat.months[$0 - 1] } ?? "" }

    private var fullWeekday: String {
      // Days since a Thursday, modulo 7.
      let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
      return TimeFormat.weekdays[(days % 7 + 7) % 7]
    }
  }
}

/// Reads the fields of a time from left to right.
struct TimeReader {
  private var rest: Substring.UTF8View
  private var fields = (year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0)
  private var isAfternoon: Bool?
  /// Microseconds since 1970.
  private var whole: Int?

  init(_ text: String) { rest = text[...].utf8 }

  /// The time that was read, in microseconds since 1970; `nil` before the end of the text, and for a day that no month has.
  var time: Int? {
    guard rest.isEmpty else { return nil }
    if let whole { return whole }
    guard 1...12 ~= fields.month, fields.day >= 1, fields.hour < 24, fields.minute < 60, fields.second < 60 else {
      return nil
    }
    let hour = isAfternoon.map { fields.hour % 12 + ($0 ? 12 : 0) } ?? fields.hour
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let year = String(repeating: "0", count: max(0, 4 - "\(fields.year)".utf8.count)) + "\(fields.year)"
    let date = "\(year)-\(padded(fields.month))-\(padded(fields.day))"
    let text = "\(date)T\(padded(hour)):\(padded(fields.minute)):\(padded(fields.second))Z"
    guard let seconds = Timestamp.microseconds(text.utf8) else { return nil }
    let time = seconds + fields.millisecond * 1_000
    return TimeFormat.Moment(time).text(.day) == padded(fields.day) ? time : nil
  }

  mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  mutating func take(_ field: TimeFormat.Field) -> Bool {
    switch field {
    case .year: number(4...4) { $0.year = $1 }
    case .shortYear: number(2...2) { $0.year = 2000 + $1 }
    case .month: number(2...2) { $0.month = $1 }
    case .plainMonth: number(1...2) { $0.month = $1 }
    case .monthName: name(TimeFormat.months.map { String($0.prefix(3)) }) { $0.month = $1 + 1 }
    case .fullMonthName: name(TimeFormat.months) { $0.month = $1 + 1 }
    case .day: number(2...2) { $0.day = $1 }
    case .plainDay: number(1...2) { $0.day = $1 }
    case .weekday, .fullWeekday: word()
    case .hour, .halfHour: number(2...2) { $0.hour = $1 }
    case .plainHour, .plainHalfHour: number(1...2) { $0.hour = $1 }
    case .half: half()
    case .minute: number(2...2) { $0.minute = $1 }
    case .second: number(2...2) { $0.second = $1 }
    case .millisecond: number(3...3) { $0.millisecond = $1 }
    case .epoch: instant(1_000_000)
    case .epochMilliseconds: instant(1_000)
    case .offset: take("+0000")
    case .zone: take("Z")
    case .percent: take("%")
    }
  }

  private typealias Fields = (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, millisecond: Int)

  private mutating func number(_ width: ClosedRange<Int>, _ set: (inout Fields, Int) -> Void) -> Bool {
    let digits = rest.prefix(width.upperBound).prefix { 48...57 ~= $0 }
    guard digits.count >= width.lowerBound, let number = Int(String(digits) ?? "") else { return false }
    rest = rest.dropFirst(digits.count)
    set(&fields, number)
    return true
  }

  private mutating func name(_ names: [String], _ set: (inout Fields, Int) -> Void) -> Bool {
    guard let index = names.firstIndex(where: { take($0) }) else { return false }
    set(&fields, index)
    return true
  }

  private mutating func word() -> Bool {
    let letters = rest.prefix { 65...90 ~= $0 & 0xDF }
    rest = rest.dropFirst(letters.count)
    return !letters.isEmpty
  }

  private mutating func half() -> Bool {
    isAfternoon = take("PM") ? true : take("AM") ? false : nil
    return isAfternoon != nil
  }

  private mutating func instant(_ unit: Int) -> Bool {
    let digits = rest.prefix { 48...57 ~= $0 || $0 == UInt8(ascii: "-") }
    guard let number = Int(String(digits) ?? "") else { return false }
    let (time, isOver) = number.multipliedReportingOverflow(by: unit)
    guard !isOver, TimeFormat.years.contains(time) else { return false }
    rest = rest.dropFirst(digits.count)
    whole = time
    return true
  }
}
