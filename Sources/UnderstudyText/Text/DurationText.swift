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

  /// Rounded down. The division of durations takes hundreds of instructions.
  package var wholeMicroseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000)
  }

  /// Milliseconds, rounded down, with a decimal only if it is significant: `0.1 ms`, `9.9 ms`, `10 ms`.
  package var shortText: String {
    let (seconds, attoseconds) = components
    let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) ms" : "\(tenths / 10) ms"
  }
}
