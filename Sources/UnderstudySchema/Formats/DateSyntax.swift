/// The grammar of RFC 3339: dates, times, and the durations of its appendix A.
enum DateSyntax {
  typealias Text = Format.Text

  static func isDate(_ text: Text) -> Bool {
    guard text.count == 10, byte(text, 4) == dash, byte(text, 7) == dash, let year = number(text, 0, 4),
      let month = number(text, 5, 2), let day = number(text, 8, 2), 1...12 ~= month
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    return 1...days ~= day
  }

  static func isDateTime(_ text: Text) -> Bool {
    guard text.count > 11, byte(text, 10) | 0x20 == UInt8(ascii: "t") else { return false }
    return isDate(text.prefix(10)) && isTime(text.dropFirst(11))
  }

  /// A time with its offset; second 60 is valid only at the end of a day in UTC, where leap seconds occur (section
  /// 5.7).
  static func isTime(_ text: Text) -> Bool {
    guard text.count >= 9, byte(text, 2) == colon, byte(text, 5) == colon, let hour = number(text, 0, 2),
      let minute = number(text, 3, 2), let second = number(text, 6, 2), hour < 24, minute < 60, second <= 60
    else { return false }
    var rest = text.dropFirst(8)
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { 48...57 ~= $0 }
      guard !digits.isEmpty else { return false }
      rest = rest.dropFirst(1 + digits.count)
    }
    guard let offset = offset(rest) else { return false }
    guard second == 60 else { return true }
    return (hour * 60 + minute - offset + 2 * 1440) % 1440 == 1439
  }

  /// Minutes east of UTC.
  private static func offset(_ text: Text) -> Int? {
    if text.count == 1, byte(text, 0) | 0x20 == UInt8(ascii: "z") { return 0 }
    guard text.count == 6, let sign = text.first, sign == UInt8(ascii: "+") || sign == dash, byte(text, 3) == colon,
      let hour = number(text, 1, 2), let minute = number(text, 4, 2), hour < 24, minute < 60
    else { return nil }
    return (sign == dash ? -1 : 1) * (hour * 60 + minute)
  }

  /// `P1Y2M3DT4H5M6S` or `P2W`; only the next smaller unit may follow a unit.
  static func isDuration(_ text: Text) -> Bool {
    guard text.first == UInt8(ascii: "P") else { return false }
    let body = text.dropFirst()
    if body.last == UInt8(ascii: "W") { return body.count > 1 && body.dropLast().allSatisfy { 48...57 ~= $0 } }
    let parts = body.split(separator: UInt8(ascii: "T"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let date = parts.first, parts.count == 2 || !date.isEmpty else { return false }
    guard date.isEmpty || isRun(of: "YMD", date) else { return false }
    return parts.count == 1 || isRun(of: "HMS", parts[1])
  }

  /// Whether the text is a run of numbers with units that are neighbours in `units`.
  private static func isRun(of units: String, _ text: Text) -> Bool {
    var left = Array(units.utf8)[...]
    var rest = text
    var isFirst = true
    while !rest.isEmpty {
      let digits = rest.prefix { 48...57 ~= $0 }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, let unit = rest.popFirst(), let found = left.firstIndex(of: unit) else { return false }
      guard isFirst || found == left.startIndex else { return false }
      left = left[(found + 1)...]
      isFirst = false
    }
    return !isFirst
  }

  private static let dash = UInt8(ascii: "-")
  private static let colon = UInt8(ascii: ":")

  @inline(__always)
  private static func byte(_ text: Text, _ offset: Int) -> UInt8 { text[text.startIndex + offset] }

  private static func number(_ text: Text, _ offset: Int, _ count: Int) -> Int? {
    var value = 0
    for position in offset..<offset + count {
      let digit = byte(text, position)
      guard 48...57 ~= digit else { return nil }
      value = value * 10 + Int(digit - 48)
    }
    return value
  }
}
