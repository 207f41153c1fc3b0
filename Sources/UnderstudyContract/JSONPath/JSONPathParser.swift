/// Reads a query by the grammar of RFC 9535, section 2, and checks the types of functions (section 2.4.3).
struct JSONPathParser {
  private var cursor: JSONPathCursor
  private(set) var brokenPatterns: [JSONPath.BrokenPattern] = []
  private var depth = 0

  /// The largest index: an exact integer of every JSON implementation (RFC 7493, section 2.2).
  private static let indexLimit = 9_007_199_254_740_991

  init(_ text: String) { cursor = JSONPathCursor(Array(text.utf8)) }

  mutating func query() throws(TextProblem) -> [JSONPath.Segment] {
    guard cursor.bytes.count <= JSONPath.lengthLimit else {
      throw TextProblem(.limit, "the JSONPath is larger than \(JSONPath.lengthLimit) bytes", at: 0..<0)
    }
    guard cursor.take("$") else { throw cursor.problem("expected `$` at the start of a JSONPath") }
    let segments = try segments()
    guard cursor.isAtEnd else { throw cursor.problem("expected `.`, `[` or the end of the JSONPath") }
    return segments
  }

  // MARK: - Segments

  private mutating func segments() throws(TextProblem) -> [JSONPath.Segment] {
    var segments: [JSONPath.Segment] = []
    while true {
      let start = cursor.position
      cursor.skipBlanks()
      if cursor.take("..") {
        segments.append(
          JSONPath.Segment(
            isDescendant: true, selectors: cursor.take("[") ? try bracketed() : [try shorthand()]))
      } else if cursor.take(".") {
        segments.append(JSONPath.Segment(isDescendant: false, selectors: [try shorthand()]))
      } else if cursor.take("[") {
        segments.append(JSONPath.Segment(isDescendant: false, selectors: try bracketed()))
      } else {
        cursor.position = start
        return segments
      }
    }
  }

  private mutating func shorthand() throws(TextProblem) -> JSONPath.Selector {
    if cursor.take("*") { return .wildcard }
    guard let name = cursor.name() else { throw cursor.problem("expected a name, `*` or `[`") }
    return .name(name)
  }

  private mutating func bracketed() throws(TextProblem) -> [JSONPath.Selector] {
    var selectors: [JSONPath.Selector] = []
    repeat {
      cursor.skipBlanks()
      selectors.append(try selector())
      cursor.skipBlanks()
    } while cursor.take(",")
    guard cursor.take("]") else { throw cursor.problem("expected `,` or `]`") }
    return selectors
  }

  private mutating func selector() throws(TextProblem) -> JSONPath.Selector {
    if let text = try cursor.string() { return .name(text) }
    if cursor.take("*") { return .wildcard }
    if cursor.take("?") {
      cursor.skipBlanks()
      return .filter(try nested { parser throws(TextProblem) in try parser.condition() })
    }
    let start = try integer()
    let afterStart = cursor.position
    cursor.skipBlanks()
    guard cursor.take(":") else {
      guard let start else { throw cursor.problem("expected a name in quotes, an index, a slice, `*` or `?`") }
      cursor.position = afterStart
      return .index(start)
    }
    cursor.skipBlanks()
    let end = try integer()
    let afterEnd = cursor.position
    cursor.skipBlanks()
    guard cursor.take(":") else {
      cursor.position = end == nil ? cursor.position : afterEnd
      return .slice(start: start, end: end, step: 1)
    }
    cursor.skipBlanks()
    return .slice(start: start, end: end, step: try integer() ?? 1)
  }

  private mutating func integer() throws(TextProblem) -> Int? {
    let start = cursor.position
    guard let text = cursor.integer() else { return nil }
    guard text != "-0", let number = Int(text), abs(number) <= Self.indexLimit else {
      throw cursor.problem("`\(text)` is not a valid index", from: start)
    }
    return number
  }

  // MARK: - Filters

  /// Bounds the recursion.
  private mutating func nested<T>(
    _ read: (inout JSONPathParser) throws(TextProblem) -> T
  ) throws(TextProblem) -> T {
    guard depth < JSONPath.depthLimit else {
      throw TextProblem(
        .limit, "the JSONPath nests deeper than \(JSONPath.depthLimit) levels",
        at: cursor.position..<cursor.position)
    }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  private mutating func condition() throws(TextProblem) -> JSONPath.Condition {
    var alternatives = [try conjunction()]
    while cursor.takeAfterBlanks("||") {
      cursor.skipBlanks()
      alternatives.append(try conjunction())
    }
    return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
  }

  private mutating func conjunction() throws(TextProblem) -> JSONPath.Condition {
    var parts = [try basic()]
    while cursor.takeAfterBlanks("&&") {
      cursor.skipBlanks()
      parts.append(try basic())
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func basic() throws(TextProblem) -> JSONPath.Condition {
    let isNegated = cursor.take("!")
    if isNegated { cursor.skipBlanks() }
    let condition: JSONPath.Condition
    if cursor.take("(") {
      cursor.skipBlanks()
      condition = try nested { parser throws(TextProblem) in try parser.condition() }
      cursor.skipBlanks()
      guard cursor.take(")") else { throw cursor.problem("expected `)`") }
    } else {
      condition = try testOrComparison(isNegated: isNegated)
    }
    return isNegated ? .not(condition) : condition
  }

  private mutating func testOrComparison(isNegated: Bool) throws(TextProblem) -> JSONPath.Condition {
    let start = cursor.position
    let left = try term()
    let end = cursor.position
    cursor.skipBlanks()
    let sign = cursor.position
    guard !isNegated, let comparison = cursor.comparison() else {
      if isNegated, cursor.comparison() != nil {
        throw cursor.problem("a comparison after `!` needs parentheses", from: sign)
      }
      cursor.position = end
      switch left {
      case .query(let query): return .exists(query)
      case .condition(let condition): return condition
      case .operand:
        throw cursor.problem("a value is not a condition: expected a comparison such as `== 1`", from: start)
      }
    }
    let first = try comparable(left, from: start)
    cursor.skipBlanks()
    let second = cursor.position
    return .comparison(first, comparison, try comparable(try term(), from: second))
  }

  private enum Term {
    case query(JSONPath.Query)
    case operand(JSONPath.Operand)
    case condition(JSONPath.Condition)
  }

  /// A side of a comparison.
  private func comparable(_ term: Term, from start: Int) throws(TextProblem) -> JSONPath.Operand {
    switch term {
    case .operand(let operand): return operand
    case .query(let query) where query.isSingular: return .query(query)
    case .query:
      throw cursor.problem("this query may select several nodes: expected names and indices alone", from: start)
    case .condition: throw cursor.problem("the result of `match` and `search` cannot be compared", from: start)
    }
  }

  private mutating func term() throws(TextProblem) -> Term {
    if cursor.take("@") { return .query(JSONPath.Query(isRelative: true, segments: try nestedSegments())) }
    if cursor.take("$") { return .query(JSONPath.Query(isRelative: false, segments: try nestedSegments())) }
    if let literal = try cursor.literal() { return .operand(.literal(literal)) }
    let start = cursor.position
    guard let name = cursor.functionName() else {
      throw cursor.problem("expected `@`, `$`, a value, a function or `(`")
    }
    return try nested { parser throws(TextProblem) in try parser.function(name, from: start) }
  }

  private mutating func nestedSegments() throws(TextProblem) -> [JSONPath.Segment] {
    try nested { parser throws(TextProblem) in try parser.segments() }
  }

  // MARK: - Functions

  private mutating func function(_ name: String, from start: Int) throws(TextProblem) -> Term {
    guard ["length", "count", "match", "search", "value"].contains(name) else {
      throw cursor.problem("unknown function `\(name)`: expected length, count, match, search or value", from: start)
    }
    var arguments: [(term: Term, start: Int)] = []
    cursor.skipBlanks()
    if !cursor.take(")") {
      repeat {
        cursor.skipBlanks()
        let start = cursor.position
        arguments.append((try term(), start))
        cursor.skipBlanks()
      } while cursor.take(",")
      guard cursor.take(")") else { throw cursor.problem("expected `,` or `)`") }
    }
    let wanted = name == "match" || name == "search" ? 2 : 1
    guard arguments.count == wanted else {
      throw cursor.problem(
        "`\(name)` takes \(wanted.counted("argument")), found \(arguments.count)", from: start)
    }
    switch name {
    case "length": return .operand(.length(try comparable(arguments[0].term, from: arguments[0].start)))
    case "count": return .operand(.count(try nodes(arguments[0].term, of: name, from: arguments[0].start)))
    case "value": return .operand(.value(try nodes(arguments[0].term, of: name, from: arguments[0].start)))
    default:
      let text = try comparable(arguments[0].term, from: arguments[0].start)
      let pattern = try comparable(arguments[1].term, from: arguments[1].start)
      return .condition(.match(text, expression(pattern, isWhole: name == "match"), isWhole: name == "match"))
    }
  }

  private func nodes(_ term: Term, of name: String, from start: Int) throws(TextProblem) -> JSONPath.Query {
    guard case .query(let query) = term else { throw cursor.problem("`\(name)` takes a query", from: start) }
    return query
  }

  private mutating func expression(_ operand: JSONPath.Operand, isWhole: Bool) -> JSONPath.Expression {
    guard case .literal(let literal) = operand else { return .dynamic(operand) }
    guard let text = literal.string else { return .fixed(nil) }
    do {
      return .fixed(try IRegexp.pattern(text, isWhole: isWhole))
    } catch {
      brokenPatterns.append(JSONPath.BrokenPattern(text: text, reason: error.message))
      return .fixed(nil)
    }
  }
}
