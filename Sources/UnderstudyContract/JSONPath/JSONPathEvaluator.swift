/// Evaluates the segments of one query over one value.
struct JSONPathEvaluator {
  private let root: JSON
  private let budget: WorkBudget

  /// The work of one step, in units of a budget.
  private static let stepCost = 4
  /// Children that are passed over in one step of a look-up.
  private static let lookUpStride = 16
  /// The maximum size of a pattern that a document holds, in bytes.
  private static let patternLimit = 1_000
  /// The steps that compiling such a pattern takes, and more for each byte.
  private static let patternSteps = 500

  init(root: JSON, steps: Int, within budget: WorkBudget?) {
    self.root = root
    self.budget = WorkBudget(steps * Self.stepCost, within: budget)
  }

  /// Whether the steps did not suffice, so that results are incomplete.
  var isStopped: Bool { budget.isExceeded }

  private func step(_ count: Int = 1) -> Bool { budget.charge(count * Self.stepCost) }

  func nodes(_ segments: [JSONPath.Segment], from start: JSON) -> [JSON] {
    var nodes = [start]
    for segment in segments {
      var selected: [JSON] = []
      for node in nodes {
        guard segment.isDescendant else {
          select(segment.selectors, from: node, into: &selected)
          continue
        }
        // The node before its children, and these in order (section 2.5.2.2).
        var open = [node]
        while let node = open.popLast(), step() {
          select(segment.selectors, from: node, into: &selected)
          open.append(contentsOf: children(of: node).reversed())
        }
      }
      nodes = selected
      if isStopped { return [] }
    }
    return nodes
  }

  private func select(_ selectors: [JSONPath.Selector], from node: JSON, into selected: inout [JSON]) {
    for selector in selectors where step() {
      switch selector {
      case .name(let name):
        guard step(node.count / Self.lookUpStride), let value = node[name] else { continue }
        selected.append(value)
      case .index(let index):
        guard let value = element(index, of: node) else { continue }
        selected.append(value)
      case .wildcard: selected += children(of: node)
      case .slice(let start, let end, let step): slice(node, start, end, step, into: &selected)
      case .filter(let condition):
        for child in children(of: node) where holds(condition, for: child) { selected.append(child) }
      }
    }
  }

  private func children(of node: JSON) -> [JSON] {
    guard step(node.count) else { return [] }
    return node.isArray ? Array(node.elements) : node.distinctMembers.map(\.value)
  }

  private func element(_ index: Int, of node: JSON) -> JSON? {
    guard node.isArray else { return nil }
    let position = index < 0 ? index + node.count : index
    guard 0..<node.count ~= position, step(position / Self.lookUpStride) else { return nil }
    return node[position]
  }

  /// Section 2.3.4.2.2.
  private func slice(_ node: JSON, _ start: Int?, _ end: Int?, _ stride: Int, into selected: inout [JSON]) {
    let count = node.count
    guard node.isArray, stride != 0 else { return }
    func bound(_ index: Int, _ range: ClosedRange<Int>) -> Int {
      let position = index < 0 ? index + count : index
      return min(max(position, range.lowerBound), range.upperBound)
    }
    let elements = children(of: node)
    guard elements.count == count else { return }
    if stride > 0 {
      var position = bound(start ?? 0, 0...count)
      let upper = bound(end ?? count, 0...count)
      while position < upper, step() {
        selected.append(elements[position])
        position += stride
      }
    } else {
      var position = bound(start ?? count - 1, -1...count - 1)
      let lower = end.map { bound($0, -1...count - 1) } ?? -1
      while position > lower, step() {
        selected.append(elements[position])
        position += stride
      }
    }
  }

  // MARK: - Filters

  private func holds(_ condition: JSONPath.Condition, for node: JSON) -> Bool {
    guard step() else { return false }
    switch condition {
    case .any(let conditions): return conditions.contains { holds($0, for: node) }
    case .all(let conditions): return conditions.allSatisfy { holds($0, for: node) }
    case .not(let condition): return !holds(condition, for: node)
    case .exists(let query): return !nodes(query, for: node).isEmpty
    case .comparison(let first, let comparison, let second):
      return compare(value(first, for: node), comparison, value(second, for: node))
    case .match(let text, let expression, let isWhole):
      guard let text = value(text, for: node)?.string, step(text.utf8.count / Self.lookUpStride),
        let pattern = pattern(expression, isWhole: isWhole, for: node)
      else { return false }
      return pattern.matches(text, within: budget) == .yes
    }
  }

  private func nodes(_ query: JSONPath.Query, for node: JSON) -> [JSON] {
    nodes(query.segments, from: query.isRelative ? node : root)
  }

  private func value(_ operand: JSONPath.Operand, for node: JSON) -> JSON? {
    switch operand {
    case .literal(let value): return value
    case .query(let query): return nodes(query, for: node).first
    case .count(let query): return .integer(nodes(query, for: node).count)
    case .value(let query):
      let nodes = nodes(query, for: node)
      return nodes.count == 1 ? nodes[0] : nil
    case .length(let operand):
      guard let value = value(operand, for: node) else { return nil }
      switch value.kind {
      case .string:
        let text = value.text
        return step(text.utf8.count / Self.lookUpStride) ? .integer(text.unicodeScalars.count) : nil
      case .array: return .integer(value.count)
      case .object: return .integer(value.distinctMembers.count)
      default: return nil
      }
    }
  }

  private func pattern(_ expression: JSONPath.Expression, isWhole: Bool, for node: JSON) -> Pattern? {
    switch expression {
    case .fixed(let pattern): return pattern
    case .dynamic(let operand):
      guard let text = value(operand, for: node)?.string, text.utf8.count <= Self.patternLimit,
        step(Self.patternSteps + text.utf8.count)
      else { return nil }
      return try? IRegexp.pattern(text, isWhole: isWhole)
    }
  }

  /// Section 2.3.5.2.2; an absent value equals an absent value alone.
  private func compare(_ first: JSON?, _ comparison: JSONPath.Operator, _ second: JSON?) -> Bool {
    switch comparison {
    case .equal: isEqual(first, second)
    case .unequal: !isEqual(first, second)
    case .less: isLess(first, second)
    case .greater: isLess(second, first)
    case .lessOrEqual: isLess(first, second) || isEqual(first, second)
    case .greaterOrEqual: isLess(second, first) || isEqual(first, second)
    }
  }

  private func isEqual(_ first: JSON?, _ second: JSON?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return JSONComparison().isEqual(first, second, within: budget)
  }

  private func isLess(_ first: JSON?, _ second: JSON?) -> Bool {
    guard let first, let second, first.kind == second.kind else { return false }
    switch first.kind {
    case .number:
      guard let first = first.number, let second = second.number else { return false }
      return first < second
    case .string: return first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
    default: return false
    }
  }
}
