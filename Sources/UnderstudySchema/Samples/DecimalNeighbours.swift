/// Numbers close to a number of any size, computed digit by digit.
enum DecimalNeighbours {
  /// The most digits of a number.
  private static let maximumDigits = 400

  /// Spellings of numbers on either side, the closest first; multiples of the divisors, if a machine word holds these.
  static func of(_ number: JSONNumber, divisors: [JSONNumber], areIntegers: Bool) -> [String] {
    if areIntegers || !divisors.isEmpty {
      guard let step = step(divisors), let whole = integer(number) else { return [] }
      let rest = remainder(whole, step)
      let sign = number.isNegative ? "-" : ""
      // Away from zero, then towards it; for a multiple, its neighbours.
      let up = add(step - rest, to: whole)
      let down = subtract(rest == 0 ? step : rest, from: whole)
      return [up, down].compactMap { $0 }.filter { $0.count <= maximumDigits }.map { sign + text($0) }
    }
    // Numbers with more digits lie between the number and the next power of ten.
    guard number.digits.count < maximumDigits / 4, abs(number.exponent) < Int.max / 8 else { return [] }
    var spellings: [String] = []
    for zeros in [0, 1, 2, 4, 8, 16] {
      let more = number.digits + [UInt8](repeating: 0, count: zeros) + [5]
      var fewer = number.digits
      if let last = fewer.popLast() { fewer += [last - 1] + [UInt8](repeating: 9, count: zeros) + [5] }
      for digits in [more, fewer] where digits.contains(where: { $0 != 0 }) {
        let exponent = number.exponent - digits.count
        spellings.append((number.isNegative ? "-" : "") + text(trimmed(digits)) + "e\(exponent)")
      }
    }
    return spellings
  }

  /// The distance between common multiples; `nil` if a machine word does not hold it.
  private static func step(_ divisors: [JSONNumber]) -> UInt64? {
    var step: UInt64 = 1
    for divisor in divisors {
      guard let value = divisor.int.flatMap(UInt64.init(exactly:)), value > 0 else { return nil }
      var (x, y) = (step, value)
      while y != 0 { (x, y) = (y, x % y) }
      let (product, overflow) = (step / x).multipliedReportingOverflow(by: value)
      guard !overflow, product < 1 << 56 else { return nil }
      step = product
    }
    return step
  }

  /// The digits of the magnitude before the point; `nil` for too many.
  private static func integer(_ number: JSONNumber) -> [UInt8]? {
    guard number.exponent <= maximumDigits else { return nil }
    guard number.exponent > 0 else { return [0] }
    let digits = number.digits.prefix(number.exponent)
    return Array(digits) + [UInt8](repeating: 0, count: number.exponent - digits.count)
  }

  private static func remainder(_ digits: [UInt8], _ divisor: UInt64) -> UInt64 {
    digits.reduce(UInt64(0)) { ($0 * 10 + UInt64($1)) % divisor }
  }

  private static func add(_ number: UInt64, to digits: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var carry = number
    for digit in digits.reversed() {
      carry += UInt64(digit)
      result.append(UInt8(carry % 10))
      carry /= 10
    }
    while carry > 0 {
      result.append(UInt8(carry % 10))
      carry /= 10
    }
    return result.reversed()
  }

  /// `nil` if the number is larger.
  private static func subtract(_ number: UInt64, from digits: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = number
    var borrow: UInt64 = 0
    for digit in digits.reversed() {
      let taken = rest % 10 + borrow
      rest /= 10
      borrow = UInt64(digit) < taken ? 1 : 0
      result.append(UInt8(UInt64(digit) + 10 * borrow - taken))
    }
    guard rest == 0, borrow == 0 else { return nil }
    return result.reversed()
  }

  private static func trimmed(_ digits: [UInt8]) -> [UInt8] { Array(digits.drop { $0 == 0 }) }

  private static func text(_ digits: [UInt8]) -> String {
    let significant = trimmed(digits)
    return significant.isEmpty ? "0" : String(decoding: significant.map { $0 + 48 }, as: UTF8.self)
  }
}
