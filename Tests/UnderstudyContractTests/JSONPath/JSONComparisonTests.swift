import Testing
import UnderstudyContract
import UnderstudyTestSupport

struct JSONComparisonTests {
  private func isEqual(
    _ value: String, _ expected: String, order: Bool = false, others: Bool = false, ignored: [String] = []
  ) throws -> Bool {
    var comparison = JSONComparison()
    comparison.ignoresOrder = order
    comparison.ignoresOthers = others
    comparison.ignored = try ignored.map { try JSONPath($0) }
    return try comparison.isEqual(JSON(parsing: value), JSON(parsing: expected))
  }

  @Test(arguments: [
    (#"{"a":1,"b":[1,2]}"#, #"{"b":[1,2.0],"a":1}"#, true), ("[1,2]", "[2,1]", false),
    (#"{"a":1}"#, #"{"a":1,"b":2}"#, false),
    (#"{"a":1,"b":2}"#, #"{"a":1}"#, false), ("null", "false", false), (#""\u00e9""#, "\"e\u{301}\"", false),
  ])
  func `values are equal by JSON Schema's rules`(value: String, expected: String, holds: Bool) throws {
    #expect(try isEqual(value, expected) == holds)
  }

  @Test(arguments: [
    ("[1,2,2]", "[2,1,2]", true), ("[1,2,2]", "[1,1,2]", false), ("[[1,2],[3]]", "[[3],[2,1]]", true),
    ("[1]", "[1,1]", false),
  ])
  func `the order of lists is ignored on demand`(value: String, expected: String, holds: Bool) throws {
    #expect(try isEqual(value, expected, order: true) == holds)
  }

  @Test(arguments: [
    (#"{"a":{"b":1,"c":2},"d":3}"#, #"{"a":{"b":1}}"#, true), (#"{"a":{"b":1}}"#, #"{"a":{"b":1,"c":2}}"#, false),
    ("[1,2,3]", "[1,3]", true), ("[1,2,3]", "[3,1]", false),
  ])
  func `a value may have other members and elements`(value: String, expected: String, holds: Bool) throws {
    #expect(try isEqual(value, expected, others: true) == holds)
  }

  @Test func `every expected element has an element of its own`() throws {
    // The first element is part of both values, the second of the second alone.
    let (value, expected) = (#"[{"a":1,"b":2},{"a":1}]"#, #"[{"a":1},{"a":1,"b":2}]"#)
    #expect(try isEqual(value, expected, order: true, others: true))
    #expect(try !isEqual(#"[{"a":1,"b":2}]"#, expected, order: true, others: true))
    let chain = (#"[{"a":1},{"a":1,"b":1},{"a":1,"b":1,"c":1}]"#, #"[{"a":1},{"a":1,"b":1},{"a":1,"b":1,"c":1}]"#)
    #expect(try isEqual(chain.0, chain.1, order: true, others: true))
  }

  @Test func `ignored nodes are left out of both values`() throws {
    let (value, expected) = (
      #"{"id":7,"items":[{"id":1,"n":"a"},{"id":2,"n":"b"}]}"#, #"{"items":[{"n":"a"},{"n":"b","id":9}]}"#
    )
    #expect(try isEqual(value, expected, ignored: ["$..id"]))
    #expect(try !isEqual(value, expected, ignored: ["$.id"]))
  }

  @Test func `a comparison ends at its limit`() throws {
    let first = JSON.array((0..<3_000).map { .integer($0) })
    let second = JSON.array((0..<3_000).reversed().map { .integer($0) })
    var comparison = JSONComparison()
    comparison.ignoresOrder = true
    #expect(!comparison.isEqual(first, second))
    let budget = WorkBudget(100)
    #expect(!JSONComparison().isEqual(first, first, within: budget))
    #expect(budget.isExceeded)
  }

  @Test func `values beyond the maximum depth count as different`() throws {
    func nested(_ depth: Int) throws -> JSON {
      try JSON(parsing: String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    }
    let (first, second) = (try nested(200), try nested(200))
    let (deep, other) = (try nested(900), try nested(900))
    let results = SmallStack.run(bytes: 512 << 10) {
      [JSONComparison().isEqual(first, second), JSONComparison().isEqual(deep, other)]
    }
    #expect(results == [true, false])
  }

  @Test func `wide objects are compared by a table`() throws {
    let members = (0..<5_000).map { ("m\($0)", JSON.integer($0)) }
    #expect(JSONComparison().isEqual(.object(members), .object(members.reversed())))
  }
}
