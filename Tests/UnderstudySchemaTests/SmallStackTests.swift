import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Values nested as deeply as a text may be, on threads whose stack does not hold them: a word instead of a crash.
struct SmallStackTests {
  /// The libc of Linux may take a stack four times as large, such as one of 512 KiB.
  private static let bytes = 120 << 10
  private static let reason = "the value and its schema are nested too deep for the stack of this thread"

  @Test func `a value too deep for the stack is not validated`() throws {
    let schema = try SchemaText.schema(##"{"items": {"$ref": "#"}, "type": "array"}"##)
    #expect(try Self.verdict(schema, Self.nested("[]")) == "not validated: \(Self.reason)")
    #expect(try Self.accepts(schema, Self.nested("[]")) == false)
    #expect(try Self.accepts(schema, Self.nested("[]", levels: 14)) == true)
    // Turned around it is not accepted either.
    let opposite = try SchemaText.schema(
      ##"{"not": {"$ref": "#/$defs/a"}, "$defs": {"a": {"items": {"$ref": "#/$defs/a"}, "type": "array"}}}"##)
    #expect(try Self.accepts(opposite, Self.nested("1")) == false)
  }

  @Test func `choices in choices are not explained beyond the stack`() throws {
    let schema = try SchemaText.schema(
      ##"{"oneOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#"}}]}"##)
    let message = try #require(try Self.verdict(schema, Self.nested(#""x""#)))
    #expect(message.hasSuffix(Self.reason))
  }

  @Test(arguments: [
    #"{"uniqueItems": true}"#, #"{"const": [0, VALUE]}"#, #"{"enum": [1, VALUE, 2]}"#,
  ])
  func `values too deep for the stack are not compared`(text: String) throws {
    let deep = Self.text("1")
    let schema = try SchemaText.schema(text.replacing("VALUE", with: deep))
    let pair = try SchemaText.parse(text.contains("enum") ? deep : "[\(text.contains("const") ? "0" : deep), \(deep)]")
    #expect(Self.verdict(schema, pair) == "not validated: \(Self.reason)")
    #expect(try SmallStack.runLarge { schema.accepts(pair) } == !text.contains("unique"))
  }

  @Test func `duplicate names are found at any depth`() throws {
    let schema = try SchemaText.schema(#"{"maxProperties": 2, "properties": {"a": {"const": 2}}}"#)
    let value = try SchemaText.parse(#"{"a": 1, "b": \#(Self.text("{}")), "a": 2}"#)
    #expect(Self.accepts(schema, value) == true)
    let nested = try SchemaText.parse(#"[{"a": [1, {}], "a": {"b": [], "c": [[2], 3], "b": null}}, 4]"#)
    let copy = try SchemaText.schema(#"{"const": [{"a": {"b": null, "c": [[2], 3]}}, 4]}"#)
    #expect(Self.accepts(copy, nested) == true)
  }

  private static func text(_ inner: String, levels: Int = 990) -> String {
    String(repeating: "[", count: levels) + inner + String(repeating: "]", count: levels)
  }

  private static func nested(_ inner: String, levels: Int = 990) throws -> JSON {
    try SchemaText.parse(text(inner, levels: levels))
  }

  private static func accepts(_ schema: Schema, _ value: JSON) -> Bool? {
    SmallStack.run(bytes: bytes) { schema.accepts(value) }
  }

  /// The last message there is; `nil` when the value is accepted.
  private static func verdict(_ schema: Schema, _ value: JSON) -> String? {
    SmallStack.run(bytes: bytes) { schema.failures(value).last?.message } ?? nil
  }
}
