import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// `contentEncoding`, `contentMediaType` and `contentSchema` as promises.
struct ContentTests {
  private func schema(_ text: String, asserts: Bool = true) throws -> Schema {
    SchemaLibrary(dialect: .draft2020, assertsContent: asserts).schema(at: try SchemaText.parse(text))
  }

  @Test(arguments: [
    ("base64", "aGk=", true), ("base64", "aGk", false), ("BASE64", "a!k=", false),
    ("base32", "NBUQ====", true), ("base32", "NBUQ", false), ("base32", "nbuq====", false),
    ("base32", "NBU=====", false),
    ("base32", "", true), ("base32", "========", false), ("base32", "NBSWY3DP", true), ("base32", "1BUQ====", false),
    ("base16", "68", true), ("base16", "6a6B", true), ("base16", "6", false), ("base16", "6g", false),
    ("base16", "6=", false), ("7bit", "any", true), ("binary", "any", true),
  ])
  func `an encoding is asserted when the option is on`(encoding: String, text: String, fits: Bool) throws {
    let schema = try schema(#"{"contentEncoding": "\#(encoding)"}"#)
    #expect(schema.problems.isEmpty)
    #expect(schema.accepts(.string(text)) == fits)
    #expect(try self.schema(#"{"contentEncoding": "\#(encoding)"}"#, asserts: false).accepts(.string(text)))
  }

  @Test(arguments: [
    "application/json", "application/problem+json", "application/json; charset=utf-8", "Application/JSON",
    "application/vnd.api+json;version=1",
  ])
  func `every media type of JSON is read as JSON`(type: String) throws {
    let schema = try schema(#"{"contentMediaType": "\#(type)"}"#)
    #expect(schema.problems.isEmpty)
    #expect(schema.accepts(#"{"a": 1}"#))
    #expect(schema.failures("{").map(\.message) == [#"expected a JSON text, found string "{""#])
    #expect(schema.accepts(1))
  }

  @Test(arguments: [
    (#"{"contentEncoding": "quoted-printable"}"#, "`contentEncoding` \"quoted-printable\" is not asserted"),
    (
      #"{"contentMediaType": "text/html", "contentEncoding": "base64"}"#,
      "`contentMediaType` \"text/html\" is not asserted"
    ),
    (#"{"contentMediaType": "application/jsonish"}"#, "`contentMediaType` \"application/jsonish\" is not asserted"),
  ])
  func `unchecked content is reported as such`(text: String, message: String) throws {
    let schema = try schema(text)
    #expect(schema.problems.map(\.rule.id) == ["spec.schema.content"])
    #expect(schema.problems.map(\.message) == [message])
    #expect(schema.accepts(""))
    #expect(try self.schema(text, asserts: false).problems.isEmpty)
  }

  private static let inner = #"""
    {"contentMediaType": "application/json", "contentEncoding": "base16", "contentSchema":
      {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}, "again": {"$ref": "#"}}}}
    """#

  private func base16(_ text: String) -> JSON {
    .string(text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }

  @Test func `the JSON in a string is validated by contentSchema`() throws {
    let schema = try schema(Self.inner)
    #expect(schema.accepts(base16(#"{"a": 1}"#)))
    #expect(
      schema.failures(base16(#"{"a": "x"}"#)).map(\.message) == [
        #"the JSON in the string does not fit at `/a`: expected integer, found string "x""#
      ])
    #expect(schema.failures(base16(#"{}"#)).map(\.keyword) == ["contentSchema"])
    #expect(schema.failures(base16("{")).map(\.keyword) == ["contentEncoding"])
    #expect(!schema.accepts(base16(#"{"a": 0, "a": "x"}"#)))
    #expect(try self.schema(Self.inner, asserts: false).accepts("x"))
  }

  @Test func `a string in the JSON of a string is validated again`() throws {
    let schema = try schema(Self.inner)
    let good = base16(#"{"a": 1}"#).text
    #expect(schema.accepts(base16(#"{"a": 1, "again": "\#(good)"}"#)))
    #expect(!schema.accepts(base16(#"{"a": 1, "again": "7b7d"}"#)))
  }

  @Test func `contentSchema is ignored without a media type of JSON`() throws {
    #expect(try schema(#"{"contentSchema": false, "contentEncoding": "base16"}"#).accepts("00"))
    #expect(try schema(#"{"contentSchema": false, "contentMediaType": "text/plain"}"#).accepts("00"))
  }

  @Test func `content in an unknown encoding is not read`() throws {
    let schema = try schema(#"{"contentEncoding": "quoted-printable", "contentMediaType": "application/json"}"#)
    #expect(schema.accepts("=7B=7D"))
    #expect(schema.problems.map(\.message) == [#"`contentEncoding` "quoted-printable" is not asserted"#])
  }

  @Test func `JSON that is nested too deep is not validated`() throws {
    let text = String(repeating: "[", count: 1_200) + String(repeating: "]", count: 1_200)
    guard case .notValidated = try schema(#"{"contentMediaType": "application/json"}"#).verdict(.string(text)) else {
      Issue.record("validated")
      return
    }
  }

  @Test func `a failure of contentSchema points at it`() throws {
    #expect(
      try schema(Self.inner).failures(base16("{}")).map(\.schema.pointer.description) == ["/contentSchema"])
  }

  @Test func `a part of the JSON in a string that cannot be validated leaves the string not validated`() throws {
    let schema = try schema(##"{"not": {"contentMediaType": "application/json", "contentSchema": {"$ref": "#/no"}}}"##)
    #expect(schema.failures("1").map(\.message) == ["not validated: the reference `#/no` leads nowhere"])
  }
}
