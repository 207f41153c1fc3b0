import Testing
import UnderstudySchema

@Suite struct ArraySamplesTests {
  @Test(arguments: [
    #"{"type": ["integer", "boolean"], "minimum": 0, "maximum": 9223372036854775806}"#,
    #"{"type": ["integer", "null"], "minimum": -9223372036854775808, "maximum": 9223372036854775807}"#,
  ])
  func `an unbounded range of integers has enough different elements`(items: String) throws {
    let schema = try SchemaUnderTest(#"{"type": "array", "uniqueItems": true, "minItems": 3, "items": \#(items)}"#)
    #expect(try #require(schema.sample()).count == 3)
  }

  /// Four hundred values each.
  static let few = [
    #"{"type": "integer", "minimum": -100, "maximum": 299}"#,
    #"{"enum": [\#((0..<400).map(String.init).joined(separator: ", "))]}"#,
  ]

  @Test(arguments: few, ["0", "1", "7"])
  func `every one of few values is found at every seed`(items: String, seed: String) throws {
    let schema = try SchemaUnderTest(#"{"type": "array", "uniqueItems": true, "minItems": 400, "items": \#(items)}"#)
    #expect(try #require(schema.sample(seed: seed)).count == 400)
  }

  @Test(arguments: [
    #"{"type": "array", "prefixItems": [{"type": ["integer", "string"]}, {"type": "string"}], "items": false, "contains": {"type": "string"}, "allOf": [{"contains": {"type": "integer"}}]}"#,
    #"{"type": "array", "prefixItems": [{}], "items": false, "contains": {}, "allOf": [{"contains": {}}]}"#,
    #"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "array", "items": [{}, {}], "additionalItems": false, "contains": {"type": "integer"}, "allOf": [{"contains": {"type": "string"}}, {"contains": {"minLength": 2}}]}"#,
    #"{"type": "array", "maxItems": 2, "prefixItems": [{}, {"type": "string"}], "contains": {"type": "string"}, "allOf": [{"contains": {"type": "integer"}}]}"#,
    #"{"type": "array", "prefixItems": [{}, {}, {"type": "string"}], "items": false, "contains": {"type": "string"}, "minContains": 2, "allOf": [{"contains": {"type": "integer"}}]}"#,
  ])
  func `every contains has an element of its own where the array has room`(text: String) throws {
    let schema = try SchemaUnderTest(text)
    let sample = try #require(schema.sample(), "\(schema.conflict() ?? "")")
    #expect(schema.accepts(sample))
  }

  @Test(arguments: [
    #"{"type": "array", "items": {"type": "string"}, "contains": {"type": "integer"}}"#,
    #"{"type": "array", "maxItems": 1, "contains": {"type": "string"}, "allOf": [{"contains": {"type": "integer"}}]}"#,
  ])
  func `a conflict between items and contains is proved`(text: String) throws {
    let schema = try SchemaUnderTest(text)
    #expect(!(try #require(schema.conflict())).hasPrefix(SampleConflict.givenUp))
  }
}
