/// Rewrites common forms of dates in the form of RFC 3339, except for ambiguous ones such as `03/04/2021`.
enum DateText {
  /// `2021-04-18T09:30:00Z` for `2021-04-18 09:30`, `2021/4/18 9:30:00 +0000` and the like, in UTC without an offset.
  static func dateTime(_ text: String) -> String? {
    var rest = Array(text.utf8)[...]
    guard let date = date(&rest) else { return nil }
    trim(&rest)
    if rest.first.map({ $0 | 0x20 == UInt8(ascii: "t") || $0 == UInt8(ascii: ",") }) == true { rest.removeFirst() }
    trim(&rest)
    if rest.isEmpty { return date + "T00:00:00Z" }
    guard let time = time(&rest) else { return nil }
    trim(&rest)
    guard let offset = offset(&rest), rest.isEmpty else { return nil }
    return date + "T" + time + offset
  }

  /// `2021-04-18` for `2021/4/18`, `20210418` and a full date with time.
  static func date(_ text: String) -> String? {
    var rest = Array(text.utf8)[...]
    guard let date = date(&rest) else { return nil }
    if rest.isEmpty { return date }
    return dateTime(text).map { _ in date }
  }

  private static func date(_ rest: inout ArraySlice<UInt8>) -> String? {
    let digits = rest.prefix { 48...57 ~= $0 }
    if digits.count == 8 {
      let text = digits.map { Int($0) - 48 }
      rest = rest.dropFirst(8)
      return date(value(text[0..<4]), value(text[4..<6]), value(text[6..<8]))
    }
    guard digits.count == 4, let year = number(&rest, 4...4), let separator = rest.first,
      "-/.".utf8.contains(separator)
    else { return nil }
    rest.removeFirst()
    guard let month = number(&rest, 1...2), rest.popFirst() == separator, let day = number(&rest, 1...2) else {
      return nil
    }
    return date(year, month, day)
  }

  private static func date(_ year: Int, _ month: Int, _ day: Int) -> String? {
    guard 1...12 ~= month, 1...31 ~= day else { return nil }
    return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))"
  }

  /// Hours, minutes and optional seconds with their fraction.
  private static func time(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let hour = number(&rest, 1...2), rest.popFirst() == colon, let minute = number(&rest, 2...2), hour < 24,
      minute < 60
    else { return nil }
    var seconds = 0
    var fraction = ""
    if rest.first == colon {
      rest.removeFirst()
      guard let given = number(&rest, 2...2), given <= 60 else { return nil }
      seconds = given
      if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
        rest.removeFirst()
        let digits = rest.prefix { 48...57 ~= $0 }
        guard !digits.isEmpty else { return nil }
        fraction = "." + String(decoding: digits, as: UTF8.self)
        rest = rest.dropFirst(digits.count)
      }
    }
    return "\(pad(hour, 2)):\(pad(minute, 2)):\(pad(seconds, 2))\(fraction)"
  }

  private static func offset(_ rest: inout ArraySlice<UInt8>) -> String? {
    let word = String(decoding: rest, as: UTF8.self).uppercased()
    if ["", "Z", "UTC", "GMT"].contains(word) {
      rest = []
      return "Z"
    }
    guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    // `+09`, `+09:00` and `+0900`.
    rest.removeAll { $0 == colon }
    guard [2, 4].contains(rest.count), rest.allSatisfy({ 48...57 ~= $0 }) else { return nil }
    let digits = rest.map { Int($0) - 48 }
    rest = []
    let (hours, minutes) = (value(digits[0..<2]), value(digits[2...]))
    guard hours < 24, minutes < 60 else { return nil }
    return "\(UnicodeScalar(sign))\(pad(hours, 2)):\(pad(minutes, 2))"
  }

  private static let colon = UInt8(ascii: ":")

  private static func number(_ rest: inout ArraySlice<UInt8>, _ width: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { 48...57 ~= $0 }
    guard width ~= digits.count else { return nil }
    rest = rest.dropFirst(digits.count)
    return value(digits.map { Int($0) - 48 }[...])
  }

  private static func value(_ digits: ArraySlice<Int>) -> Int { digits.reduce(0) { $0 * 10 + $1 } }

  private static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static func trim(_ rest: inout ArraySlice<UInt8>) { rest = rest.drop { $0 == UInt8(ascii: " ") } }
}
