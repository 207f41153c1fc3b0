import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// The schemas that `understudy schema check` reads: addresses, dialects, formats, further documents.
struct SchemaCheckSchemaTests {
  @Test func `a schema in a description is read by its version, and references into other files are followed`() throws {
    let files = [
      "api.yaml": """
      openapi: 3.0.3
      components:
        schemas:
          Pet: {type: object, properties: {name: {$ref: 'parts/name.yaml#/Name'}, age: {$ref: '#/components/schemas/Age'}}}
          Age: {type: integer, nullable: true, minimum: 0, exclusiveMinimum: true}
      """,
      "parts/name.yaml": "Name: {$ref: './text%20only.json'}",
      "parts/text only.json": #"{"type": "string"}"#,
      "good.json": #"{"name": "Tom", "age": null}"#,
      "bad.json": #"{"name": 1, "age": 0}"#,
    ]
    let address = "api.yaml#/components/schemas/Pet"
    #expect(try SchemaCheck.run(address, "good.json", files: files).code == 0)
    let result = try SchemaCheck.run(address, "bad.json", files: files)
    #expect(
      result.output
        == """
        bad.json:1:10: error: expected string, found number 1 [instance.schema]
          1 | {"name": 1, "age": 0}
            |          ^
          parts/text only.json:1:10: note: by `type` of the schema
            1 | {"type": "string"}
              |          ^^^^^^^^
        bad.json:1:20: error: expected more than 0, found 0 [instance.schema]
          1 | {"name": 1, "age": 0}
            |                    ^
          api.yaml:5:51: note: by `minimum` of the schema
            5 |     Age: {type: integer, nullable: true, minimum: 0, exclusiveMinimum: true}
              |                                                   ^

        """)
  }

  @Test func `the way of a value decides about readOnly and writeOnly`() throws {
    let files = [
      "api.yaml": """
      openapi: 3.1.0
      components: {schemas: {A: {required: [id, key], properties: {id: {readOnly: true}, key: {writeOnly: true}}}}}
      """,
      "sent.json": #"{"key": 1}"#, "received.json": #"{"id": 1}"#,
    ]
    let address = "api.yaml#/components/schemas/A"
    #expect(try SchemaCheck.run(address, "sent.json", "--direction", "request", files: files).code == 0)
    #expect(try SchemaCheck.run(address, "received.json", "--direction", "request", files: files).code == 1)
    #expect(try SchemaCheck.run(address, "received.json", "--direction", "response", files: files).code == 0)
    #expect(try SchemaCheck.run(address, "sent.json", files: files).code == 1)
  }

  @Test func `formats are asserted by the table, all of them, or none`() throws {
    let files = [
      "f.json": #"{"properties": {"a": {"format": "date"}, "b": {"format": "regex"}}}"#,
      "v.json": #"{"a": "x", "b": "("}"#,
    ]
    func invalid(_ arguments: String...) throws -> Int {
      let result = try withTemporaryFolder { folder in
        try write(files, in: folder)
        return try Command.run(Command.path, ["schema", "check", "f.json", "v.json"] + arguments, in: folder)
      }
      return result.output.split(separator: "\n").count { $0.contains("[instance.schema]") }
    }
    #expect(try invalid() == 1)
    #expect(try invalid("--format-assertion") == 2)
    #expect(try invalid("--no-format-assertion") == 0)
  }

  @Test func `the option sets the dialect of a schema that names none`() throws {
    let files = [
      "list.json": #"{"items": [{"type": "string"}]}"#,
      "new.json": #"{"$schema": "https://json-schema.org/draft/2020-12/schema", "items": [{"type": "string"}]}"#,
      "v.json": "[1]",
    ]
    #expect(try SchemaCheck.run("list.json", "v.json", "--dialect", "draft7", files: files).code == 1)
    #expect(
      try SchemaCheck.run("list.json", "v.json", files: files).error == "checked: 1, invalid: 0, not validated: 0\n")
    #expect(
      try SchemaCheck.run("new.json", "v.json", "--dialect", "draft7", files: files).error
        == "checked: 1, invalid: 0, not validated: 0\n")
  }

  @Test func `a keyword that cannot be read keeps the run from coming out clean`() throws {
    let files = ["odd.json": #"{"type": "int"}"#, "v.json": "1"]
    let finding = """
      odd.json:1:10: error: `type` expects one of string, integer, number, boolean, object, array or null, found string "int"; \
      it is ignored [spec.schema.keyword]
        1 | {"type": "int"}
          |          ^^^^^
        help: did you mean `integer`?

      """
    let result = try SchemaCheck.run("odd.json", "v.json", files: files)
    #expect(result.output == finding)
    #expect(result.error == "checked: 1, invalid: 0, not validated: 0\n")
    #expect(result.code == 1)
    let quiet = try SchemaCheck.run("odd.json", "v.json", "--quiet", files: files)
    #expect(quiet.output == "")
    #expect(quiet.error == finding + "checked: 1, invalid: 0, not validated: 0\n")
    #expect(quiet.code == 1)
  }

  @Test func `content that cannot be checked is a warning`() throws {
    let files = ["html.json": #"{"contentMediaType": "text/html"}"#, "v.json": #""<""#]
    let result = try SchemaCheck.run("html.json", "v.json", "--content-assertion", files: files)
    #expect(
      result.output == """
        html.json:1:22: warning: `contentMediaType` "text/html" is not asserted [spec.schema.content]
          1 | {"contentMediaType": "text/html"}
            |                      ^^^^^^^^^^^
          help: only `application/json` and `+json` are asserted

        """)
    #expect(result.code == 0)
  }

  @Test func `further schemas are found by their id, and nothing is fetched`() throws {
    let files = [
      "root.json": #"{"$ref": "https://example.com/name"}"#,
      "name.yaml": "{$id: 'https://example.com/name', type: string}",
      "v.json": "1",
    ]
    #expect(try SchemaCheck.run("root.json", "v.json", "--resolve", "name.yaml", files: files).code == 1)
    let alone = try SchemaCheck.run("root.json", "v.json", files: files)
    #expect(
      alone.output.contains("help: nothing is fetched from other machines; name a copy of the schema with --resolve\n"))
    #expect(alone.code == 4)
  }

  // MARK: - The official schemas

  @Test(.enabled(if: Corpora.isPresent, "skipped: no corpora"), arguments: ["pass", "fail"])
  func `the official schema of OpenAPI 3_1 validates the official documents`(folder: String) throws {
    let documents = Corpora.path("OAI+OpenAPI-Specification/tests/schema/\(folder)")
    let names = try FileSystem.list(documents).map(\.name).filter { $0.hasSuffix(".yaml") }
    let further = ["schema.yaml", "dialect.yaml", "meta.yaml"].flatMap { ["--resolve", $0] }
    let result = try Command.run(
      Command.path, ["schema", "check", "--quiet", "schema-base.yaml"] + names.map { "\(documents)/\($0)" } + further,
      in: Corpora.path("OAI+OpenAPI-Specification/src/schemas/validation"))
    let invalid = folder == "pass" ? 0 : names.count
    #expect(result.error == "checked: \(names.count), invalid: \(invalid), not validated: 0\n")
    #expect(names.count > 10)
  }
}
