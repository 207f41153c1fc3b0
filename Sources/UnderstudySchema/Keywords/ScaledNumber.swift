/// A number as `mantissa` / 10^`scale`, for exact comparisons without an allocation.
struct ScaledNumber {
  let mantissa: Int64
  /// Digits after the decimal point.
  let scale: UInt8

  /// With this many digits, a product with a power of ten of the same size fits into 128 bits.
  private static let maximumDigits = 18

  /// From a spelling of few digits without an exponent; `nil` for any other.
  init?(_ spelling: UnsafeBufferPointer<UInt8>) {
    var value: Int64 = 0
    var digits = 0
    var point: Int?
    let isNegative = spelling.first == UInt8(ascii: "-")
    for byte in spelling.dropFirst(isNegative ? 1 : 0) {
      if byte == UInt8(ascii: "."), point == nil {
        point = digits
        continue
      }
      guard 48...57 ~= byte, digits < Self.maximumDigits else { return nil }
      value = value * 10 + Int64(byte - 48)
      digits += 1
    }
    mantissa = isNegative ? -value : value
    scale = UInt8(point.map { digits - $0 } ?? 0)
  }

  init?(_ number: JSONNumber) {
    let scale = number.digits.count.subtractingReportingOverflow(number.exponent)
    guard number.digits.count <= Self.maximumDigits, !scale.overflow, 0...Self.maximumDigits ~= scale.partialValue
    else { return nil }
    let value = number.digits.reduce(into: Int64(0)) { $0 = $0 * 10 + Int64($1) }
    mantissa = number.isNegative ? -value : value
    self.scale = UInt8(scale.partialValue)
  }

  /// Less than 0 if this is below the other, 0 if equal, more than 0 if above.
  func order(to other: ScaledNumber) -> Int {
    let (mine, theirs) = (scaled(by: other.scale), other.scaled(by: scale))
    return mine < theirs ? -1 : mine == theirs ? 0 : 1
  }

  /// Whether this is an integer multiple of another number, which must not be 0.
  func isMultiple(of other: ScaledNumber) -> Bool { scaled(by: other.scale) % other.scaled(by: scale) == 0 }

  private func scaled(by power: UInt8) -> Int128 {
    var value = Int128(mantissa)
    for _ in 0..<power { value *= 10 }
    return value
  }
}
