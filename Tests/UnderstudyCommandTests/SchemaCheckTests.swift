import TestSupport
import Testing
import Understudy

/// `understudy schema check`: whole outputs and exit codes.
struct SchemaCheckTests {
  private static let schema = """
    type: object
    required: [id, nick]
    additionalProperties: false
    properties:
      id: {type: integer, minimum: 1}
      nick: {type: string, minLength: 2}

    """

  /// Runs the command among some files; `user.yaml` is always there.
  private func check(
    _ arguments: String..., files: [String: String] = [:], input: String = ""
  ) throws -> Command.Result {
    try withTemporaryFolder { folder in
      try write(["user.yaml": Self.schema].merging(files) { $1 }, in: folder)
      return try Command.run(Command.path, ["schema", "check"] + arguments, in: folder, input: input)
    }
  }

  @Test func `a failure shows value and schema with their lines`() throws {
    let result = try check("user.yaml", "ada.json", files: ["ada.json": "{\n  \"id\": 0,\n  \"nikc\": \"ada\"\n}\n"])
    #expect(
      result.output == """
        ada.json:2:9: error: expected at least 1, found 0 [instance.schema]
          2 |   "id": 0,
            |         ^
          user.yaml:5:32: note: by `minimum` of the schema
            5 |   id: {type: integer, minimum: 1}
              |                                ^
        ada.json:3:3: error: the property `nikc` is not declared, and no others are allowed [instance.schema]
          3 |   "nikc": "ada"
            |   ^^^^^^
          user.yaml:3:23: note: by `additionalProperties` of the schema
            3 | additionalProperties: false
              |                       ^^^^^
          help: did you mean `nick`?
        ada.json:1:1: error: the property `nick` is missing [instance.schema]
          1 | {
            | ^
          user.yaml:2:16: note: by `required` of the schema
            2 | required: [id, nick]
              |                ^^^^
          help: a similar property exists: `nikc`

        """)
    #expect(result.error == "checked: 1, invalid: 1, not validated: 0\n")
    #expect(result.code == 1)
  }

  @Test func `a valid value has no output`() throws {
    let result = try check(
      "user.yaml", "a.json", "b.yml", "-",
      files: ["a.json": #"{"id": 1, "nick": "ada"}"#, "b.yml": "{id: 2, nick: bob}"],
      input: "id: 3\nnick: eve\n")
    #expect(result.output == "")
    #expect(result.error == "checked: 3, invalid: 0, not validated: 0\n")
    #expect(result.code == 0)
  }

  @Test(arguments: ["values.jsonl", "values.ndjson", "-"])
  func `each line of JSON Lines is a value with its own line number`(name: String) throws {
    let lines = "{\"id\": 1, \"nick\": \"ada\"}\n\n  \r\n{\"id\": 1}\nid: 1\n{\"id\": 1, \"nick\": \"é\"}"
    let result = try check(
      "user.yaml", name, name == "-" ? "--jsonl" : "--no-format-assertion", files: [name: lines], input: lines)
    let shown = name == "-" ? "<stdin>" : name
    #expect(
      result.output.split(separator: "\n").filter { $0.hasPrefix(shown) } == [
        "\(shown):4:1: error: the property `nick` is missing [instance.schema]",
        "\(shown):5:1: error: expected a value, found `i` [instance.unparsable]",
        "\(shown):6:19: error: expected at least 2 characters, found 1 in \"é\" [instance.schema]",
      ])
    #expect(result.error == "checked: 4, invalid: 3, not validated: 0\n")
    #expect(result.code == 1)
  }

  @Test func `json gives a finding a line`() throws {
    let result = try check("user.yaml", "a.json", "--format", "json", files: ["a.json": #"{"id": 1, "nick": "a"}"#])
    #expect(
      result.output == """
        {"rule":"instance.schema","severity":"error","owner":"fixture","message":"expected at least 2 characters, found 1 in \\"a\\"",\
        "location":{"file":"a.json","line":1,"column":19,"endLine":1,"endColumn":22,"pointer":"/nick"},\
        "notes":[{"message":"by `minLength` of the schema","location":{"file":"user.yaml","line":6,"column":35,"endLine":6,\
        "endColumn":36,"pointer":"/properties/nick/minLength"}}],"keyword":"minLength"}

        """)
    #expect(result.code == 1)
  }

  @Test func `basic and detailed give a standard document a value`() throws {
    let files = [
      "a.jsonl": "{\"id\": 1, \"nick\": \"ada\"}\n{\"id\": 1}\n",
      "user.json": #"{"$id": "urn:user", "required": ["nick"]}"#,
    ]
    for format in ["basic", "detailed"] {
      let result = try check("user.json", "a.jsonl", "--format", format, files: files)
      #expect(
        result.output == """
          {"valid":true,"keywordLocation":"","absoluteKeywordLocation":"urn:user#","instanceLocation":""}
          {"valid":false,"keywordLocation":"","absoluteKeywordLocation":"urn:user#","instanceLocation":"","errors":[\
          {"valid":false,"keywordLocation":"/required","absoluteKeywordLocation":"urn:user#/required","instanceLocation":"",\
          "error":"the property `nick` is missing"}]}

          """)
      #expect(result.error == "checked: 2, invalid: 1, not validated: 0\n")
      #expect(result.code == 1)
    }
  }

  private static let annotated = [
    "pet.json": #"{"$id": "urn:pet", "title": "Pet", "properties": {"name": {"description": "Its name"}}}"#,
    "tom.json": #"{"name": "Tom"}"#,
  ]

  @Test func `basic lists the annotations of a valid value`() throws {
    let result = try check("pet.json", "tom.json", "--format", "basic", files: Self.annotated)
    #expect(
      result.output == """
        {"valid":true,"keywordLocation":"","absoluteKeywordLocation":"urn:pet#","instanceLocation":"","annotations":[\
        {"valid":true,"keywordLocation":"/title","absoluteKeywordLocation":"urn:pet#/title","instanceLocation":"",\
        "annotation":"Pet"},\
        {"valid":true,"keywordLocation":"/properties","absoluteKeywordLocation":"urn:pet#/properties","instanceLocation":"",\
        "annotation":["name"]},\
        {"valid":true,"keywordLocation":"/properties/name/description",\
        "absoluteKeywordLocation":"urn:pet#/properties/name/description","instanceLocation":"/name",\
        "annotation":"Its name"}]}

        """)
    #expect(result.error == "checked: 1, invalid: 0, not validated: 0\n")
    #expect(result.code == 0)
  }

  @Test func `detailed nests the annotations`() throws {
    let result = try check("pet.json", "tom.json", "--format", "detailed", files: Self.annotated)
    #expect(
      result.output == """
        {"valid":true,"keywordLocation":"","absoluteKeywordLocation":"urn:pet#","instanceLocation":"","annotations":[\
        {"valid":true,"keywordLocation":"/title","absoluteKeywordLocation":"urn:pet#/title","instanceLocation":"",\
        "annotation":"Pet"},\
        {"valid":true,"keywordLocation":"/properties","absoluteKeywordLocation":"urn:pet#/properties","instanceLocation":"",\
        "annotation":["name"],"annotations":[\
        {"valid":true,"keywordLocation":"/properties/name/description",\
        "absoluteKeywordLocation":"urn:pet#/properties/name/description","instanceLocation":"/name",\
        "annotation":"Its name"}]}]}

        """)
    #expect(result.code == 0)
  }

  @Test func `annotations beyond the limit are a warning, not a verdict`() throws {
    let schema = ##"{"anyOf": [{"title": "a"}, {"not": {"$ref": "gone.json"}}]}"##
    let result = try check("s.json", "v.json", "--format", "basic", files: ["s.json": schema, "v.json": "1"])
    #expect(result.output.hasPrefix(#"{"valid":true,"#))
    #expect(
      result.error.contains(
        "v.json:1:1: warning: not all annotations are listed: the reference `gone.json` leads nowhere [instance.annotations]\n"
      ))
    #expect(result.error.hasSuffix("checked: 1, invalid: 0, not validated: 0\n"))
  }

  @Test func `a value that cannot be read has a document too`() throws {
    let result = try check(
      "user.json", "-", "--jsonl", "--format", "basic", files: ["user.json": "true"], input: "1\n{\n")
    let documents = try result.output.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8)).root }
    #expect(documents.map { $0["valid"]?.bool } == [true, false])
    #expect(documents.last?["error"]?.string?.isEmpty == false)
    #expect(result.error.contains("<stdin>:2:2: error: "))
    #expect(result.error.hasSuffix("checked: 2, invalid: 1, not validated: 0\n"))
  }

  // MARK: - Which schema

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
    #expect(try check(address, "good.json", files: files).code == 0)
    let result = try check(address, "bad.json", files: files)
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
    #expect(try check(address, "sent.json", "--direction", "request", files: files).code == 0)
    #expect(try check(address, "received.json", "--direction", "request", files: files).code == 1)
    #expect(try check(address, "received.json", "--direction", "response", files: files).code == 0)
    #expect(try check(address, "sent.json", files: files).code == 1)
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
    #expect(try check("list.json", "v.json", "--dialect", "draft7", files: files).code == 1)
    #expect(try check("list.json", "v.json", files: files).error == "checked: 1, invalid: 0, not validated: 0\n")
    #expect(
      try check("new.json", "v.json", "--dialect", "draft7", files: files).error
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
    let result = try check("odd.json", "v.json", files: files)
    #expect(result.output == finding)
    #expect(result.error == "checked: 1, invalid: 0, not validated: 0\n")
    #expect(result.code == 1)
    let quiet = try check("odd.json", "v.json", "--quiet", files: files)
    #expect(quiet.output == "")
    #expect(quiet.error == finding + "checked: 1, invalid: 0, not validated: 0\n")
    #expect(quiet.code == 1)
  }

  @Test func `content that cannot be checked is a warning`() throws {
    let files = ["html.json": #"{"contentMediaType": "text/html"}"#, "v.json": #""<""#]
    let result = try check("html.json", "v.json", "--content-assertion", files: files)
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
    #expect(try check("root.json", "v.json", "--resolve", "name.yaml", files: files).code == 1)
    let alone = try check("root.json", "v.json", files: files)
    #expect(
      alone.output.contains("help: nothing is fetched from other machines; name a copy of the schema with --resolve\n"))
    #expect(alone.code == 4)
  }

  // MARK: - Many failures

  @Test func `failures after the first hundred are counted in every format`() throws {
    let files = ["s.json": #"{"items": {"type": "string"}}"#, "v.json": "\((0..<1_500).map { $0 })"]
    let text = try check("s.json", "v.json", files: files)
    #expect(
      text.output.hasSuffix("\nv.json: info: and at least 1000 more failures, not listed [instance.schema]\n"))
    let lines = try check("s.json", "v.json", "--format", "json", files: files).output.split(separator: "\n")
    #expect(lines.count == 101)
    #expect(try check("s.json", "v.json", "--format", "basic", files: files).output.contains("and 500 more failures"))
  }

  // MARK: - Not validated

  @Test func `a failure outweighs a part that could not be validated`() throws {
    let files = [
      "s.json": ##"{"properties": {"a": {"$ref": "#/nope"}, "b": {"type": "integer"}}}"##,
      "v.json": #"{"a": 1, "b": "x"}"#,
    ]
    let result = try check("s.json", "v.json", files: files)
    #expect(result.output.contains("v.json:1:15: error: expected integer, found string \"x\" [instance.schema]"))
    #expect(result.output.contains("v.json:1:7: error: not validated: the reference `#/nope` leads nowhere"))
    #expect(result.error == "checked: 1, invalid: 1, not validated: 0\n")
  }

  private static let broken = [
    "broken.json": ##"{"properties": {"a": {"$ref": "#/nowhere"}}}"##, "a.json": #"{"a": 1}"#, "b.json": #"{"b": 1}"#,
  ]

  @Test func `a value behind a broken reference is not validated`() throws {
    let result = try check("broken.json", "a.json", files: Self.broken)
    #expect(
      result.output == ##"""
        broken.json:1:31: error: the reference `#/nowhere` leads nowhere [spec.schema.ref]
          1 | {"properties": {"a": {"$ref": "#/nowhere"}}}
            |                               ^^^^^^^^^^^
        a.json:1:7: error: not validated: the reference `#/nowhere` leads nowhere [instance.not-validated]
          1 | {"a": 1}
            |       ^
          broken.json:1:31: note: this part of the schema
            1 | {"properties": {"a": {"$ref": "#/nowhere"}}}
              |                               ^^^^^^^^^^^
          help: fix the schema; until then no value is accepted here

        """##)
    #expect(result.error == "checked: 0, invalid: 0, not validated: 1\n")
    #expect(result.code == 4)
  }

  @Test func `a value that was not validated is a finding`() throws {
    let result = try check("broken.json", "a.json", "b.json", "--quiet", files: Self.broken)
    #expect(result.output == "")
    #expect(
      result.error.hasPrefix("broken.json:1:31: error: the reference `#/nowhere` leads nowhere [spec.schema.ref]\n"))
    #expect(result.error.hasSuffix("\nchecked: 1, invalid: 0, not validated: 1\n"))
    #expect(result.code == 1)
  }

  @Test func `no value at all is nothing checked`() throws {
    #expect(try check("user.yaml", "-", "--jsonl", input: "\n").code == 4)
  }

  // MARK: - Usage

  @Test(arguments: [
    (["none.yaml", "-"], 3, "none.yaml: error: cannot read the schema: no such file or folder [config.unreadable]\n"),
    (
      ["user.yaml#/properties/nik", "-"], 3,
      """
      user.yaml:5:3: error: `#/properties/nik` leads nowhere: `/properties` has no `nik` [spec.schema.ref]
        5 |   id: {type: integer, minimum: 1}
          |   ^
        help: did you mean `nick`?

      """
    ),
    (
      ["user.yaml", "none.json"], 2,
      """
      none.json: error: no such file or folder [config.unreadable]
        help: check the path and the working directory
      checked: 0, invalid: 0, not validated: 0

      """
    ),
    (
      ["user.yaml", "-", "--dialect", "draft5"], 2,
      """
      error: `--dialect draft5` is unknown
        help: did you mean `draft4`? known: draft4, draft6, draft7, 2019-09, 2020-12, swagger2.0, openapi3.0, openapi3.1, openapi3.2

      """
    ),
    (
      ["user.yaml", "-", "-r", "user.yaml"], 2,
      """
      error: `--resolve user.yaml` names a schema without `$id`, so no reference can name it
        help: a reference by a relative path needs no --resolve

      """
    ),
  ])
  func `errors have advice`(arguments: [String], code: Int32, error: String) throws {
    try withTemporaryFolder { folder in
      try write(["user.yaml": Self.schema], in: folder)
      let result = try Command.run(Command.path, ["schema", "check"] + arguments, in: folder)
      #expect(result.output == "")
      #expect(result.error == error)
      #expect(result.code == code)
    }
  }

  @Test(arguments: [
    (["user.yaml", "-", "-"], "standard input is named twice"), (["user.yaml", "-", "--config", "a"], "--config"),
    (["user.yaml", "-", "--format-assertion", "--no-format-assertion"], "--no-format-assertion"),
  ])
  func `conflicting options are refused`(arguments: [String], part: String) throws {
    try withTemporaryFolder { folder in
      try write(["user.yaml": Self.schema], in: folder)
      let result = try Command.run(Command.path, ["schema", "check"] + arguments, in: folder, input: "1")
      #expect(result.output == "")
      #expect(result.error.contains(part), "\(result.error)")
      #expect(result.code == 2)
    }
  }

  @Test func `an unknown subcommand is reported`() throws {
    #expect(try Command.run("schema", "chek", "a", "b").error.hasSuffix("  help: did you mean `check`?\n"))
    #expect(try Command.run("sreve").error.hasSuffix("  help: did you mean `serve`?\n"))
  }

  @Test func `a direction without effect is reported`() throws {
    let result = try check("user.yaml", "-", "--direction", "request", input: #"{"id": 1, "nick": "ada"}"#)
    #expect(
      result.error == """
        warning: `--direction request` has no effect: the schema is read as 2020-12, not as OpenAPI
        checked: 1, invalid: 0, not validated: 0

        """)
    #expect(result.code == 0)
  }

  @Test func `keywords of other versions are reported as by the linter`() throws {
    let files = [
      "api.yaml": """
      openapi: 3.0.3
      components:
        schemas:
          Pet: {type: object, properties: {a: {const: 1}, b: {$ref: '#/components/schemas/B', nullable: true}}}
          B: {type: integer, minimum: 0}
          C: {const: 1}
      """
    ]
    let result = try check("api.yaml#/components/schemas/Pet", "-", files: files, input: "{}")
    let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("api.yaml") }
    #expect(
      lines == [
        "api.yaml:4:42: warning: `const` is not a keyword of 3.0: it came with 3.1 [spec.schema.wrong-dialect]",
        "api.yaml:4:89: warning: `nullable` beside `$ref` has no effect [spec.ref.siblings]",
      ])
    #expect(result.code == 0)
  }

  @Test func `a bound that another version would have known is missing from the verdict`() throws {
    let files = [
      "api.yaml": """
      openapi: 3.0.3
      components:
        schemas:
          A: {type: integer, exclusiveMinimum: 0}
      """
    ]
    let result = try check("api.yaml#/components/schemas/A", "-", files: files, input: "0")
    #expect(
      result.output.hasPrefix(
        "api.yaml:4:42: error: `exclusiveMinimum` expects `true` or `false`, found number 0; it is ignored"))
    #expect(result.code == 1)
  }

  @Test func `a duplicate key of the schema is reported`() throws {
    let result = try check("s.json", "-", files: ["s.json": #"{"type": "string", "type": "integer"}"#], input: "1")
    #expect(
      result.output == """
        s.json:1:20: error: duplicate key `type` in one object [spec.duplicate-key]
          1 | {"type": "string", "type": "integer"}
            |                    ^^^^^^
          help: the first is in line 1; the last one counts

        """)
    #expect(result.code == 1)
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
