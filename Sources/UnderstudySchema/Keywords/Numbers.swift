/// `minimum`, `maximum`, their exclusive forms and `multipleOf`: exact at any size.
extension Compiler {
  mutating func compileNumbers(_ schema: SchemaContext) {
    if schema.dialect.has(.booleanExclusive) {
      compileBound(.minimum, isOn(.exclusiveMinimum, of: .minimum, schema) ? .exclusiveMinimum : .minimum, schema)
      compileBound(.maximum, isOn(.exclusiveMaximum, of: .maximum, schema) ? .exclusiveMaximum : .maximum, schema)
    } else {
      compileBound(.minimum, .minimum, schema)
      compileBound(.maximum, .maximum, schema)
      compileBound(.exclusiveMinimum, .exclusiveMinimum, schema)
      compileBound(.exclusiveMaximum, .exclusiveMaximum, schema)
    }
    if let node = schema[.multipleOf] {
      if let number = node.number, !number.isNegative, !number.digits.isEmpty {
        emit(.multipleOf, .number, builder.number(number), at: node, in: schema)
      } else {
        reportWrongValue(.multipleOf, "a number greater than 0", node)
      }
    }
  }

  private mutating func compileBound(
    _ keyword: Keyword, _ operation: Instruction.Operation, _ schema: SchemaContext
  ) {
    guard let node = schema[keyword] else { return }
    guard let number = node.number else { return reportNoNumber(keyword, node, schema) }
    emit(operation, .number, builder.number(number), at: node, in: schema)
  }

  /// Whether the boolean form of an exclusive bound is `true`.
  private mutating func isOn(_ keyword: Keyword, of bound: Keyword, _ schema: SchemaContext) -> Bool {
    guard let node = schema[keyword] else { return false }
    if let isOn = node.bool { return isOn }
    let spelling = node.kind == .number ? node.text : "0"
    let version = schema.dialect.has(.openAPI) ? "OpenAPI 3.1" : "draft 6"
    reportWrongValue(
      keyword, "`true` or `false`", node,
      help:
        "only \(version) and later allow a number; write `\(bound.name): \(spelling)` beside `\(keyword.name): true`")
    return false
  }

  private mutating func reportNoNumber(_ keyword: Keyword, _ node: JSON, _ schema: SchemaContext) {
    var help: String?
    if node.bool != nil, keyword == .exclusiveMinimum || keyword == .exclusiveMaximum {
      help =
        schema.dialect.has(.openAPI)
        ? "only OpenAPI 3.0 and earlier allow a boolean; write the bound itself"
        : "only draft 4 and earlier allow a boolean; write the bound itself, or \(Self.olderDialect)"
    }
    reportWrongValue(keyword, "a number", node, help: help)
  }
}

extension Evaluator {
  /// Less than 0 if the value is below the operand, 0 if equal, more than 0 if above.
  @inline(__always)
  func order(_ index: Int, _ operand: UInt32) -> Int {
    let node = nodes[index]
    let other = numbers[Int(operand)]
    if node.isSmallInteger, other.isInteger {
      let value = Int64(Int32(bitPattern: node.hash))
      return value < other.integer ? -1 : value == other.integer ? 0 : 1
    }
    return exactOrder(node, operand)
  }

  @inline(never)
  private func exactOrder(_ node: JSONDocument.Node, _ operand: UInt32) -> Int {
    let other = numbers[Int(operand)]
    guard affords(costOfNumber(node)) else { return 0 }
    let spelling = text(of: node)
    if other.isInteger, let quick = QuickNumber(spelling) { return quick.order(to: other.integer) }
    if let scaled = other.scaled, let quick = ScaledNumber(spelling) { return quick.order(to: scaled) }
    let value = JSONNumber(spelling: Array(spelling))
    let exact = program.exactNumbers[Int(operand)]
    return value == exact ? 0 : value < exact ? -1 : 1
  }

  /// The cost of reading a number, digit by digit.
  @inline(__always)
  func costOfNumber(_ node: JSONDocument.Node) -> Int { Int(node.count >> 3) }

  func isMultiple(_ index: Int, _ operand: UInt32) -> Bool {
    let node = nodes[index]
    let divisor = numbers[Int(operand)]
    if node.isSmallInteger, divisor.isInteger { return Int64(Int32(bitPattern: node.hash)) % divisor.integer == 0 }
    guard affords(costOfNumber(node)) else { return false }
    if divisor.isInteger {
      if let quick = QuickNumber(text(of: node)) { return !quick.hasFraction && quick.floor % divisor.integer == 0 }
    }
    if let scaled = divisor.scaled, let quick = ScaledNumber(text(of: node)) { return quick.isMultiple(of: scaled) }
    let number = JSONNumber(spelling: Array(text(of: node)))
    let exact = program.exactNumbers[Int(operand)]
    charge(number.stepsOfDivision(by: exact) >> 4)
    guard hasFuel else {
      stop(.digits)
      return false
    }
    return number.isMultiple(of: exact)
  }
}

/// A number with up to 18 digits before the point and no exponent, rounded down.
struct QuickNumber {
  var floor: Int64
  var hasFraction: Bool

  @inline(__always)
  init?(_ spelling: UnsafeBufferPointer<UInt8>) {
    var position = 0
    let isNegative = spelling.first == UInt8(ascii: "-")
    if isNegative { position = 1 }
    let first = position
    var whole: Int64 = 0
    while position < spelling.count, 48...57 ~= spelling[position] {
      guard position - first < 18 else { return nil }
      whole = whole &* 10 &+ Int64(spelling[position] &- 48)
      position += 1
    }
    hasFraction = false
    if position < spelling.count {
      guard spelling[position] == UInt8(ascii: ".") else { return nil }
      position += 1
      while position < spelling.count {
        guard 48...57 ~= spelling[position] else { return nil }
        if spelling[position] != 48 { hasFraction = true }
        position += 1
      }
    }
    floor = isNegative ? -whole - (hasFraction ? 1 : 0) : whole
  }

  func order(to integer: Int64) -> Int { floor < integer ? -1 : floor > integer || hasFraction ? 1 : 0 }
}

extension FailureCollector {
  func numberFailure(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    let node = origin(instruction)
    let limit = Wording.quote(node)
    let keyword = node.keyName ?? ""
    let expected =
      switch instruction.operation {
      case .minimum: "at least \(limit)"
      case .maximum: "at most \(limit)"
      case .exclusiveMinimum: "more than \(limit)"
      case .exclusiveMaximum: "less than \(limit)"
      default: "a multiple of \(limit)"
      }
    return KeywordFailure(keyword, "expected \(expected), found \(Wording.quote(value))")
  }
}
