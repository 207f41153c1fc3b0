/// A JSON number by its exact decimal value, of any size, without rounding.
///
/// The value is `0.d1d2d3... x 10^exponent`, with `d1` and the last digit not zero; zero has no digits.
package struct JSONNumber: Sendable {
  /// The number as it was written.
  package let spelling: String
  package let isNegative: Bool
  package let digits: [UInt8]
  package let exponent: Int

  /// Reads a number by the JSON grammar (RFC 8259, section 6); `nil` for `+1`, `01`, `1.`, `nan`, `0x1`.
  package init?(_ text: String) {
    guard Self.isValid(ArraySlice(text.utf8)) else { return nil }
    self.init(spelling: Array(text.utf8))
  }

  /// `spelling` must match the JSON grammar.
  package init(spelling bytes: [UInt8]) {
    spelling = String(decoding: bytes, as: UTF8.self)
    var digits: [UInt8] = []
    var exponent = 0
    var isFraction = false
    var position = bytes.first == UInt8(ascii: "-") ? 1 : 0
    scan: while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        let text = String(decoding: bytes[(position + 1)...], as: UTF8.self)
        // Clamped to a quarter of `Int`, so that sums of exponents do not overflow.
        let limit = Int.max / 4
        let parsed = Int(text) ?? (text.utf8.first == UInt8(ascii: "-") ? -limit : limit)
        exponent += min(max(parsed, -limit), limit)
        break scan
      case let byte:
        if digits.isEmpty, byte == UInt8(ascii: "0") {
          if isFraction { exponent -= 1 }
        } else {
          digits.append(byte - 48)
          if !isFraction { exponent += 1 }
        }
      }
      position += 1
    }
    while digits.last == 0 { digits.removeLast() }
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : exponent
    isNegative = !digits.isEmpty && bytes.first == UInt8(ascii: "-")
  }

  /// Whether the value is a mathematical integer: `1.0` and `1e2` are.
  package var isInteger: Bool { digits.count <= exponent || digits.isEmpty }

  /// The value as `Int`, if it is an integer in range.
  package var int: Int? {
    guard isInteger, exponent <= 19 else { return nil }
    var value = 0
    for position in 0..<max(exponent, 0) {
      let digit = position < digits.count ? Int(digits[position]) : 0
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (next, carry) = shifted.subtractingReportingOverflow(digit)
      guard !overflow, !carry else { return nil }
      value = next
    }
    // Counted downwards, since `-Int.min` overflows.
    return isNegative ? value : value == .min ? nil : -value
  }

  /// The nearest double; infinite if out of range.
  package var double: Double { Double(spelling) ?? .nan }

  /// Whether `text` is a number by RFC 8259, section 6.
  package static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text.makeIterator()
    var next = rest.next()
    func digits() -> Int {
      var count = 0
      while let byte = next, 48...57 ~= byte {
        count += 1
        next = rest.next()
      }
      return count
    }
    if next == UInt8(ascii: "-") { next = rest.next() }
    let leadingZero = next == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, !leadingZero || whole == 1 else { return false }
    if next == UInt8(ascii: ".") {
      next = rest.next()
      guard digits() > 0 else { return false }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      next = rest.next()
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { next = rest.next() }
      guard digits() > 0 else { return false }
    }
    return next == nil
  }
}

extension JSONNumber: Comparable {
  /// Equality by value: `1 == 1.0 == 1e0`.
  package static func == (a: JSONNumber, b: JSONNumber) -> Bool {
    a.isNegative == b.isNegative && a.exponent == b.exponent && a.digits == b.digits
  }

  /// Order by value, exact at any size.
  package static func < (a: JSONNumber, b: JSONNumber) -> Bool {
    if a.isNegative != b.isNegative { return a.isNegative }
    return a.isNegative ? b.hasSmallerMagnitude(than: a) : a.hasSmallerMagnitude(than: b)
  }

  private func hasSmallerMagnitude(than other: JSONNumber) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}

// MARK: - Multiples

extension JSONNumber {
  /// Whether the exact quotient is an integer; a divisor of 0 has no multiples.
  package func isMultiple(of divisor: JSONNumber) -> Bool {
    guard !divisor.digits.isEmpty else { return false }
    guard !digits.isEmpty else { return true }
    // value / divisor = (digits / divisor.digits) x 10^shift, with both lists of digits read as integers.
    let shift = (exponent - digits.count) - (divisor.exponent - divisor.digits.count)
    // With a negative shift a multiple would end in 0, which digits never do.
    guard shift >= 0 else { return false }
    guard divisor.digits.count <= 18 else { return LongDivision.isMultiple(digits, shift, of: divisor.digits) }
    let modulus = divisor.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
    let remainder = digits.reduce(UInt64(0)) { Self.product($0, 10, plus: UInt64($1), modulo: modulus) }
    return Self.product(remainder, Self.powerOfTen(shift, modulo: modulus), plus: 0, modulo: modulus) == 0
  }

  private static func product(_ a: UInt64, _ b: UInt64, plus c: UInt64, modulo modulus: UInt64) -> UInt64 {
    var (high, low) = a.multipliedFullWidth(by: b)
    let (sum, carry) = low.addingReportingOverflow(c)
    low = sum
    if carry { high += 1 }
    return modulus.dividingFullWidth((high % modulus, low)).remainder
  }

  private static func powerOfTen(_ exponent: Int, modulo modulus: UInt64) -> UInt64 {
    var result = 1 % modulus
    var base = 10 % modulus
    var exponent = exponent
    while exponent > 0 {
      if exponent & 1 == 1 { result = product(result, base, plus: 0, modulo: modulus) }
      base = product(base, base, plus: 0, modulo: modulus)
      exponent >>= 1
    }
    return result
  }

  /// The approximate number of multiplications in `isMultiple`.
  package func stepsOfDivision(by divisor: JSONNumber) -> Int {
    guard divisor.digits.count > 18 else { return digits.count * 2 }
    let limbs = (digits.count + divisor.digits.count * 4) / LongDivision.digitsOfLimb
    return limbs * (divisor.digits.count / LongDivision.digitsOfLimb)
  }
}
