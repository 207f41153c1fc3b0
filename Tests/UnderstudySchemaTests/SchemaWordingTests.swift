import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Words and places of failures that once misled.
struct SchemaWordingTests {
  @Test(arguments: [
    (#"{"type": "boolean"}"#, #""12""#, [#" type: expected boolean, found string "12""#]),
    (#"{"type": "boolean"}"#, #""true""#, [#" type: expected boolean, found string "true" (write it without quotes)"#]),
    (#"{"type": "integer"}"#, #""1.5""#, [#" type: expected integer, found string "1.5""#]),
    (#"{"enum": [1, 2]}"#, #""1""#, [#" enum: expected one of 1 or 2, found string "1" (write it without quotes)"#]),
    (#"{"not": {"required": ["a"]}}"#, "5", [" not: expected a value that does not fit the schema, found number 5"]),
    (#"{"not": {"required": []}}"#, "{}", [" not: expected a value that does not fit the schema, found object"]),
    (
      #"{"not": {"required": ["a", "b"]}}"#, #"{"a": 1, "b": 2}"#,
      [" not: the properties `a` and `b` are not allowed together"]
    ),
    (
      #"{"properties": {"x": {"if": {"const": 1}, "then": false}}}"#, #"{"x": 1}"#,
      ["/x false: expected a value that does not fit `if`, found number 1"]
    ),
    (
      #"{"propertyNames": false}"#, #"{"a": 1}"#,
      ["/a false: the property `a` is not allowed: this object allows no names"]
    ),
    (
      "{\"enum\": [\"\u{E9}\"]}", "\"e\u{301}\"",
      [
        " enum: expected \"\u{E9}\", found string \"e\u{301}\" (it looks like `\u{E9}`: the same letters, in other code points)"
      ]
    ),
    (#"{"enum": []}"#, "1", [" enum: no value is allowed, since the list is empty; found number 1"]),
    (
      "{\"maxLength\": 1}", "\"\u{1F44D}\u{1F3FD}\"",
      [" maxLength: expected at most 1 code point, found 2 in \"\u{1F44D}\u{1F3FD}\""]
    ),
    (#"{"prefixItems": [true, false]}"#, "[1, 2]", ["/1 prefixItems: expected at most 1 element, found 2"]),
  ])
  func `messages state the problem and the fix`(schema: String, value: String, expected: [String]) throws {
    #expect(try SchemaText.failures(schema, value) == expected)
  }

  @Test func `a not of an invalid required is not reported as names`() throws {
    #expect(
      try SchemaText.failures(#"{"not": {"required": {"a": 1}}}"#, "{}").map { $0.prefix(5) } == [" not:"])
    #expect(
      try SchemaText.failures(#"{"not": {"required": [1]}}"#, "{}").contains { $0.contains("``") } == false)
  }

  @Test func `long texts of a schema are cut`() throws {
    let words = (0..<3_000).map { "word\($0)" }.joined(separator: "|")
    let failures = try SchemaText.failures(#"{"pattern": "^(\#(words))$"}"#, #""x""#)
    #expect(failures.map { $0.utf8.count < 500 } == [true])
    let library = SchemaLibrary(dialect: .draft2020)
    let schema = library.schema(at: try SchemaText.parse(##"{"$ref": "#/\##(words)"}"##))
    #expect(schema.problems.map { $0.message.utf8.count < 500 } == [true])
  }

  @Test func `names in advice are kept to one line`() throws {
    let failures = try SchemaText.failures(
      #"{"properties": {"x\nforged": {}}, "additionalProperties": false}"#, #"{"y": 1}"#)
    #expect(failures.allSatisfy { !$0.contains("\n") })
    #expect(failures.first?.contains(#"x\u{A}forged"#) == true)
  }

  @Test func `two large objects are not compared for the message`() throws {
    func object(_ last: Int) -> String {
      "{" + (0..<20_000).map { #""k\#($0)": 1"# }.joined(separator: ",") + #", "z": \#(last)}"#
    }
    let failures = try SchemaText.schema(#"{"const": \#(object(1))}"#).failures(try SchemaText.parse(object(2)))
    #expect(failures.map(\.message) == ["expected an object of 20001 properties, found object"])
  }

  @Test func `nullable is reported where it has no meaning`() throws {
    let schema = #"{"openapi": "3.1.0", "type": "string", "nullable": true}"#
    #expect(
      try SchemaText.failures(schema, "null", .openAPI31) == [
        #" type: expected string, found null (`nullable` has no meaning in OpenAPI 3.1: write `type: [string, "null"]`)"#
      ])
  }

  @Test func `forty names are not all listed`() throws {
    let branches = (0..<40).map { #"{"required": ["n\#($0)"]}"# }.joined(separator: ",")
    #expect(
      try SchemaText.failures(#"{"anyOf": [\#(branches)]}"#, "{}") == [
        " anyOf: expected one of the properties `n0`, `n1`, `n2`, `n3`, `n4`, `n5`, `n6`, `n7` and 32 more"
      ])
  }

  @Test(arguments: [
    (#"{"prefixItems": [true], "items": false}"#, "[1, 2]", "/items"),
    (#"{"prefixItems": [true, false]}"#, "[1, 2]", "/prefixItems/1"),
    (#"{"contains": {"const": 1}, "minContains": 2}"#, "[1]", "/minContains"),
    (#"{"contains": {"const": 1}, "maxContains": 1}"#, "[1, 1]", "/maxContains"),
  ])
  func `a failure points to the keyword that it names`(schema: String, value: String, place: String) throws {
    let node = try SchemaText.parse(schema)
    let failure = try #require(
      SchemaLibrary(dialect: .draft2020).schema(at: node).failures(SchemaText.parse(value)).first)
    #expect(failure.schema.document === node.document)
    #expect(failure.schema.pointer.description == place)
  }

  @Test func `characters that turn or hide text are escaped in messages, help and notes`() {
    let text = DiagnosticPrinter().text(
      Diagnostic(
        .instanceSchema, "found \u{202E}a", notes: [.init("by \u{200B}b")], help: "did you mean \u{1B}[31m\u{2066}?"))
    #expect(text.contains("found \\u{202E}a"))
    #expect(text.contains("by \\u{200B}b"))
    #expect(text.contains("did you mean \\u{1B}[31m\\u{2066}?"))
  }
}
