/// Long division of decimals, for divisors that no machine word holds.
enum LongDivision {
  /// Whether the quotient of two lists of digits, the first one with `shift` zeros behind it, is an integer.
  static func isMultiple(_ digits: [UInt8], _ shift: Int, of divisor: [UInt8]) -> Bool {
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

  static let digitsOfLimb = 9
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
