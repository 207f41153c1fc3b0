import Testing
import UnderstudyTestSupport

/// Arguments of `understudy schema check`, and findings about the schema itself.
struct SchemaCheckUsageTests {
  @Test(arguments: [
    (
      ["none.yaml", "-"], 3,
      """
      none.yaml: error: cannot read the schema: no such file or folder [config.unreadable]
        help: check the path and the working directory

      """
    ),
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
      try write(["user.yaml": SchemaCheck.schema], in: folder)
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
      try write(["user.yaml": SchemaCheck.schema], in: folder)
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
    let result = try SchemaCheck.run("user.yaml", "-", "--direction", "request", input: #"{"id": 1, "nick": "ada"}"#)
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
    let result = try SchemaCheck.run("api.yaml#/components/schemas/Pet", "-", files: files, input: "{}")
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
    let result = try SchemaCheck.run("api.yaml#/components/schemas/A", "-", files: files, input: "0")
    #expect(
      result.output.hasPrefix(
        "api.yaml:4:42: error: `exclusiveMinimum` expects `true` or `false`, found number 0; it is ignored"))
    #expect(result.code == 1)
  }

  @Test func `a duplicate key of the schema is reported`() throws {
    let result = try SchemaCheck.run(
      "s.json", "-", files: ["s.json": #"{"type": "string", "type": "integer"}"#], input: "1")
    #expect(
      result.output == """
        s.json:1:20: error: duplicate key `type` in one object [spec.duplicate-key]
          1 | {"type": "string", "type": "integer"}
            |                    ^^^^^^
          help: the first is in line 1; remove one of them

        """)
    #expect(result.code == 1)
  }
}
