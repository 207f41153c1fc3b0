import Testing
import UnderstudyDiff
import UnderstudyTestSupport

/// Differences that a comparison of single keywords misses.
@Suite struct HiddenDifferenceTests {
  typealias Pair = SchemaComparisonTests.Pair

  static let pairs: [Pair] = [
    // A value of an enumeration that no alternative lists.
    Pair(
      "{type: object, required: [k], properties: {k: {enum: [a, b, c]}}}",
      "{type: object, anyOf: [{required: [k], properties: {k: {const: a}}}, {required: [k], properties: {k: {const: b}}}]}",
      "alternative : {\"k\":\"c\"}"),
    Pair("{type: number}", "{not: {type: integer}}", "type integer: 1"),
    // Patterns of names that overlap.
    Pair(
      "{type: object, patternProperties: {\"^ab\": {type: integer}}, additionalProperties: false}",
      "{type: object, patternProperties: {\"^a\": {type: string}}}", "type /* number: {\"ab\":1}"),
    Pair(
      "{type: object, patternProperties: {\"^a\": {type: string}}, additionalProperties: {type: integer}}",
      "{type: object, patternProperties: {\"^a\": {type: string}, \"^ab\": {type: integer}}, additionalProperties: {type: integer}}",
      "type /* string: {\"ab\":\"text\"}"),
    Pair(
      "{type: object, patternProperties: {\"^a\": {type: integer}}, additionalProperties: {type: string}}",
      "{allOf: [{type: object, patternProperties: {\"^a\": {type: integer}}}, {additionalProperties: {type: string}}]}",
      "type /* number: {\"a\":1}"),
    // An equal `oneOf` inside one alternative says nothing about the other alternative.
    Pair(
      "{anyOf: [{oneOf: [{type: object}, {type: object, required: [a]}]}, {type: object}]}",
      "{oneOf: [{type: object}, {type: object, required: [a]}]}", "keyword oneOf: {\"a\":\"text\"}"),
    // A boolean limit has no meaning in OpenAPI 3.1.
    Pair(
      "{type: number, minimum: 1, exclusiveMinimum: true}", "{type: number, exclusiveMinimum: 1}",
      "range exclusiveMinimum: 1"),
  ]

  @Test(arguments: pairs)
  func `a value that one side refuses proves a difference`(_ pair: Pair) throws {
    let found = try SchemaComparisonTests.differences(pair.sub, pair.sup)
    #expect(found.filter { !$0.hasSuffix(": stated") } == pair.differences)
  }

  @Test func `a difference beyond a hundred harmless ones is found`() throws {
    let names = (0..<150).map { "p\($0): {}" }.joined(separator: ", ")
    let found = try SchemaComparisonTests.differences(
      "{type: object, properties: {\(names)}}", "{type: object, maxProperties: 1}")
    #expect(found.contains { $0.hasPrefix("size maxProperties: {") })
  }

  @Test func `a conjunction beyond the limit of a view is undecided`() throws {
    let parts = (0..<300).map { "{type: object, minProperties: \($0 / 100)}" }.joined(separator: ", ")
    let conjunction = "{allOf: [\(parts), {type: object, required: [a]}]}"
    func found(_ more: String) throws -> [String] {
      try SchemaComparisonTests.differences("{type: object, minProperties: 2\(more)}", conjunction)
    }
    #expect(try found(", required: [a]") == ["keyword allOf: undecided"])
    #expect(try found("") == ["keyword allOf: {\"1\":\"text\",\"2\":\"text\"}"])
  }

  @Test func `tuples beyond a limit are undecided`() throws {
    let elements = (0..<1_100).map { _ in "{type: string}" }.joined(separator: ", ")
    let found = try SchemaComparisonTests.differences(
      "{type: array, prefixItems: [\(elements)]}",
      "{type: array, prefixItems: [\(elements), {type: integer}]}")
    #expect(found == ["keyword prefixItems: undecided"])
  }

  @Test(arguments: [
    Pair(
      "{type: object, patternProperties: {\"^ab\": {type: integer}}, additionalProperties: false}",
      "{type: object, patternProperties: {\"^a\": {type: number}}}"),
    Pair(
      "{type: object, patternProperties: {\"^a\": {type: integer}}, additionalProperties: false}",
      "{type: object, patternProperties: {\"^b\": {type: string}}}"),
    Pair(
      "{type: object, patternProperties: {\"^ab\": {type: integer}}, additionalProperties: false}",
      "{type: object, patternProperties: {\"^a\": {type: integer}}, additionalProperties: false}"),
    Pair(
      "{type: object, required: [a], properties: {a: {type: integer}}}",
      "{oneOf: [{type: object, required: [a], properties: {a: {type: number}}}, {type: object, required: [a], properties: {a: {type: string}}}, {type: object, required: [a], properties: {a: {type: [string, boolean]}}}]}"
    ),
    Pair("{not: {type: integer}, type: number}", "{not: {type: integer}}"),
    Pair("{type: string}", "{type: string, format: int64}", version: "3.0.3"),
  ])
  func `a pair whose values agree has no difference`(_ pair: Pair) throws {
    let found = try SchemaComparisonTests.differences(pair.sub, pair.sup, version: pair.version)
    #expect(found.filter { !$0.hasSuffix(": stated") } == [])
  }
}
