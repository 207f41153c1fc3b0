/// The reason that a function has no result.
struct TemplateMistake: Error {
  let message: String
  var help: String?
}

extension TemplateOperation {
  /// The result for some values; `nil` without a value that it needs.
  func result(_ values: [TemplateValue?]) throws(TemplateMistake) -> TemplateValue? {
    switch self {
    case .default: return values[0].flatMap { $0.isMissing ? nil : $0 } ?? values[1]
    case .join: return .text(joined(values))
    case .json: return .text(JSONWriter.text(values[0]?.json ?? .null))
    case .size: return .number(TemplateNumber(values[0]?.size ?? 0))
    case .not: return .flag(!(values[0]?.isTrue ?? false))
    case .and: return .flag(values.allSatisfy { $0?.isTrue ?? false })
    case .or: return .flag(values.contains { $0?.isTrue ?? false })
    case .eq, .ne, .lt, .lte, .gt, .gte, .contains: return .flag(compares(values[0], values[1]))
    default: break
    }
    let known = values.compactMap(\.self)
    guard known.count == values.count, let first = known.first else { return nil }
    switch self {
    case .upper: return .text(first.text.uppercased())
    case .lower: return .text(first.text.lowercased())
    case .capitalize: return .text(Self.capitalized(first.text))
    case .trim: return .text(Self.trimmed(first.text))
    case .date(let shift, let format, let parse): return .text(try Self.date(first.text, shift, format, parse))
    case .base64(let isDecoding): return .text(try Self.base64(first.text, isDecoding: isDecoding))
    default: return .number(try calculated(known))
    }
  }

  private func joined(_ values: [TemplateValue?]) -> String {
    let items = values.dropLast().flatMap { $0?.elements.map(\.value.text) ?? [] }
    return items.joined(separator: (values.last ?? nil)?.text ?? "")
  }

  private func compares(_ first: TemplateValue?, _ second: TemplateValue?) -> Bool {
    guard let first, let second else {
      if case .eq = self { return first == nil && second == nil }
      if case .ne = self { return (first == nil) != (second == nil) }
      return false
    }
    switch self {
    case .eq: return first.isEqual(to: second)
    case .ne: return !first.isEqual(to: second)
    case .lt: return first.isLess(than: second)
    case .lte: return !second.isLess(than: first)
    case .gt: return second.isLess(than: first)
    case .gte: return !first.isLess(than: second)
    default:
      if case .list(let values) = first { return values.contains { $0.isEqual(to: second) } }
      return Self.contains(Array(first.text.utf8), Array(second.text.utf8))
    }
  }

  // MARK: - Texts

  /// Whether a string contains another one, in time linear in both (Knuth, Morris and Pratt).
  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard !part.isEmpty else { return true }
    // The lengths of the longest starts of `part` that end at each of its positions.
    var starts = [0]
    for byte in part.dropFirst() { starts.append(extended(starts[starts.count - 1], by: byte, part, starts)) }
    var matched = 0
    for byte in text {
      matched = extended(matched, by: byte, part, starts)
      if matched == part.count { return true }
    }
    return false
  }

  private static func extended(_ count: Int, by byte: UInt8, _ part: [UInt8], _ starts: [Int]) -> Int {
    var count = count
    while count > 0, part[count] != byte { count = starts[count - 1] }
    return part[count] == byte ? count + 1 : count
  }

  private static func capitalized(_ text: String) -> String {
    var isStart = true
    return text.map { character in
      defer { isStart = character.isWhitespace }
      return isStart ? character.uppercased() : String(character)
    }.joined()
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop { $0.isWhitespace }
    return String(start.prefix(upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex))
  }

  private static func base64(_ text: String, isDecoding: Bool) throws(TemplateMistake) -> String {
    guard isDecoding else { return Base64.encode(Array(text.utf8)) }
    guard let bytes = Base64.decode(Array(text.utf8)), let decoded = String(validating: bytes, as: UTF8.self) else {
      throw TemplateMistake(message: "\(quoted(text)) is not a string in base64")
    }
    return decoded
  }

  private static func quoted(_ text: String) -> String { "`\(VisibleText.shortened(text, to: 40))`" }

  // MARK: - Numbers and dates

  private func calculated(_ values: [TemplateValue]) throws(TemplateMistake) -> TemplateNumber {
    var numbers: [TemplateNumber] = []
    for value in values {
      guard let number = value.number else {
        let isTooLong = JSONNumber.isValid(ArraySlice(value.text.utf8))
        throw TemplateMistake(
          message: isTooLong
            ? "\(Self.quoted(value.text)) has more than 18 digits" : "\(Self.quoted(value.text)) is not a number")
      }
      numbers.append(number)
    }
    var result: TemplateNumber? = numbers[0]
    for number in numbers.dropFirst() {
      if number.isZero, isDivision { throw TemplateMistake(message: "the divisor is 0") }
      result = result.flatMap { calculated($0, number) }
    }
    if case .round(let digits) = self { return numbers[0].rounded(to: digits) }
    guard let result else { throw TemplateMistake(message: "the result has more than 18 digits") }
    return result
  }

  var isDivision: Bool {
    switch self {
    case .divide, .modulo: true
    default: false
    }
  }

  private func calculated(_ a: TemplateNumber, _ b: TemplateNumber) -> TemplateNumber? {
    switch self {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    default: a % b
    }
  }

  private static func date(
    _ text: String, _ shift: TimeShift, _ format: TimeFormat, _ parse: TimeFormat?
  ) throws(TemplateMistake) -> String {
    guard let time = parse.map({ $0.time(of: text) }) ?? TimeFormat.time(text) else {
      throw TemplateMistake(
        message: "\(quoted(text)) is not a date",
        help: parse == nil ? "expected a date as in RFC 3339, or `parse` with its format" : nil)
    }
    guard let moved = shift.applied(to: time) else { throw TemplateMistake(message: "the date is out of range") }
    return format.text(moved)
  }
}

extension TemplateValue {
  /// Whether `default` replaces the value: null and an empty text.
  fileprivate var isMissing: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .json(let json): json.isNull || json.isString && json.text.isEmpty
    default: false
    }
  }
}
