import Testing
import Understudy

@Suite struct NearMissTests {
  static let schemas: [(schema: String, misses: [String])] = [
    (#"{"type": "string", "minLength": 3, "maxLength": 5}"#, ["minLength ", "maxLength ", "type "]),
    (#"{"type": "string", "pattern": "^[a-z]{3}$"}"#, ["pattern "]),
    (#"{"type": "integer", "minimum": 3, "maximum": 8}"#, ["minimum ", "maximum ", "type "]),
    (#"{"type": "integer", "multipleOf": 10}"#, ["multipleOf "]),
    (#"{"type": "number", "exclusiveMinimum": 0}"#, ["exclusiveMinimum "]),
    (#"{"enum": ["a", "b"]}"#, ["enum "]),
    (#"{"type": "boolean", "enum": [true]}"#, ["enum "]),
    (#"{"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "string"}, {"type": "null"}]}"#, ["anyOf "]),
    (#"{"const": 3}"#, ["const "]),
    (
      #"{"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2, "uniqueItems": true}"#,
      ["minItems ", "maxItems ", "uniqueItems ", "type ", "type /0"]
    ),
    (
      #"{"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {"minimum": 1, "type": "integer"}}, "additionalProperties": false}"#,
      ["required ", "additionalProperties /unexpected", "type /a", "minimum /b"]
    ),
    (
      #"{"type": "object", "maxProperties": 2, "minProperties": 1, "additionalProperties": {"type": "string"}}"#,
      ["maxProperties ", "minProperties ", "type /key"]
    ),
    (#"{"type": "string", "not": {"const": "x"}}"#, ["not "]),
    (
      #"{"oneOf": [{"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "maxLength": 9}}}, {"type": "integer"}]}"#,
      ["maxLength /a"]
    ),
  ]

  @Test(arguments: schemas)
  func `each keyword is missed, and nothing else`(schema: String, misses: [String]) throws {
    let schema = try SchemaUnderTest(schema)
    let found = schema.nearMisses()
    for miss in found { #expect(!schema.accepts(miss.value)) }
    #expect(Set(misses).subtracting(found.map { "\($0.keyword) \($0.instance)" }).isEmpty)
  }

  @Test func `every required property is missed once`() throws {
    let schema = try SchemaUnderTest(
      #"{"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#)
    let texts = schema.nearMisses().filter { $0.keyword == "required" }.map { JSONWriter.text($0.value) }
    #expect(texts == [#"{"b":"text"}"#, #"{"a":"text"}"#])
  }
}
