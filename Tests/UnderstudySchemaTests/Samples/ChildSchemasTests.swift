import Testing
import UnderstudySchema

@Suite struct ChildSchemasTests {
  @Test(arguments: [
    #"{"type": "object", "required": ["a", "b"], "unevaluatedProperties": false, "anyOf": [{"properties": {"a": true}}, {"properties": {"b": true}}]}"#,
    #"{"type": "object", "required": ["a", "b"], "unevaluatedProperties": false, "anyOf": [{"properties": {"a": {"type": "boolean"}}}, {"properties": {"b": {"type": "integer"}}}]}"#,
    #"{"type": "object", "required": ["a"], "unevaluatedProperties": false, "allOf": [{"unevaluatedProperties": {"type": "integer"}}]}"#,
    #"{"type": "object", "minProperties": 1, "unevaluatedProperties": false, "allOf": [{"unevaluatedProperties": {"type": "integer"}}]}"#,
    #"{"type": "object", "required": ["a"], "unevaluatedProperties": false, "if": {"properties": {"a": true}}}"#,
    #"{"type": "object", "required": ["a"], "unevaluatedProperties": false, "if": {"properties": {"a": {"const": 7}}}}"#,
    #"{"type": "object", "required": ["a"], "unevaluatedProperties": false, "if": {"patternProperties": {"^a": {"type": "integer"}}}}"#,
    #"{"type": "object", "required": ["a"], "unevaluatedProperties": false, "if": {"additionalProperties": {"type": "null"}}}"#,
  ])
  func `a sample has a property that is evaluated without being declared`(text: String) throws {
    let schema = try SchemaUnderTest(text)
    let sample = try #require(schema.sample(), "\(schema.conflict() ?? "")")
    #expect(schema.accepts(sample))
  }

  @Test(arguments: [
    #"{"type": "array", "unevaluatedItems": false, "contains": {"const": 3}}"#,
    #"{"type": "array", "minItems": 2, "unevaluatedItems": false, "contains": {"const": 3}}"#,
    #"{"type": "array", "unevaluatedItems": {"type": "string"}, "contains": {"type": "integer"}}"#,
    #"{"type": "array", "minItems": 1, "unevaluatedItems": false, "allOf": [{"unevaluatedItems": {"type": "integer"}}]}"#,
    #"{"type": "array", "minItems": 1, "unevaluatedItems": false, "if": {"items": {"type": "integer"}}}"#,
    #"{"type": "array", "minItems": 1, "unevaluatedItems": false, "if": {"contains": {"const": 3}}}"#,
    #"{"type": "array", "minItems": 2, "uniqueItems": true, "unevaluatedItems": {"const": 1}, "contains": {"const": 2}}"#,
  ])
  func `a sample has an element that is evaluated without being declared`(text: String) throws {
    let schema = try SchemaUnderTest(text)
    let sample = try #require(schema.sample(), "\(schema.conflict() ?? "")")
    #expect(schema.accepts(sample))
  }

  @Test(arguments: [
    #"{"type": "object", "required": ["a"], "unevaluatedProperties": false}"#,
    #"{"type": "array", "minItems": 1, "unevaluatedItems": false}"#,
  ])
  func `a conflict is proved where no other keyword evaluates`(text: String) throws {
    let schema = try SchemaUnderTest(text)
    #expect(!(try #require(schema.conflict())).hasPrefix(SampleConflict.givenUp))
  }

  /// Three branches of which two must be taken: `{"a": 1, "b": 1}`, if only the search went so far.
  @Test func `an unfinished search proves no conflict`() throws {
    let branches = ["a", "b", "c"].map { #"{"required": ["\#($0)"], "properties": {"\#($0)": {"const": 1}}}"# }
    let schema = try SchemaUnderTest(
      #"{"type": "object", "required": ["a", "b"], "maxProperties": 2, "unevaluatedProperties": false, "anyOf": [\#(branches.joined(separator: ", "))]}"#
    )
    #expect(schema.conflict()?.hasPrefix(SampleConflict.givenUp) ?? true)
  }
}
