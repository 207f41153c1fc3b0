/// A signed distance in time: `+1h`, `-30m`, `+1d12h`.
package enum TimeOffset {
  /// A hundred years, in microseconds.
  package static let limit = 36_525 * 86_400 * 1_000_000

  private static let units = [
    "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000, "w": 604_800_000_000,
  ]

  /// Microseconds; `nil` for a string without a sign, another unit, or more than `limit`.
  package static func microseconds(_ text: String) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    var rest = text.dropFirst()
    var sum = 0
    repeat {
      let digits = rest.prefix { "0123456789".contains($0) }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { !"0123456789".contains($0) }
      rest = rest.dropFirst(unit.count)
      guard let count = Int(digits), let factor = units[String(unit)], count <= limit / factor else { return nil }
      sum += count * factor
      guard sum <= limit else { return nil }
    } while !rest.isEmpty
    return sign == "-" ? -sum : sum
  }

  /// A time moved by an offset, or by whole years of the calendar: `-17y`.
  ///
  /// - Parameter time: Microseconds since 1970.
  /// - Returns: Microseconds since 1970; `nil` for another string.
  package static func moved(_ time: Int, by text: String) -> Int? {
    guard text.utf8.last == UInt8(ascii: "y") else { return microseconds(text).map { time + $0 } }
    guard let sign = text.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let years = Int(text.dropLast()), -100...100 ~= years
    else { return nil }
    let date = Timestamp.text(microseconds: time)
    // February 29 becomes March 1 where the year has none.
    return Int(date.prefix(4)).flatMap { Timestamp.microseconds("\($0 + years)\(date.dropFirst(4))".utf8) }
  }
}
