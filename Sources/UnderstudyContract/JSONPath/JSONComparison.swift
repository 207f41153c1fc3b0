/// Equality of JSON values, in which some differences may count as none.
package struct JSONComparison: Sendable, Hashable {
  /// Whether lists are equal in any order.
  package var ignoresOrder = false
  /// Whether the value may have members and elements besides those expected.
  package var ignoresOthers = false
  /// The nodes that are left out of both values, by queries whose root is the value.
  package var ignored: [JSONPath] = []

  package init() {}

  /// Whether a value equals the expected one: numbers by value, strings by scalars, objects without order.
  ///
  /// - Parameter budget: Pays for each pair of values; without enough of it the values count as different.
  package func isEqual(_ value: JSON, _ expected: JSON, within budget: WorkBudget? = nil) -> Bool {
    var run = Run(rules: self, budget: WorkBudget(Self.stepLimit * Run.stepCost, within: budget))
    for path in ignored {
      guard let mine = path.nodes(in: value, within: budget), let theirs = path.nodes(in: expected, within: budget)
      else { return false }
      run.ignoredInValue.formUnion(mine.map(\.index))
      run.ignoredInExpected.formUnion(theirs.map(\.index))
    }
    return run.isEqual(value, expected, depth: 0) && !run.budget.isExceeded
  }

  /// The maximum number of pairs of values that one comparison looks at.
  package static let stepLimit = 2_000_000
  /// The maximum depth of compared values; deeper values count as different.
  package static let depthLimit = 250
}

/// One comparison.
private struct Run {
  let rules: JSONComparison
  let budget: WorkBudget
  /// The indices of the nodes in their documents.
  var ignoredInValue: Set<Int> = []
  var ignoredInExpected: Set<Int> = []

  /// The work of one pair, in units of a budget.
  static let stepCost = 4
  /// Objects with more members are looked up by a table.
  private static let tableSize = 16

  func isEqual(_ value: JSON, _ expected: JSON, depth: Int) -> Bool {
    guard depth <= JSONComparison.depthLimit, value.kind == expected.kind,
      budget.charge((1 + max(value.count, expected.count)) * Self.stepCost)
    else {
      return false
    }
    switch value.kind {
    case .null, .true, .false: return true
    case .string:
      let (first, second) = (value.text, expected.text)
      budget.charge(min(first.utf8.count, second.utf8.count) / 8)
      return first.utf8Equals(second)
    case .number: return value == expected
    case .array:
      return areEqual(
        elements(of: value, isExpected: false), elements(of: expected, isExpected: true), depth: depth + 1)
    case .object: return isEqualObject(value, expected, depth: depth + 1)
    }
  }

  private func elements(of value: JSON, isExpected: Bool) -> [JSON] {
    let ignored = isExpected ? ignoredInExpected : ignoredInValue
    return ignored.isEmpty ? Array(value.elements) : value.elements.filter { !ignored.contains($0.index) }
  }

  private func isEqualObject(_ value: JSON, _ expected: JSON, depth: Int) -> Bool {
    let mine = value.distinctMembers.filter { !ignoredInValue.contains($0.value.index) }
    let wanted = expected.distinctMembers.filter { !ignoredInExpected.contains($0.value.index) }
    guard rules.ignoresOthers ? mine.count >= wanted.count : mine.count == wanted.count else { return false }
    let table = wanted.count > Self.tableSize ? value.memberTable : [:]
    return wanted.allSatisfy { member in
      guard let found = table.isEmpty ? value[member.name] : table[member.key.bytes],
        !ignoredInValue.contains(found.index)
      else { return false }
      return isEqual(found, member.value, depth: depth)
    }
  }

  // MARK: - Lists

  private func areEqual(_ values: [JSON], _ expected: [JSON], depth: Int) -> Bool {
    guard rules.ignoresOthers ? values.count >= expected.count : values.count == expected.count else { return false }
    if rules.ignoresOrder { return haveMatching(values, expected, depth: depth) }
    if !rules.ignoresOthers { return zip(values, expected).allSatisfy { isEqual($0, $1, depth: depth) } }
    // Other elements may stand between: the first equal one is as good as any later one.
    var rest = values[...]
    return expected.allSatisfy { wanted in
      guard let index = rest.firstIndex(where: { isEqual($0, wanted, depth: depth) }) else { return false }
      rest = rest[(index + 1)...]
      return true
    }
  }

  /// Whether each expected element has a value of its own that equals it.
  ///
  /// An element takes the value of another one if that one finds a different value: two expected objects may both be part
  /// of one value, and one of them of another value too.
  private func haveMatching(_ values: [JSON], _ expected: [JSON], depth: Int) -> Bool {
    var owner = [Int?](repeating: nil, count: values.count)
    for start in expected.indices {
      var visited = Set<Int>()
      var previous: [Int: Int] = [:]
      var open = [start]
      var free: Int?
      // Depth first over expected elements; `previous` leads from a value to the element that wants it.
      search: while let wanted = open.popLast() {
        for index in values.indices
        where !visited.contains(index) && isEqual(values[index], expected[wanted], depth: depth) {
          visited.insert(index)
          previous[index] = wanted
          guard let taken = owner[index] else {
            free = index
            break search
          }
          // Without `ignoresOthers` equality is transitive: another value of the owner would be found here as well.
          if rules.ignoresOthers { open.append(taken) }
        }
        if budget.isExceeded { return false }
      }
      guard var index = free else { return false }
      while let wanted = previous[index] {
        let released = owner.firstIndex { $0 == wanted }
        owner[index] = wanted
        guard wanted != start, let released else { break }
        index = released
      }
    }
    return true
  }
}
