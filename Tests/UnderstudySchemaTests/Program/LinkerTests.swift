import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Programs whose small blocks are copied to where they are called.
struct LinkerTests {
  /// What a schema behind references says must not depend on how its block is laid out.
  @Test(arguments: [
    (##"{"properties": {"a": true}, "allOf": [{"$ref": "#/$defs/x"}], "unevaluatedProperties": false}"##, #"{"a": 1}"#),
    (
      ##"{"properties": {"a": true}, "allOf": [{"allOf": [{"$ref": "#/$defs/x"}]}], "unevaluatedProperties": false}"##,
      #"{"a": 1}"#
    ),
    (##"{"properties": {"a": true}, "allOf": [{"$ref": "#/$defs/alias"}], "unevaluatedItems": false}"##, #"{"a": 1}"#),
    (##"{"prefixItems": [true], "allOf": [{"$ref": "#/$defs/y"}], "unevaluatedItems": false}"##, "[1]"),
  ])
  func `properties that a part does not evaluate stay unevaluated in the enclosing schema`(
    schema: String, value: String
  ) throws {
    let definitions =
      ##"{"$defs": {"x": {"unevaluatedProperties": false}, "y": {"unevaluatedItems": false}, "##
      + ##""alias": {"$ref": "#/$defs/x"}}, "##
    let node = try SchemaText.parse(definitions + schema.dropFirst())
    let value = try SchemaText.parse(value)
    for traces in [false, true] {
      let schema = SchemaLibrary(dialect: .draft2020, traces: traces).schema(at: node)
      #expect(!schema.accepts(value))
      #expect(!schema.failures(value).isEmpty)
    }
  }

  @Test func `an inlined part still evaluates for the enclosing schema`() throws {
    let schema =
      ##"{"allOf": [{"$ref": "#/$defs/x"}], "unevaluatedProperties": false, "$defs": {"x": {"properties": {"a": true}}}}"##
    #expect(try SchemaText.failures(schema, #"{"a": 1}"#).isEmpty)
    #expect(try SchemaText.failures(schema, #"{"b": 1}"#).count == 1)
  }
}
