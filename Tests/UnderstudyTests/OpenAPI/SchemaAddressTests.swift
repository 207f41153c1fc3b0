import TestSupport
import Testing
import Understudy

/// How a user names a schema.
struct SchemaAddressTests {
  private static let files = [
    "api.yaml": """
    openapi: 3.1.0
    info: {title: a, version: '1'}
    paths: {}
    components:
      schemas:
        User: {type: object}
        Numbers: [1]
    """,
    "old.json": #"{"swagger": "2.0", "definitions": {"Pet/Food": {"type": "string"}}}"#,
    "plain.json": #"{"$defs": {"a": {"$anchor": "here", "type": "null"}}}"#,
    "100%.json": #"{"$defs": {"a b": true}}"#,
    "list.yaml": "- 1",
    "broken.json": "{",
  ]

  private func find(_ address: String) throws -> (text: String?, problem: String?) {
    try withTemporaryFolder { folder in
      try write(Self.files, in: folder)
      let (schema, problem) = SchemaAddress(folder + "/" + address).find(in: DocumentStore())
      let message = problem.map { "\($0.message)" + ($0.help.map { " (\($0))" } ?? "") }
      return (schema.map { JSONWriter.text($0) }, message?.replacing(folder + "/", with: ""))
    }
  }

  @Test(arguments: [
    ("api.yaml#/components/schemas/User", #"{"type":"object"}"#),
    ("old.json#/definitions/Pet~1Food", #"{"type":"string"}"#),
    ("plain.json#here", #"{"$anchor":"here","type":"null"}"#),
    ("plain.json#/$defs/a", #"{"$anchor":"here","type":"null"}"#),
    ("100%.json#/$defs/a%20b", "true"), ("100%.json", #"{"$defs":{"a b":true}}"#),
    ("plain.json#", Self.files["plain.json"]?.replacing(" ", with: "") ?? ""),
  ])
  func `a file, a pointer or an anchor names a schema`(address: String, schema: String) throws {
    #expect(try find(address).text == schema)
  }

  @Test(arguments: [
    (
      "api.yaml",
      "this is a description of an API, not a schema (name one of its schemas: `api.yaml#/components/schemas/User`)"
    ),
    (
      "old.json",
      "this is a description of an API, not a schema (name one of its schemas: `old.json#/definitions/Pet~1Food`)"
    ),
    (
      "api.yaml#/components/schemas/Usr",
      "`#/components/schemas/Usr` leads nowhere: `/components/schemas` has no `Usr` (did you mean `User`?)"
    ),
    ("api.yaml#/components/schemas/Numbers", "expected a schema, which is an object or a boolean; found an array"),
    ("list.yaml", "expected a schema, which is an object or a boolean; found an array"),
    ("none.json", "cannot read the schema: no such file or folder"),
    ("broken.json", "expected `}`, found the end of the text (the object that starts in line 1 is never closed)"),
  ])
  func `where there is no schema, the reason is told`(address: String, reason: String) throws {
    let found = try find(address)
    #expect(found.text == nil)
    #expect(found.problem == reason)
  }
}
