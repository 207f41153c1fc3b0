extension JSONNumber {
  /// Whether the quotient is an integer, decided exactly; a divisor of 0 has no multiples.
  package func isMultiple(of divisor: JSONNumber) -> Bool {
    guard !divisor.digits.isEmpty else { return false }
    guard !digits.isEmpty else { return true }
    // value / divisor = (digits / divisor.digits) x 10^shift, with both lists of digits read as integers.
    let shift = (exponent - digits.count) - (divisor.exponent - divisor.digits.count)
    // With a negative shift the digits would have to end in 0, and they never do.
    guard shift >= 0 else { return false }
    guard divisor.digits.count <= 18 else { return Self.isMultiple(digits, shift, ofLong: divisor.digits) }
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

  /// Division by hand, for divisors that no machine word holds.
  private static func isMultiple(_ digits: [UInt8], _ shift: Int, ofLong divisor: [UInt8]) -> Bool {
    // A divisor that does not end in 0 but has a factor 2 or 5 needs the zeros; beyond its length in bits they repeat.
    let zeros = min(shift, divisor.count * 4)
    var remainder: [UInt8] = []
    for digit in digits + [UInt8](repeating: 0, count: zeros) {
      if !remainder.isEmpty || digit != 0 { remainder.append(digit) }
      while isAtLeast(remainder, divisor) { subtract(divisor, from: &remainder) }
    }
    return remainder.isEmpty
  }

  private static func isAtLeast(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count ? !a.lexicographicallyPrecedes(b) : a.count > b.count
  }

  private static func subtract(_ b: [UInt8], from a: inout [UInt8]) {
    var borrow: Int8 = 0
    for offset in 0..<a.count {
      let position = a.count - 1 - offset
      let other = offset < b.count ? Int8(b[b.count - 1 - offset]) : 0
      var digit = Int8(a[position]) - other - borrow
      borrow = digit < 0 ? 1 : 0
      if digit < 0 { digit += 10 }
      a[position] = UInt8(digit)
    }
    a.removeFirst(a.prefix { $0 == 0 }.count)
  }
}
