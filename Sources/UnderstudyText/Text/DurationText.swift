extension Duration {
  /// Reads `250ms`, `1.5s`, `2m` or a bare number of milliseconds; `nil` for other texts and for more than an hour.
  package init?(text: String) {
    let digits = text.prefix { "0123456789.".contains($0) }
    guard let number = Double(digits), digits.utf8.first != UInt8(ascii: "."), !text.isEmpty else { return nil }
    let milliseconds: Double
    switch text.dropFirst(digits.count) {
    case "", "ms": milliseconds = number
    case "s": milliseconds = number * 1_000
    case "m", "min": milliseconds = number * 60_000
    default: return nil
    }
    guard milliseconds <= 3_600_000 else { return nil }
    self = .microseconds(Int64(milliseconds * 1_000))
  }

  /// Microseconds, rounded towards zero and limited to the range of `Int`. The division of durations takes hundreds of
  /// instructions, and the conversion of its result traps beyond that range.
  package var wholeMicroseconds: Int {
    let limit: Duration = .seconds(Int64.max / 1_000_000)
    // `components` traps beyond 64 bits of seconds.
    guard self < limit else { return .max }
    guard self > .zero - limit else { return -.max }
    let (seconds, attoseconds) = components
    return Int(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }

  /// Milliseconds, rounded towards zero and limited to the range of `wholeMicroseconds`.
  package var wholeMilliseconds: Int { wholeMicroseconds / 1_000 }

  /// Milliseconds, rounded down, with a decimal only if it is significant: `0.1 ms`, `9.9 ms`, `10 ms`.
  package var shortText: String {
    let (seconds, attoseconds) = components
    let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) ms" : "\(tenths / 10) ms"
  }
}
