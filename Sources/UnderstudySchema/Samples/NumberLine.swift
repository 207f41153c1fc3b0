/// The numbers that the keywords allow, as exact multiples of a power of ten, the unit.
struct NumberLine {
  /// The digits after the decimal point in one unit.
  private(set) var scale = 0
  /// The distance between neighbours, in units.
  private var step: Int128 = 1
  private(set) var low: Int128
  private(set) var high: Int128
  /// Whether all numbers fit in 128 bits.
  private(set) var isExact = true
  /// Whether `low` and `high` are bounds of keywords rather than the limits of counting.
  private(set) var hasLow = false
  private(set) var hasHigh = false
  /// Whether a bound comes from a `not`.
  private(set) var isBoundedByNot = false
  /// The exact numbers of the keywords.
  private(set) var bounds: [JSONNumber] = []
  private(set) var divisors: [JSONNumber] = []

  /// The limit of counting without a bound; leaves room for sums.
  private static let limit: Int128 = 1_000_000_000_000_000_000_000_000_000_000_000_000
  private static let maximumScale = 18

  init(_ schema: SchemaIntersection, isInteger: Bool, usesFormat: Bool = true) {
    low = -Self.limit
    high = Self.limit
    var lower: [(JSONNumber, isExclusive: Bool)] = []
    var upper: [(JSONNumber, isExclusive: Bool)] = []
    for part in schema.parts {
      // In draft 4 `exclusiveMinimum: true` modifies `minimum`, in later drafts it is a number.
      if let bound = part["minimum"]?.number { lower.append((bound, part["exclusiveMinimum"]?.bool == true)) }
      if let bound = part["maximum"]?.number { upper.append((bound, part["exclusiveMaximum"]?.bool == true)) }
      if let bound = part["exclusiveMinimum"]?.number { lower.append((bound, true)) }
      if let bound = part["exclusiveMaximum"]?.number { upper.append((bound, true)) }
      if usesFormat, let range = Self.ranges[part["format"]?.string ?? ""] {
        lower += JSONNumber(range.0).map { [($0, false)] } ?? []
        upper += JSONNumber(range.1).map { [($0, false)] } ?? []
      }
    }
    for excluded in schema.all("not") where excluded.count == 1 {
      if let bound = excluded["minimum"]?.number { upper.append((bound, true)) }
      if let bound = excluded["maximum"]?.number { lower.append((bound, true)) }
      if let bound = excluded["exclusiveMinimum"]?.number { upper.append((bound, false)) }
      if let bound = excluded["exclusiveMaximum"]?.number { lower.append((bound, false)) }
      isBoundedByNot = true
    }
    divisors = schema.all("multipleOf").compactMap(\.number).filter { !$0.digits.isEmpty && !$0.isNegative }
    bounds = lower.map(\.0) + upper.map(\.0) + divisors
    scale = bounds.map(Self.decimals).max() ?? 0
    // Two digits more than in the bounds, for numbers between 0 and 1.
    if !isInteger { scale += 2 }
    guard scale <= Self.maximumScale else {
      isExact = false
      return
    }
    if isInteger { step = one }
    for divisor in divisors {
      guard let units = units(divisor, rounding: .exact), let common = Self.leastCommonMultiple(step, units) else {
        isExact = false
        return
      }
      step = common
    }
    for (bound, isExclusive) in lower {
      guard let units = units(bound, rounding: .up) else {
        if !bound.isNegative { isExact = false }
        continue
      }
      low = max(low, isExclusive && isWhole(bound) ? units + 1 : units)
      hasLow = true
    }
    for (bound, isExclusive) in upper {
      guard let units = units(bound, rounding: .down) else {
        if bound.isNegative { isExact = false }
        continue
      }
      high = min(high, isExclusive && isWhole(bound) ? units - 1 : units)
      hasHigh = true
    }
    low = Self.multiple(of: step, above: low)
    high = -Self.multiple(of: step, above: -high)
  }

  private static let ranges: [String: (String, String)] = [
    "int32": ("-2147483648", "2147483647"), "int64": ("-9223372036854775808", "9223372036854775807"),
    "uint8": ("0", "255"), "uint16": ("0", "65535"), "uint32": ("0", "4294967295"), "int8": ("-128", "127"),
    "int16": ("-32768", "32767"), "uint64": ("0", "18446744073709551615"),
  ]

  /// Whether a format has whole numbers only: `type: number` with `format: int32` is an integer in all but name.
  static func isWhole(_ schema: SchemaIntersection) -> Bool {
    schema.parts.contains { part in part["format"].flatMap(\.string).map { ranges[$0] != nil } ?? false }
  }

  /// Whether a number is an integer number of units; a rounded one already exceeds the bound.
  private func isWhole(_ number: JSONNumber) -> Bool { units(number, rounding: .exact) != nil }

  var isBounded: Bool { hasLow && hasHigh }

  /// The number of allowed numbers; `nil` if it exceeds `Int`.
  var count: Int? { low > high ? 0 : Int(exactly: (high - low) / step + 1) }

  /// The number 1.
  var one: Int128 { Self.power(scale) }

  enum Rounding { case up, down, exact }

  /// A number in units; `nil` if it is too large, or not exact with `exact` rounding.
  func units(_ number: JSONNumber, rounding: Rounding) -> Int128? {
    // The value is 0.d1d2... x 10^exponent, so this is the number of digits before the unit's point.
    let width = number.exponent + scale
    guard width <= 35 else { return nil }
    var value: Int128 = 0
    for position in 0..<max(width, 0) {
      value = value * 10 + (position < number.digits.count ? Int128(number.digits[position]) : 0)
    }
    let isCut = number.digits.count > max(width, 0)
    if isCut, rounding == .exact { return nil }
    if number.isNegative { return rounding == .down && isCut ? -value - 1 : -value }
    return rounding == .up && isCut ? value + 1 : value
  }

  /// The allowed number `steps` after the one nearest to `target`, in a cycle.
  func spelling(near target: Int128, steps: Int128) -> String {
    var value = Self.multiple(of: step, above: min(max(target, low), high))
    if value > high { value = high }
    let count = (high - low) / step + 1
    let offset = ((value - low) / step + steps % count) % count
    return decimal(low + offset * step)
  }

  /// Numbers that are not allowed: just outside the bounds, and between two allowed numbers near a given one.
  func neighbours(of number: JSONNumber) -> [String] {
    var neighbours = (hasLow ? [low - step] : []) + (hasHigh ? [high + step] : [])
    if let units = units(number, rounding: .down) {
      // Neighbours are usually not multiples; otherwise a part of the step is not.
      neighbours += [units + one, units + step / 2, units + 1, units - one, units - 1]
    }
    return (neighbours + [low - step, high + step]).map(decimal)
  }

  private func decimal(_ value: Int128) -> String {
    let digits = String(value.magnitude)
    guard scale > 0 else { return (value < 0 ? "-" : "") + digits }
    let padded = String(repeating: "0", count: max(0, scale + 1 - digits.utf8.count)) + digits
    let whole = padded.dropLast(scale)
    var fraction = padded.suffix(scale)
    while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
    return (value < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// The number of digits after the decimal point.
  private static func decimals(_ number: JSONNumber) -> Int { max(0, number.digits.count - number.exponent) }

  private static func power(_ exponent: Int) -> Int128 { (0..<max(exponent, 0)).reduce(1) { value, _ in value * 10 } }

  /// The smallest multiple that is at least `value`.
  private static func multiple(of step: Int128, above value: Int128) -> Int128 {
    let rest = value % step
    if rest == 0 { return value }
    return rest > 0 ? value - rest + step : value - rest
  }

  private static func leastCommonMultiple(_ a: Int128, _ b: Int128) -> Int128? {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    guard x != 0 else { return nil }
    let (product, overflow) = (a / x).multipliedReportingOverflow(by: b)
    return overflow || product > limit ? nil : product
  }
}
