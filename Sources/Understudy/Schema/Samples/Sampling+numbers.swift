extension Sampling {
  mutating func number(_ conjunction: Conjunction, _ place: Place) -> JSON? {
    let isInteger = conjunction.type == .integer
    let line = NumberLine(conjunction, isInteger: isInteger)
    var dice = dice(place)
    guard line.isExact else { return exactFallback(line, conjunction) }
    guard line.low <= line.high else {
      return refuse(
        "no \(isInteger ? "integer" : "number") fits \(conjunction.wordsForKeywords)", at: conjunction.origins.first)
    }
    let hint = NameHints.number(for: place.name) ?? (isInteger ? "1" : "1.5")
    let target = JSONNumber(hint).flatMap { line.units($0, rounding: .down) } ?? line.one
    let face = Int128(dice.roll(isInteger ? 100 : 10_000))
    let spelling = line.spelling(near: target, steps: face)
    guard spelling.utf8.count < 60 else {
      return refuse("no number was found that is short enough", at: conjunction.origins.first)
    }
    return .make { $0.append(number: Array(spelling.utf8)) }
  }

  /// Bounds beyond what can be counted exactly: one of them, or a multiple, may do.
  private mutating func exactFallback(_ line: NumberLine, _ conjunction: Conjunction) -> JSON? {
    let numbers = line.bounds.map(\.spelling) + ["0", "1", "-1"]
    for spelling in numbers {
      let value = JSON.make { $0.append(number: Array(spelling.utf8)) }
      if accepts(value, conjunction.origins) { return value }
    }
    return refuse(
      "no number was found that \(conjunction.wordsForKeywords) accept together", at: conjunction.origins.first)
  }
}

/// The numbers that the keywords allow, as whole multiples of a power of ten; nothing is rounded.
struct NumberLine {
  /// Digits behind the decimal point in one unit.
  private(set) var scale = 0
  /// The distance between neighbours, in units.
  private var step: Int128 = 1
  private(set) var low: Int128
  private(set) var high: Int128
  /// Whether everything fits in 128 bits.
  private(set) var isExact = true
  /// The numbers of the keywords, as they are.
  private(set) var bounds: [JSONNumber] = []

  /// As far as counting goes when there is no bound; leaves room for sums.
  private static let limit: Int128 = 1_000_000_000_000_000_000_000_000_000_000_000_000
  private static let maximumScale = 18

  init(_ conjunction: Conjunction, isInteger: Bool) {
    low = -Self.limit
    high = Self.limit
    var lower: [(JSONNumber, isExclusive: Bool)] = []
    var upper: [(JSONNumber, isExclusive: Bool)] = []
    for part in conjunction.parts {
      // Draft 4 writes `exclusiveMinimum: true` beside `minimum`, later drafts a number of its own.
      if let bound = part["minimum"]?.number { lower.append((bound, part["exclusiveMinimum"]?.bool == true)) }
      if let bound = part["maximum"]?.number { upper.append((bound, part["exclusiveMaximum"]?.bool == true)) }
      if let bound = part["exclusiveMinimum"]?.number { lower.append((bound, true)) }
      if let bound = part["exclusiveMaximum"]?.number { upper.append((bound, true)) }
      if let range = Self.ranges[part["format"]?.string ?? ""] {
        lower += JSONNumber(range.0).map { [($0, false)] } ?? []
        upper += JSONNumber(range.1).map { [($0, false)] } ?? []
      }
    }
    let divisors = conjunction.all("multipleOf").compactMap(\.number).filter { !$0.digits.isEmpty && !$0.isNegative }
    bounds = lower.map(\.0) + upper.map(\.0) + divisors
    scale = bounds.map(Self.decimals).max() ?? 0
    // Two digits more than the bounds have, so that something lies between 0 and 1.
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
      low = max(low, isExclusive ? units + 1 : units)
    }
    for (bound, isExclusive) in upper {
      guard let units = units(bound, rounding: .down) else {
        if bound.isNegative { isExact = false }
        continue
      }
      high = min(high, isExclusive ? units - 1 : units)
    }
    low = Self.multiple(of: step, above: low)
    high = -Self.multiple(of: step, above: -high)
  }

  private static let ranges: [String: (String, String)] = [
    "int32": ("-2147483648", "2147483647"), "int64": ("-9223372036854775808", "9223372036854775807"),
    "uint8": ("0", "255"), "uint16": ("0", "65535"), "uint32": ("0", "4294967295"), "int8": ("-128", "127"),
    "int16": ("-32768", "32767"), "uint64": ("0", "18446744073709551615"),
  ]

  /// The number 1.
  var one: Int128 { Self.power(scale) }

  enum Rounding { case up, down, exact }

  /// A number in units; `nil` when it is beyond counting, or not exact where it must be.
  func units(_ number: JSONNumber, rounding: Rounding) -> Int128? {
    // The value is 0.d1d2... x 10^exponent, so this many digits stand before the unit's point.
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

  /// The allowed number `steps` behind the one nearest to `target`, counted round and round.
  func spelling(near target: Int128, steps: Int128) -> String {
    var value = Self.multiple(of: step, above: min(max(target, low), high))
    if value > high { value = high }
    let count = (high - low) / step + 1
    let offset = ((value - low) / step + steps % count) % count
    return decimal(low + offset * step)
  }

  /// The numbers just outside, and one between two allowed ones.
  var neighbours: [String] { [low - step, high + step, low + 1, high - 1].map(decimal) }

  private func decimal(_ value: Int128) -> String {
    let digits = String(value.magnitude)
    guard scale > 0 else { return (value < 0 ? "-" : "") + digits }
    let padded = String(repeating: "0", count: max(0, scale + 1 - digits.utf8.count)) + digits
    let whole = padded.dropLast(scale)
    var fraction = padded.suffix(scale)
    while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
    return (value < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// Digits behind the decimal point.
  private static func decimals(_ number: JSONNumber) -> Int { max(0, number.digits.count - number.exponent) }

  private static func power(_ exponent: Int) -> Int128 { (0..<max(exponent, 0)).reduce(1) { value, _ in value * 10 } }

  /// The smallest multiple that is not below `value`.
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
