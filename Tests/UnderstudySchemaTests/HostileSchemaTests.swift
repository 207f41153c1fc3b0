import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Schemas and values that were made to hurt: bounded time, bounded stack, and a clear word.
struct HostileSchemaTests {
  @Test(arguments: [
    ##"{"$ref": "#"}"##,
    ##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [true, {"$ref": "#/$defs/a"}]}}}"##,
    ##"{"not": {"$ref": "#"}}"##,
    ##"{"$dynamicAnchor": "x", "$dynamicRef": "#x"}"##,
  ])
  func `a circular schema is a problem, and no value passes`(text: String) throws {
    let schema = try SchemaText.schema(text)
    #expect(schema.problems.map(\.rule.id).contains("spec.schema.ref.loop"))
    #expect(!schema.accepts(1))
    #expect(schema.failures(1).map(\.message) == ["not validated: the schema refers to itself"])
  }

  @Test(arguments: [
    (##"{"dependentSchemas": {"a": {"$ref": "#"}}}"##, #"{"b": 1}"#, #"{"a": 1}"#),
    (##"{"if": {"type": "string"}, "then": {"$ref": "#"}}"##, "1", #""a""#),
    (##"{"if": {"type": "string"}, "else": {"$ref": "#"}}"##, #""a""#, "1"),
  ])
  func `a circle behind a condition affects only values that follow it`(
    schema: String, other: String, runner: String
  ) throws {
    let schema = try SchemaText.schema(schema)
    #expect(schema.problems.isEmpty)
    #expect(schema.accepts(try SchemaText.parse(other)))
    guard case .notValidated = schema.verdict(try SchemaText.parse(runner)) else {
      Issue.record("validated")
      return
    }
  }

  @Test func `a recursive schema that goes deeper into the value is not circular`() throws {
    let schema = try SchemaText.schema(##"{"properties": {"next": {"$ref": "#"}}, "type": "object"}"##)
    #expect(schema.problems.isEmpty)
    #expect(schema.accepts(["next": ["next": [:]]]))
    #expect(!schema.accepts(["next": ["next": 1]]))
  }

  @Test func `a value of a thousand levels is validated`() throws {
    let schema = try SchemaText.schema(##"{"items": {"$ref": "#"}, "type": "array"}"##)
    func nested(_ inner: String) throws -> JSON {
      try SchemaText.parse(String(repeating: "[", count: 999) + inner + String(repeating: "]", count: 999))
    }
    let (right, wrong) = (try nested("[]"), try nested("1"))
    #expect(try SmallStack.runLarge { schema.accepts(right) })
    #expect(try SmallStack.runLarge { schema.failures(wrong) }.map(\.keyword) == ["type"])
  }

  @Test func `a schema with many turns at every level is abandoned before the stack overflows`() throws {
    let schema = try SchemaText.schema(
      ##"{"not": {"not": {"anyOf": [{"not": {"not": {"items": {"$ref": "#"}}}}]}}}"##)
    let value = try SchemaText.parse(String(repeating: "[", count: 999) + String(repeating: "]", count: 999))
    #expect(try !SmallStack.runLarge { schema.accepts(value) })
    #expect(
      try SmallStack.runLarge { schema.failures(value) }.last?.message
        == "not validated: the value and its schema are nested deeper than 3000 rules")
  }

  @Test func `references in a chain of thousands compile and run`() throws {
    let links = (0..<5_000).map {
      ##""d\##($0)": {"allOf": [{"$ref": "#/$defs/d\##($0 + 1)"}], "maximum": \##(10_000 - $0)}"##
    }
    let text = ##"{"$ref": "#/$defs/d0", "$defs": {"## + links.joined(separator: ", ") + #", "d5000": {"minimum": 3}}}"#
    let schema = try SchemaText.schema(text)
    #expect(schema.accepts(4))
    #expect(!schema.accepts(2))
    #expect(!schema.accepts(6_000))
  }

  @Test func `a schema that doubles at every step is abandoned with a reason`() throws {
    let doubling = (0..<60).map { index in
      ##""d\##(index)": {"allOf": [{"$ref": "#/$defs/d\##(index + 1)"}, {"$ref": "#/$defs/d\##(index + 1)"}]}"##
    }
    let schema = try SchemaText.schema(
      ##"{"$ref": "#/$defs/d0", "$defs": {"## + doubling.joined(separator: ", ") + #", "d60": {"minimum": 3}}}"#)
    // The usual fuel would last some seconds; with any the end is the same.
    #expect(!schema.accepts(4, fuel: 100_000))
    guard case .notValidated(let reason) = schema.verdict(4, fuel: 100_000) else {
      Issue.record("it was validated")
      return
    }
    #expect(
      reason.message == "not validated: too expensive, since the schema has too many combinations of alternatives")
  }

  @Test func `elements are compared by value, however many they are`() throws {
    let schema = try SchemaText.schema(#"{"uniqueItems": true}"#)
    let numbers = try SchemaText.parse("[" + (0..<200_000).map(String.init).joined(separator: ",") + "]")
    #expect(schema.accepts(numbers))
    let objects = try SchemaText.parse(
      "[" + (0..<20_000).map { #"{"a": \#($0), "b": [1.0]}"# }.joined(separator: ",") + "]")
    #expect(schema.accepts(objects))
    let pair = #"{"a": 1, "b": 2}, {"b": 2.0, "a": 1}"#
    #expect(!schema.accepts(try SchemaText.parse("[0, 1, 2, 3, 4, 5, 6, 7, 8, \(pair)]")))
  }

  @Test func `a pattern that backtracks without end is abandoned`() throws {
    let schema = try SchemaText.schema(#"{"pattern": "^(a+)+$"}"#)
    let value = JSON.string(String(repeating: "a", count: 60) + "!")
    #expect(!schema.accepts(value))
    #expect(
      schema.failures(value).map(\.message) == [
        "not validated: the pattern `^(a+)+$` needs too many steps on string \(JSONWriter.text(value))"
      ])
    // Not even turned around.
    #expect(try !SchemaText.schema(#"{"not": {"pattern": "^(a+)+$"}}"#).accepts(value))
  }

  @Test func `duplicate keys count once, as the last`() throws {
    let schema = try SchemaText.schema(
      #"{"properties": {"a": {"type": "string"}}, "required": ["a", "b"], "maxProperties": 2}"#)
    #expect(schema.accepts(try SchemaText.parse(#"{"a": 1, "b": 0, "a": "x"}"#)))
    #expect(!schema.accepts(try SchemaText.parse(#"{"a": "x", "b": 0, "a": 1}"#)))
    #expect(!schema.accepts(try SchemaText.parse(#"{"a": "x", "a": "x"}"#)))
  }

  @Test func `numbers of any size are exact`() throws {
    let cases: [(String, String, Bool)] = [
      (#"{"const": 9007199254740993}"#, "9007199254740992", false),
      (#"{"maximum": 1e400}"#, "1e399", true), (#"{"maximum": 1e400}"#, "1e401", false),
      (#"{"multipleOf": 0.01}"#, "19.99", true), (#"{"multipleOf": 0.0001}"#, "0.00751", false),
      (#"{"multipleOf": 7}"#, "7e1000000", true), (#"{"multipleOf": 3}"#, "1e1000000", false),
      (#"{"multipleOf": 12345678901234567890123}"#, "24691357802469135780246", true),
      (#"{"multipleOf": 12345678901234567890123}"#, "24691357802469135780247", false),
      (#"{"type": "integer"}"#, "1e400", true), (#"{"type": "integer"}"#, "1.5e0", false),
      (#"{"minimum": -0.5}"#, "-0.50001", false), (#"{"minimum": -3}"#, "-3.5", false),
      (#"{"maximum": -3}"#, "-3.5", true),
      (#"{"minimum": 0.5}"#, "0.50", true), (#"{"minimum": 0.5}"#, "0.49999999999999999", false),
      (#"{"minimum": 0.5}"#, "5e-1", true), (#"{"exclusiveMaximum": 0.1}"#, "0.1000", false),
      (#"{"maximum": 0.000000000000000001}"#, "999999999999999999", false), (#"{"minimum": -1.5}"#, "-0", true),
      (#"{"maximum": 123456789012345678.5}"#, "123456789012345678.51", false),
      (#"{"multipleOf": 0.000000000000000001}"#, "999999999999999999", true),
      (#"{"multipleOf": 2.5}"#, "-7.5", true), (#"{"multipleOf": 2.5}"#, "-7.4", false),
    ]
    for (schema, value, expected) in cases {
      #expect(try SchemaText.schema(schema).accepts(try SchemaText.parse(value)) == expected, "\(schema) \(value)")
    }
  }

  @Test func `dynamic scopes that double with every resource are counted`() throws {
    let resources = (0..<14).map { number in
      let references = (0..<14).map { ##""p\##($0)": {"$ref": "http://e/\##($0)"}"## }.joined(separator: ", ")
      return
        ##""d\##(number)": {"$id": "http://e/\##(number)", "$dynamicAnchor": "A\##(number)", "properties": {\##(references)}}"##
    }
    let schema = try SchemaText.schema(
      ##"{"$ref": "http://e/0", "$defs": {"## + resources.joined(separator: ", ") + "}}")
    #expect(schema.problems.map(\.rule.id) == ["spec.schema.too-large"])
    #expect(schema.accepts([:]))
  }
}
