import Testing
import UnderstudyContract
import UnderstudyTestSupport

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
    "list.yaml": "- 1", "text.txt": "secret", "slip.json": #"{"tpye": "string"}"#, "bare.yaml": "openapi: 3.1.0",
    "full.yaml": """
    openapi: 3.0.3
    info: {title: a, version: '1', description: b}
    paths: {/a: {get: {responses: {default: {description: c, content: {x/y: {schema: {type: string}}}}}}}}
    components: {schemas: {Chat: {properties: {type: {type: string}}}, Any: {description: anything}, Slip: {tpye: string}}}
    """,
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

  @Test(arguments: ["slip.json", "full.yaml#/components/schemas/Slip"])
  func `a schema without any keyword is reported`(address: String) throws {
    let found = try find(address)
    #expect(found.text == #"{"tpye":"string"}"#)
    #expect(found.problem?.hasPrefix("no member of this schema is a keyword, so every value fits") == true)
  }

  @Test(arguments: [
    ("full.yaml#/components/schemas/Any", #"{"description":"anything"}"#),
    ("full.yaml#/paths/~1a/get/responses/default/content/x~1y/schema", #"{"type":"string"}"#),
  ])
  func `a schema may be short, and at any place`(address: String, schema: String) throws {
    let found = try find(address)
    #expect(found.text == schema)
    #expect(found.problem == nil)
  }

  @Test func `no text is shown of a file that is not a schema`() throws {
    try withTemporaryFolder { folder in
      try write(Self.files, in: folder)
      for address in ["text.txt", "text.txt#/a"] {
        let (_, problem) = SchemaAddress(folder + "/" + address).find(in: DocumentStore())
        let text = DiagnosticPrinter().text(try #require(problem))
        #expect(!text.contains("secret"))
      }
    }
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
    (
      "full.yaml#/definitions/Chat",
      "`#/definitions/Chat` leads nowhere: the document has no `definitions` (did you mean `full.yaml#/components/schemas/Chat`?)"
    ),
    (
      "full.yaml#/Chta",
      "`#/Chta` leads nowhere: the document has no `Chta` (did you mean `full.yaml#/components/schemas/Chat`?)"
    ),
    (
      "full.yaml#Chat",
      "the reference `full.yaml#Chat` cannot be read: `#Chat` is not a JSON pointer, and no `$anchor` has that name (did you mean `full.yaml#/components/schemas/Chat`?)"
    ),
    ("bare.yaml", "this is a description of an API, not a schema (name a schema in it after `#`)"),
    (
      "full.yaml#/components/schemas",
      "`#/components/schemas` is not a schema: it holds schemas (name one of them: `full.yaml#/components/schemas/Chat`)"
    ),
    (
      "full.yaml#/components/schemas/Chat/properties",
      "`#/components/schemas/Chat/properties` is not a schema: it holds schemas (name one of them: `full.yaml#/components/schemas/Chat/properties/type`)"
    ),
    (
      "full.yaml#/components",
      "`#/components` is not a schema: none of its members is a keyword (name one of its schemas: `full.yaml#/components/schemas/Chat`)"
    ),
    (
      "full.yaml#/info",
      "`#/info` is not a schema: none of its members is a keyword (name one of its schemas: `full.yaml#/components/schemas/Chat`)"
    ),
    (
      "full.yaml#/paths",
      "`#/paths` is not a schema: it holds schemas (name one of its schemas: `full.yaml#/components/schemas/Chat`)"
    ),
    (
      "full.yaml#/paths/~1a/get/responses/default/content/x~1y",
      "`#/paths/~1a/get/responses/default/content/x~1y` is not a schema: its `schema` is one (did you mean `full.yaml#/paths/~1a/get/responses/default/content/x~1y/schema`?)"
    ),
    ("text.txt", "expected a schema, which is an object or a boolean; found a string"),
    ("api.yaml#/components/schemas/Numbers", "expected a schema, which is an object or a boolean; found an array"),
    ("list.yaml", "expected a schema, which is an object or a boolean; found an array"),
    ("none.json", "cannot read the schema: no such file or folder (check the path and the working directory)"),
    ("broken.json", "expected `}`, found the end of the text (the object that starts in line 1 is never closed)"),
  ])
  func `a missing schema is reported with the reason`(address: String, reason: String) throws {
    let found = try find(address)
    #expect(found.text == nil)
    #expect(found.problem == reason)
  }
}
