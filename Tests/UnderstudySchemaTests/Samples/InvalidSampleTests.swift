import Testing
import UnderstudySchema

@Suite struct InvalidSampleTests {
  @Test func `only some of very many properties are left out`() throws {
    let names = (0..<6_000).map { "\"p\($0)\"" }.joined(separator: ", ")
    let misses = try SchemaUnderTest(#"{"type": "object", "required": [\#(names)]}"#).invalidSamples()
    #expect(misses.contains { $0.keyword == "required" })
    #expect(misses.count < 200)
  }

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
      ["maxProperties ", "minProperties ", "type /1"]
    ),
    (#"{"type": "string", "not": {"const": "x"}}"#, ["not "]),
    (
      #"{"oneOf": [{"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "maxLength": 9}}}, {"type": "integer"}]}"#,
      ["maxLength /a"]
    ),
    (
      #"{"type": "object", "required": ["unexpected"], "properties": {"unexpected": {"type": "integer"}}, "additionalProperties": false}"#,
      ["required ", "additionalProperties /unexpected2"]
    ),
    (
      #"{"type": "object", "minProperties": 2, "required": ["a"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#,
      ["required ", "minProperties "]
    ),
    (
      #"{"type": "array", "contains": {"type": "string"}, "maxContains": 2, "minItems": 1}"#,
      ["contains ", "maxContains "]
    ),
    (
      #"{"type": "object", "propertyNames": {"pattern": "^[a-c]{2}$"}, "properties": {"aa": {}}, "additionalProperties": false}"#,
      ["additionalProperties"]
    ),
    (
      #"{"type": "object", "propertyNames": {"pattern": "^[a-c]{2}$"}, "properties": {"aa": {}}, "unevaluatedProperties": false}"#,
      ["unevaluatedProperties"]
    ),
    (#"{"dependentRequired": {"a": ["b"]}}"#, ["dependentRequired "]),
    (#"{"dependentSchemas": {"a": {"required": ["b"]}}}"#, ["required "]),
  ]

  private static func hasDistinctNames(_ value: JSON) -> Bool {
    Set(value.members.map { Array($0.name.utf8) }).count == value.count || !value.isObject
  }

  @Test(arguments: schemas)
  func `each invalid sample breaks one keyword and no other`(text: String, misses: [String]) throws {
    let schema = try SchemaUnderTest(text)
    let found = schema.invalidSamples()
    // Validated by a library of its own, so that a mix-up of programs would show.
    let validator = try SchemaUnderTest(text)
    for miss in found {
      let failures = validator.library.schema(at: validator.node).failures(miss.value)
      #expect(failures.contains { $0.keyword == miss.keyword && $0.instance == miss.instance })
      #expect(miss.value.document.duplicates.isEmpty && Self.hasDistinctNames(miss.value))
    }
    for wanted in misses { #expect(found.contains { "\($0.keyword) \($0.instance)".hasPrefix(wanted) }) }
  }

  @Test func `each required property is left out once`() throws {
    let schema = try SchemaUnderTest(
      #"{"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#)
    let texts = schema.invalidSamples().filter { $0.keyword == "required" }.map { JSONWriter.text($0.value) }
    #expect(texts == [#"{"b":"text"}"#, #"{"a":"text"}"#])
  }

  @Test(arguments: [
    (#"{"enum": [0, 1]}"#, "enum", "2"), (#"{"type": "integer", "multipleOf": 3}"#, "multipleOf", "4"),
    (#"{"type": "number", "multipleOf": 0.5}"#, "multipleOf", "1.75"),
    (#"{"type": "integer", "minimum": 0}"#, "minimum", "-1"),
  ])
  func `an invalid number is as close to the bound as possible`(schema: String, keyword: String, value: String) throws {
    let miss = try #require(try SchemaUnderTest(schema).invalidSamples().first { $0.keyword == keyword })
    #expect(JSONWriter.text(miss.value) == value)
  }

  @Test func `a schema without assertions has no invalid samples`() throws {
    for text in ["true", "{}", #"{"title": "anything"}"#] {
      let schema = try SchemaUnderTest(text)
      #expect(SampleGenerator(schemas: schema.library, seed: "0").acceptsEverything(schema.node, direction: .either))
      #expect(schema.invalidSamples().isEmpty)
    }
    let schema = try SchemaUnderTest(#"{"minimum": 1}"#)
    #expect(!SampleGenerator(schemas: schema.library, seed: "0").acceptsEverything(schema.node, direction: .either))
  }

  @Test(arguments: [
    (#"{"required": ["a"], "oneOf": [{"type": "integer"}, {"type": "boolean"}]}"#, "required"),
    (#"{"minItems": 2, "oneOf": [{"type": "integer"}, {"type": "string"}]}"#, "minItems"),
    (#"{"pattern": "^a", "anyOf": [{"type": "integer"}, {"type": "boolean"}]}"#, "pattern"),
    (#"{"contains": {"type": "object"}, "anyOf": [{"type": "integer"}]}"#, "contains"),
  ])
  func `a value that breaks a choice and another keyword is not an invalid sample`(
    schema: String, keyword: String
  ) throws {
    let misses = try SchemaUnderTest(schema).invalidSamples()
    #expect(!misses.contains { $0.keyword == keyword })
    #expect(misses.contains { $0.keyword == "oneOf" || $0.keyword == "anyOf" })
  }

  @Test func `a value that breaks a branch behind a reference is an invalid sample`() throws {
    let misses = try SchemaUnderTest(
      ##"{"oneOf": [{"$ref": "#/$defs/text"}, {"type": "integer"}], "$defs": {"text": {"type": "string", "minLength": 3}}}"##
    ).invalidSamples()
    #expect(misses.contains { $0.keyword == "minLength" })
  }
}
