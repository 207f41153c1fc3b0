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

  /// About how many multiplications `isMultiple` takes.
  package func stepsOfDivision(by divisor: JSONNumber) -> Int {
    guard divisor.digits.count > 18 else { return digits.count * 2 }
    let limbs = (digits.count + divisor.digits.count * 4) / Self.digitsOfLimb
    return limbs * (divisor.digits.count / Self.digitsOfLimb)
  }

  /// Long division, for divisors that no machine word holds.
  private static func isMultiple(_ digits: [UInt8], _ shift: Int, ofLong divisor: [UInt8]) -> Bool {
    // A divisor that does not end in 0 but has a factor 2 or 5 needs the zeros; beyond its length in bits they repeat.
    let zeros = min(shift, divisor.count * 4)
    var remainder = limbs(digits, zeros: zeros)
    var divisor = limbs(divisor, zeros: 0)
    // Both times the same factor: with a first limb of at least half the base a guessed quotient is at most 2 too large
    // (Knuth, The Art of Computer Programming, 4.3.1, theorem B).
    let factor = base / (divisor[0] + 1)
    multiply(&remainder, by: factor)
    multiply(&divisor, by: factor)
    if divisor[0] == 0 { divisor.removeFirst() }
    guard remainder.count > divisor.count else { return remainder.allSatisfy { $0 == 0 } }
    for position in 0..<remainder.count - divisor.count { reduce(&remainder, at: position, by: divisor) }
    return remainder.allSatisfy { $0 == 0 }
  }

  private static let digitsOfLimb = 9
  private static let base: UInt64 = 1_000_000_000

  /// A number in base 10^9, the first limb most significant and not 0.
  private static func limbs(_ digits: [UInt8], zeros: Int) -> [UInt64] {
    var limbs: [UInt64] = []
    let count = digits.count + zeros
    limbs.reserveCapacity(count / digitsOfLimb + 2)
    var limb: UInt64 = 0
    for position in 0..<count {
      limb = limb * 10 + (position < digits.count ? UInt64(digits[position]) : 0)
      guard (count - position - 1) % digitsOfLimb == 0 else { continue }
      limbs.append(limb)
      limb = 0
    }
    return limbs
  }

  /// Multiplies, with a new first limb for what is carried.
  private static func multiply(_ limbs: inout [UInt64], by factor: UInt64) {
    var carry: UInt64 = 0
    for position in limbs.indices.reversed() {
      (carry, limbs[position]) = (limbs[position] * factor + carry).quotientAndRemainder(dividingBy: base)
    }
    limbs.insert(carry, at: 0)
  }

  /// Takes from the limbs at a position, one more than the divisor has, as many divisors as they hold.
  private static func reduce(_ limbs: inout [UInt64], at position: Int, by divisor: [UInt64]) {
    var quotient = min((limbs[position] * base + limbs[position + 1]) / divisor[0], base - 1)
    while quotient > 0 {
      var borrow: UInt64 = 0
      for offset in divisor.indices.reversed() {
        let taken = quotient * divisor[offset] + borrow
        let (whole, rest) = taken.quotientAndRemainder(dividingBy: base)
        let limb = limbs[position + 1 + offset]
        limbs[position + 1 + offset] = limb >= rest ? limb - rest : limb + base - rest
        borrow = whole + (limb >= rest ? 0 : 1)
      }
      if limbs[position] >= borrow {
        limbs[position] -= borrow
        return
      }
      // One divisor too many at least: put all of it back, and take one less.
      restore(&limbs, at: position, quotient, of: divisor)
      quotient -= 1
    }
  }

  /// Undoes a subtraction, but for the limb at the position itself, which it has not reached.
  private static func restore(
    _ limbs: inout [UInt64], at position: Int, _ quotient: UInt64, of divisor: [UInt64]
  ) {
    var carry: UInt64 = 0
    for offset in divisor.indices.reversed() {
      let sum = limbs[position + 1 + offset] + quotient * divisor[offset] + carry
      (carry, limbs[position + 1 + offset]) = sum.quotientAndRemainder(dividingBy: base)
    }
  }
}
