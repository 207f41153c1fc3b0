import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// What the compiler finds by hashes and tables where others look through lists.
struct CompilerTests {
  /// `{"n0": …, "n1": …}`
  private func object(_ count: Int, _ value: (Int) -> String) -> String {
    "{" + (0..<count).map { #""n\#($0)": \#(value($0))"# }.joined(separator: ", ") + "}"
  }

  private func names(_ range: Range<Int>) -> String { "[" + range.map { #""n\#($0)""# }.joined(separator: ", ") + "]" }

  @Test(arguments: [1, 15, 16, 17, 100])
  func `a reference finds its target among any number of schemas`(count: Int) throws {
    let definitions = object(count) { #"{"const": \#($0)}"# }
    for target in [0, count / 2, count - 1] {
      let schema = try SchemaText.schema(##"{"$ref": "#/$defs/n\##(target)", "$defs": \##(definitions)}"##)
      #expect(schema.accepts(try SchemaText.parse("\(target)")))
      #expect(!schema.accepts(try SchemaText.parse("\(target + 1)")))
    }
    #expect(try !SchemaText.schema(##"{"$ref": "#/$defs/none", "$defs": \##(definitions)}"##).problems.isEmpty)
  }

  @Test(arguments: [
    ("#/$defs/a", 1), ("#/$defs/a~1b", 2), ("#/%24defs/a", 1), ("#/$defs/c%20d", 3), ("#/$defs/l/1", 5),
    ("#/$defs/", 6),
  ])
  func `a reference may need unescaping, lead through an array or to an empty name`(
    reference: String, value: Int
  ) throws {
    let schema = try SchemaText.schema(
      ##"""
      {"$ref": "\##(reference)", "$defs": {"a": {"const": 1}, "a/b": {"const": 2}, "c d": {"const": 3},
        "l": [{"const": 4}, {"const": 5}], "": {"const": 6}}}
      """##)
    #expect(schema.problems.isEmpty)
    #expect(schema.accepts(try SchemaText.parse("\(value)")))
    #expect(!schema.accepts(try SchemaText.parse("0")))
  }

  @Test func `the same reference means another schema in a resource of its own`() throws {
    let schema = try SchemaText.schema(
      ##"""
      {"prefixItems": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/inner"}, {"$ref": "#/$defs/a"}],
        "$defs": {"a": {"const": 1}, "inner": {"$id": "urn:inner", "$ref": "#/$defs/a", "$defs": {"a": {"const": 2}}}}}
      """##)
    #expect(schema.accepts(try SchemaText.parse("[1, 2, 1]")))
    #expect(!schema.accepts(try SchemaText.parse("[1, 1, 1]")))
    #expect(!schema.accepts(try SchemaText.parse("[1, 2, 2]")))
  }

  @Test(arguments: [(0, 1), (1, 1), (2, 2), (4, 4), (4, 5), (8, 1), (1, 8)])
  func `properties and other required names share a table that never fills up`(declared: Int, required: Int) throws {
    let properties = object(declared) { _ in #"{"type": "string"}"# }
    let schema = try SchemaText.schema(
      #"{"properties": \#(properties), "required": \#(names(declared..<declared + required))}"#)
    let whole = object(declared + required) { $0 < declared ? #""""# : "1" }
    #expect(schema.accepts(try SchemaText.parse(whole)))
    #expect(!schema.accepts(try SchemaText.parse(object(declared + required - 1) { _ in #""""# })))
    // A name that is not in the table must not be searched for without end.
    #expect(!schema.accepts(try SchemaText.parse(#"{"other": 1}"#)))
  }

  @Test func `a property that another file flags is not required`() throws {
    let other = try SchemaText.parse(#"{"readOnly": true}"#).document
    let library = SchemaLibrary(dialect: .openAPI30) { $0.hasSuffix("other.json") ? other : nil }
    let schema = library.schema(
      at: try SchemaText.parse(##"{"required": ["id"], "properties": {"id": {"$ref": "other.json"}}}"##),
      direction: .request)
    #expect(schema.accepts(try SchemaText.parse("{}")))
  }

  @Test func `schemas prepared together validate like each alone`() throws {
    let text =
      ##"{"$defs": {"a": {"type": "string"}, "b": {"items": {"$ref": "#/$defs/a"}}, "c": {"$ref": "#/$defs/b"}}}"##
    let definitions = try #require(try SchemaText.parse(text)["$defs"]?.members.map(\.value))
    let (together, alone) = (SchemaLibrary(dialect: .draft2020), SchemaLibrary(dialect: .draft2020))
    together.prepare(definitions)
    for node in definitions {
      for value in [#""x""#, #"["x"]"#, "[1]", "1"] {
        let value = try SchemaText.parse(value)
        #expect(together.schema(at: node).accepts(value) == alone.schema(at: node).accepts(value))
        #expect(
          together.schema(at: node).failures(value).map(\.message)
            == alone.schema(at: node).failures(value).map(\.message))
      }
    }
  }

  @Test(arguments: [#"{"const": {"a": 1, "a": 2}}"#, #"{"enum": [{"a": 1, "a": 2}]}"#])
  func `of a duplicate name in a constant the last one counts`(schema: String) throws {
    let schema = try SchemaText.schema(schema)
    #expect(schema.accepts(try SchemaText.parse(#"{"a": 2}"#)))
    #expect(schema.accepts(try SchemaText.parse(#"{"a": 1, "a": 2}"#)))
    #expect(!schema.accepts(try SchemaText.parse(#"{"a": 1}"#)))
  }
}
