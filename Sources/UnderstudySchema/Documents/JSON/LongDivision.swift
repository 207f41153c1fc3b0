/// Long division of decimals, for divisors larger than a machine word.
enum LongDivision {
  /// Whether the quotient of two lists of digits is an integer; the first one is followed by `shift` zeros.
  static func isMultiple(_ digits: [UInt8], _ shift: Int, of divisor: [UInt8]) -> Bool {
    // Zeros matter for the factors 2 and 5 of the divisor, which has no more of them than bits.
    let zeros = min(shift, divisor.count * 4)
    var remainder = limbs(digits, zeros: zeros)
    var divisor = limbs(divisor, zeros: 0)
    // Scaled by one factor, so that the first limb is at least half the base and a guessed quotient at most 2 too large
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

  /// Multiplies, with a new first limb for the carry.
  private static func multiply(_ limbs: inout [UInt64], by factor: UInt64) {
    var carry: UInt64 = 0
    for position in limbs.indices.reversed() {
      (carry, limbs[position]) = (limbs[position] * factor + carry).quotientAndRemainder(dividingBy: base)
    }
    limbs.insert(carry, at: 0)
  }

  /// Subtracts the divisor as often as possible from the limbs at a position, of which it needs one more than it has.
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
      // The quotient is too large: undo the subtraction and try the next smaller one.
      restore(&limbs, at: position, quotient, of: divisor)
      quotient -= 1
    }
  }

  /// Undoes a subtraction, which did not change the limb at the position itself.
  private static func restore(_ limbs: inout [UInt64], at position: Int, _ quotient: UInt64, of divisor: [UInt64]) {
    var carry: UInt64 = 0
    for offset in divisor.indices.reversed() {
      let sum = limbs[position + 1 + offset] + quotient * divisor[offset] + carry
      (carry, limbs[position + 1 + offset]) = sum.quotientAndRemainder(dividingBy: base)
    }
  }
}
