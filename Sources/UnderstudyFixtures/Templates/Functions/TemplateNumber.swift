/// An exact decimal number of at most 18 digits after the point: `coefficient` divided by ten to the power of `scale`.
struct TemplateNumber: Sendable, Hashable {
  private let coefficient: Int
  private let scale: Int

  private static let scaleLimit = 18
  /// The maximum length of a number in range, in bytes; zeros aside, which may precede and follow it.
  static let lengthLimit = 64
  /// The digits after the point of a quotient.
  private static let quotientScale = 12

  /// Reads a JSON number; `nil` for any other string, and beyond the range.
  init?(_ text: String) {
    guard let number = JSONNumber(text) else { return nil }
    var value: Int128 = 0
    for digit in number.digits {
      value = value * 10 + Int128(digit)
      guard value <= Int128(Int.max) else { return nil }
    }
    self.init(number.isNegative ? -value : value, scale: number.digits.count - number.exponent)
  }

  init(_ value: Int) { (coefficient, scale) = (value, 0) }

  /// `nil` beyond the range.
  private init?(_ value: Int128, scale: Int) {
    var (value, scale) = (value, scale)
    while scale > 0, value % 10 == 0 { (value, scale) = (value / 10, scale - 1) }
    if value == 0 { scale = 0 }
    if scale < 0 {
      guard let power = Self.power(-scale), let product = Self.product(value, power) else { return nil }
      (value, scale) = (product, 0)
    }
    guard scale <= Self.scaleLimit, let coefficient = Int(exactly: value) else { return nil }
    (self.coefficient, self.scale) = (coefficient, scale)
  }

  var isZero: Bool { coefficient == 0 }

  /// The value of an integer; `nil` for a fraction.
  var int: Int? { scale == 0 ? coefficient : nil }

  var text: String {
    guard scale > 0 else { return String(coefficient) }
    let digits = String(coefficient.magnitude)
    let padded = String(repeating: "0", count: max(0, scale + 1 - digits.utf8.count)) + digits
    return (coefficient < 0 ? "-" : "") + padded.dropLast(scale) + "." + padded.suffix(scale)
  }

  var json: JSON { .make { $0.append(number: Array(text.utf8)) } }

  // MARK: - Arithmetic, nil beyond the range

  static func + (a: Self, b: Self) -> Self? { aligned(a, b) { Self($0 + $1, scale: $2) } }
  static func - (a: Self, b: Self) -> Self? { aligned(a, b) { Self($0 - $1, scale: $2) } }
  static func * (a: Self, b: Self) -> Self? {
    Self(Int128(a.coefficient) * Int128(b.coefficient), scale: a.scale + b.scale)
  }

  /// The quotient, rounded to twelve digits after the point; `nil` also for a divisor of 0.
  static func / (a: Self, b: Self) -> Self? {
    guard !b.isZero, let left = power(b.scale + quotientScale).flatMap({ product(Int128(a.coefficient), $0) }),
      let right = power(a.scale).flatMap({ product(Int128(b.coefficient), $0) })
    else { return nil }
    return Self(rounded(left, by: right), scale: quotientScale)
  }

  /// The remainder, with the sign of the dividend; `nil` also for a divisor of 0.
  static func % (a: Self, b: Self) -> Self? { b.isZero ? nil : aligned(a, b) { Self($0 % $1, scale: $2) } }

  /// The number with at most a number of digits after the point; halves are rounded away from zero.
  func rounded(to digits: Int) -> Self {
    guard scale > digits, let power = Self.power(scale - digits) else { return self }
    return Self(Self.rounded(Int128(coefficient), by: power), scale: digits) ?? self
  }

  private static func aligned(_ a: Self, _ b: Self, _ body: (Int128, Int128, Int) -> Self?) -> Self? {
    let scale = max(a.scale, b.scale)
    // A coefficient has 19 digits and a scale at most 18, so the products fit.
    guard let left = power(scale - a.scale).flatMap({ product(Int128(a.coefficient), $0) }),
      let right = power(scale - b.scale).flatMap({ product(Int128(b.coefficient), $0) })
    else { return nil }
    return body(left, right, scale)
  }

  private static func rounded(_ value: Int128, by divisor: Int128) -> Int128 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    guard remainder.magnitude >= divisor.magnitude - remainder.magnitude else { return quotient }
    return (value < 0) == (divisor < 0) ? quotient + 1 : quotient - 1
  }

  private static func product(_ a: Int128, _ b: Int128) -> Int128? {
    let (product, isOver) = a.multipliedReportingOverflow(by: b)
    return isOver ? nil : product
  }

  private static func power(_ exponent: Int) -> Int128? {
    guard exponent <= 37 else { return nil }
    return (0..<exponent).reduce(Int128(1)) { power, _ in power * 10 }
  }
}

extension TemplateNumber: Comparable {
  static func < (a: Self, b: Self) -> Bool {
    let scale = max(a.scale, b.scale)
    guard let left = power(scale - a.scale), let right = power(scale - b.scale) else { return false }
    return Int128(a.coefficient) * left < Int128(b.coefficient) * right
  }
}
