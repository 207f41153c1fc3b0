/// Compares the numbers that two alternatives accept.
struct NumberComparison {
  private let pair: VariantComparison

  init(_ pair: VariantComparison) { self.pair = pair }

  func differences() -> [SchemaDifference] {
    let formats = pair.y.formats.filter { pair.sup.assertsFormat($0.part, $0.name) }.map(\.name)
    let (x, y) = (NumberRange(pair.x, assuming: formats), NumberRange(pair.y))
    var result: [SchemaDifference] = []
    if !pair.x.types.isDisjoint(with: .integer), pair.y.types.isDisjoint(with: .integer) {
      result.append(
        SchemaDifference(
          .type, "integer", sub: pair.subNode(.type), sup: pair.y.keyword(.not) ?? pair.y.node,
          candidates: candidates(x, y)))
    }
    if !x.isInteger, y.isInteger {
      result.append(
        SchemaDifference(
          .type, "number", sub: pair.subNode(.type), sup: pair.y.keyword(.type) ?? pair.y.node,
          // Validators that read numbers as doubles judge a short one alike.
          words: ("number", "integer"), candidates: [0.5] + candidates(x, y)))
    }
    for isLower in [true, false] {
      guard let limit = isLower ? y.low : y.high else { continue }
      let own = isLower ? x.low : x.high
      if let own, own.isInside(limit, isLower: isLower) { continue }
      result.append(
        SchemaDifference(
          .range, limit.keyword, sub: own?.node ?? pair.x.node, sup: limit.node,
          words: (own?.words(under: limit.keyword), limit.words(under: limit.keyword)),
          candidates: candidates(x, y)))
    }
    for (divisor, node) in y.divisors
    where !x.divisors.contains(where: { $0.number.isMultiple(of: divisor) })
      && !(x.isInteger && JSONNumber("1").map { $0.isMultiple(of: divisor) } == true)
    {
      result.append(
        SchemaDifference(
          .multiple, "multipleOf", sub: pair.subNode(.multipleOf), sup: node,
          words: (x.divisors.first?.number.spelling, divisor.spelling), candidates: candidates(x, y)))
    }
    return result
  }

  /// Numbers at and beside the limits of both sides.
  private func candidates(_ x: NumberRange, _ y: NumberRange) -> [JSON] {
    let limits = [x.low, x.high, y.low, y.high].compactMap { $0?.number }
    var spellings: [String] = []
    for limit in limits {
      for digits in [0, max(0, limit.digits.count - limit.exponent) + 1] {
        spellings += [-1, 0, 1].compactMap { DecimalText.shifted(limit, by: $0, digits: digits) }
      }
      for (divisor, _) in x.divisors {
        spellings += [-1, 0, 1].compactMap { DecimalText.multiple(of: divisor, near: limit, steps: $0) }
      }
    }
    for (divisor, _) in x.divisors {
      spellings += (1...3).compactMap { DecimalText.multiple(of: divisor, near: nil, steps: $0) }
    }
    spellings += ["1", "0", "0.5", "-1", "2", "3", "1.5"]
    return spellings.compactMap { JSONNumber($0) }.map { number in
      JSON.make { $0.append(number: Array(number.spelling.utf8)) }
    }
      + pair.bases
  }
}

/// The numbers that an alternative accepts: an interval, and divisors.
struct NumberRange {
  private(set) var low: Bound?
  private(set) var high: Bound?
  private(set) var divisors: [(number: JSONNumber, node: JSON)] = []
  let isInteger: Bool

  /// A limit of an interval.
  struct Bound {
    var number: JSONNumber
    var isExclusive: Bool
    var keyword: String
    var node: JSON

    /// Whether all numbers within this limit are within another.
    func isInside(_ other: Bound, isLower: Bool) -> Bool {
      if number == other.number { return isExclusive || !other.isExclusive }
      return isLower ? other.number < number : number < other.number
    }

    /// The limit as written, where a whole number replaces it.
    var written: String?

    /// The limit for a message that names a keyword.
    func words(under keyword: String) -> String {
      let own = written ?? spelling
      return self.keyword == keyword ? own : "\(self.keyword): \(own)"
    }

    fileprivate var spelling: String {
      (isExclusive && !keyword.hasPrefix("exclusive") ? "exclusive " : "") + number.spelling
    }
  }

  /// The ranges of formats of numbers.
  static let formats = [
    "int32": ("-2147483648", "2147483647"), "int64": ("-9223372036854775808", "9223372036854775807"),
  ]

  /// - Parameter formats: Formats that the other side asserts, whose ranges mean the same where they only annotate.
  init(_ variant: SchemaVariant, assuming formats: [String] = []) {
    var lower: [Bound] = []
    var upper: [Bound] = []
    var isWhole = variant.types.intersection(.number) == .integer
    for part in variant.parts {
      let isModifier = variant.side.hasBooleanLimits(part.schema)
      for (keyword, exclusive, isLower) in [
        (Keyword.minimum, Keyword.exclusiveMinimum, true), (.maximum, .exclusiveMaximum, false),
      ] {
        var bounds: [Bound] = []
        if let node = part[keyword], let number = node.number {
          bounds.append(
            Bound(
              number: number, isExclusive: isModifier && part[exclusive]?.bool == true, keyword: keyword.name,
              node: node))
        }
        if !isModifier, let node = part[exclusive], let number = node.number {
          bounds.append(Bound(number: number, isExclusive: true, keyword: exclusive.name, node: node))
        }
        if isLower { lower += bounds } else { upper += bounds }
      }
      if let node = part[.multipleOf], let number = node.number, !number.isNegative, !number.digits.isEmpty {
        divisors.append((number, node))
      }
      if let node = part[.format], let name = node.string, let range = Self.formats[name],
        case let isAsserted = variant.side.assertsFormat(part.schema, name), isAsserted || formats.contains(name),
        let low = JSONNumber(range.0), let high = JSONNumber(range.1)
      {
        if isAsserted { isWhole = true }
        lower.append(Bound(number: low, isExclusive: false, keyword: "format", node: node))
        upper.append(Bound(number: high, isExclusive: false, keyword: "format", node: node))
      }
    }
    if divisors.contains(where: { $0.number.isInteger }) { isWhole = true }
    isInteger = isWhole
    if isWhole {
      lower = lower.map { Self.whole($0, isLower: true) }
      upper = upper.map { Self.whole($0, isLower: false) }
    }
    low = lower.reduce(nil) { best, next in best.map { $0.isInside(next, isLower: true) ? $0 : next } ?? next }
    high = upper.reduce(nil) { best, next in best.map { $0.isInside(next, isLower: false) ? $0 : next } ?? next }
  }

  /// The limit as an inclusive whole number.
  private static func whole(_ bound: Bound, isLower: Bool) -> Bound {
    guard bound.isExclusive || !bound.number.isInteger,
      let spelling = DecimalText.whole(bound.number, isExclusive: bound.isExclusive, roundsUp: isLower),
      let number = JSONNumber(spelling)
    else { return bound }
    var whole = bound
    (whole.number, whole.isExclusive, whole.written) = (number, false, bound.spelling)
    return whole
  }
}

/// Exact arithmetic on decimal numbers of moderate size.
enum DecimalText {
  /// The maximum number of digits before and after the point together.
  private static let maximumWidth = 30

  /// A number plus some units of its last of so many decimals; `nil` if it is too long.
  static func shifted(_ number: JSONNumber, by steps: Int, digits: Int) -> String? {
    units(number, digits).map { text($0 + Int128(steps), digits) }
  }

  /// A multiple of a divisor near a number, or near zero, some steps away.
  static func multiple(of divisor: JSONNumber, near number: JSONNumber?, steps: Int) -> String? {
    let digits = max(decimals(divisor), number.map(decimals) ?? 0)
    guard let step = units(divisor, digits), step > 0, let start = number.map({ units($0, digits) }) ?? 0 else {
      return nil
    }
    return text((start / step + Int128(steps)) * step, digits)
  }

  /// The nearest whole number inside a limit.
  static func whole(_ number: JSONNumber, isExclusive: Bool, roundsUp: Bool) -> String? {
    let digits = decimals(number)
    guard let value = units(number, digits), let one = units(JSONNumber(spelling: [UInt8(ascii: "1")]), digits) else {
      return nil
    }
    var floor = value / one
    if value % one < 0 { floor -= 1 }
    let isExact = value % one == 0
    if roundsUp { return String(isExact ? floor + (isExclusive ? 1 : 0) : floor + 1) }
    return String(isExact ? floor - (isExclusive ? 1 : 0) : floor)
  }

  private static func decimals(_ number: JSONNumber) -> Int { max(0, number.digits.count - number.exponent) }

  private static func units(_ number: JSONNumber, _ digits: Int) -> Int128? {
    let width = number.exponent + digits
    guard width <= maximumWidth, number.digits.count <= max(width, 0) else { return number.digits.isEmpty ? 0 : nil }
    var value: Int128 = 0
    for position in 0..<max(width, 0) {
      value = value * 10 + (position < number.digits.count ? Int128(number.digits[position]) : 0)
    }
    return number.isNegative ? -value : value
  }

  private static func text(_ value: Int128, _ digits: Int) -> String {
    let text = String(value.magnitude)
    let sign = value < 0 ? "-" : ""
    guard digits > 0 else { return sign + text }
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.utf8.count)) + text
    return "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }
}
