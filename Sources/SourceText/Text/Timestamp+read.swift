extension Timestamp {
  /// Microseconds since 1970 of an ISO 8601 date with time, as RFC 3339 and HAR write it; `nil` for any other text. A text
  /// without an offset is taken for UTC.
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

  /// Days since 1970 in the proleptic Gregorian calendar; years begin in March, so that the leap day is their last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// Takes a date apart from the left.
private struct DateReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: some Sequence<UInt8>) { bytes = Array(text.prefix(64)) }

  mutating func number(_ width: Int) -> Int? {
    guard position + width <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[position..<position + width] {
      guard 48...57 ~= byte else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    position += width
    return value
  }

  /// Steps over one of some characters, if one stands here.
  mutating func take(_ wanted: Unicode.Scalar...) -> Bool {
    guard position < bytes.count, wanted.contains(Unicode.Scalar(bytes[position])) else { return false }
    position += 1
    return true
  }

  /// The microseconds behind a point; what is finer is dropped.
  mutating func fraction() -> Int {
    guard take(".", ",") else { return 0 }
    var (value, unit) = (0, 100_000)
    while position < bytes.count, 48...57 ~= bytes[position] {
      value += Int(bytes[position] - 48) * unit
      unit /= 10
      position += 1
    }
    return value
  }

  /// Minutes east of UTC; `nil` for anything but an offset up to the end of the text.
  mutating func offset() -> Int? {
    if position == bytes.count { return 0 }
    if take("Z", "z") { return position == bytes.count ? 0 : nil }
    let isWest = take("-")
    guard isWest || take("+"), let hours = number(2) else { return nil }
    _ = take(":")
    guard let minutes = number(2), position == bytes.count, hours < 24, minutes < 60 else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }
}
