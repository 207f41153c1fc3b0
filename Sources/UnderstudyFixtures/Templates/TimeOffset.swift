/// A signed distance in time: `+1h`, `-30m`, `+1d12h`.
enum TimeOffset {
  /// A hundred years, in microseconds.
  static let limit = 36_525 * 86_400 * 1_000_000

  private static let units = [
    "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000, "w": 604_800_000_000,
  ]

  /// Microseconds; `nil` for a text without a sign, another unit, or more than `limit`.
  static func microseconds(_ text: String) -> Int? {
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
}
