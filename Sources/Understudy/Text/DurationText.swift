extension Duration {
  /// Reads `250ms`, `1.5s`, `2m` or a bare number of milliseconds; `nil` for anything else, below 0 or above an hour.
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

  /// Whole milliseconds, rounded down.
  package var milliseconds: Int {
    Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
