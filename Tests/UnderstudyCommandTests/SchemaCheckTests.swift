import Testing
import UnderstudyTestSupport

/// `understudy schema check`: findings, whole outputs and exit codes.
struct SchemaCheckTests {
  @Test func `a failure shows value and schema with their lines`() throws {
    let result = try SchemaCheck.run(
      "user.yaml", "ada.json", files: ["ada.json": "{\n  \"id\": 0,\n  \"nikc\": \"ada\"\n}\n"])
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
    let result = try SchemaCheck.run(
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
    let result = try SchemaCheck.run(
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

  @Test func `failures after the first hundred are counted in every format`() throws {
    let files = ["s.json": #"{"items": {"type": "string"}}"#, "v.json": "\((0..<1_500).map { $0 })"]
    let text = try SchemaCheck.run("s.json", "v.json", files: files)
    #expect(
      text.output.hasSuffix("\nv.json: info: and at least 1000 more failures, not listed [instance.schema]\n"))
    let lines = try SchemaCheck.run("s.json", "v.json", "--format", "json", files: files).output.split(separator: "\n")
    #expect(lines.count == 101)
    #expect(
      try SchemaCheck.run("s.json", "v.json", "--format", "basic", files: files).output.contains(
        "and 500 more failures"))
  }

  // MARK: - Not validated

  @Test func `a failure outweighs a part that could not be validated`() throws {
    let files = [
      "s.json": ##"{"properties": {"a": {"$ref": "#/nope"}, "b": {"type": "integer"}}}"##,
      "v.json": #"{"a": 1, "b": "x"}"#,
    ]
    let result = try SchemaCheck.run("s.json", "v.json", files: files)
    #expect(result.output.contains("v.json:1:15: error: expected integer, found string \"x\" [instance.schema]"))
    #expect(result.output.contains("v.json:1:7: error: not validated: the reference `#/nope` leads nowhere"))
    #expect(result.error == "checked: 1, invalid: 1, not validated: 0\n")
  }

  private static let broken = [
    "broken.json": ##"{"properties": {"a": {"$ref": "#/nowhere"}}}"##, "a.json": #"{"a": 1}"#, "b.json": #"{"b": 1}"#,
  ]

  @Test func `a value behind a broken reference is not validated`() throws {
    let result = try SchemaCheck.run("broken.json", "a.json", files: Self.broken)
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
    let result = try SchemaCheck.run("broken.json", "a.json", "b.json", "--quiet", files: Self.broken)
    #expect(result.output == "")
    #expect(
      result.error.hasPrefix("broken.json:1:31: error: the reference `#/nowhere` leads nowhere [spec.schema.ref]\n"))
    #expect(result.error.hasSuffix("\nchecked: 1, invalid: 0, not validated: 1\n"))
    #expect(result.code == 1)
  }

  @Test func `no value at all is nothing checked`() throws {
    #expect(try SchemaCheck.run("user.yaml", "-", "--jsonl", input: "\n").code == 4)
  }
}
