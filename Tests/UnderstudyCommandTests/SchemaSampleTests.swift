import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// `understudy schema sample`: whole outputs and exit codes.
struct SchemaSampleTests {
  private static let schema = """
    type: object
    required: [id]
    properties:
      id: {type: integer, minimum: 1}
      nick: {type: string, minLength: 2}

    """

  private func sample(_ arguments: String..., schema: String = schema) throws -> Command.Result {
    try withTemporaryFolder { folder in
      try write(["user.yaml": schema], in: folder)
      return try Command.run(Command.path, ["schema", "sample", "user.yaml"] + arguments, in: folder)
    }
  }

  @Test func `one value is printed over several lines`() throws {
    let result = try sample()
    #expect(result.output == "{\n  \"id\": 1,\n  \"nick\": \"text\"\n}\n")
    #expect(result.error == "")
    #expect(result.code == 0)
  }

  @Test func `several values are printed one a line, by the seed and nothing else`() throws {
    let result = try sample("--count", "20", "--seed", "7")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 20)
    #expect(Set(lines).count > 10)
    #expect(try sample("--count", "20", "--seed", "7").output == result.output)
    #expect(try sample("--count", "20", "--seed", "8").output != result.output)
    #expect(try sample("--count", "2", "--seed", "7").output.split(separator: "\n") == Array(lines.prefix(2)))
    let validated = try withTemporaryFolder { folder in
      try write(["user.yaml": Self.schema], in: folder)
      return try Command.run(
        Command.path, ["schema", "check", "user.yaml", "-", "--jsonl"], in: folder, input: result.output)
    }
    #expect(validated.error == "checked: 20, invalid: 0, not validated: 0\n")
  }

  @Test func `invalid samples are printed with their keyword and place`() throws {
    let result = try sample("--invalid", "--count", "4")
    #expect(
      result.output == """
        {"nick":"text"}
        "not listed"
        {}
        {"id":0,"nick":"text"}

        """)
    #expect(
      result.error == """
        user.yaml:2:12: the whole value violates `required`: the property `id` is missing
        user.yaml:1:7: the whole value violates `type`: expected object, found string "not listed"
        user.yaml:2:12: the whole value violates `required`: the property `id` is missing
        user.yaml:4:32: `/id` violates `minimum`: expected at least 1, found 0

        """)
    #expect(result.code == 0)
  }

  @Test func `a keyword chooses among the invalid samples`() throws {
    let result = try sample("--invalid", "minLength")
    #expect(result.output == "{\n  \"id\": 1,\n  \"nick\": \"t\"\n}\n")
    #expect(
      result.error == "user.yaml:5:35: `/nick` violates `minLength`: expected at least 2 characters, found 1 in \"t\"\n"
    )
    #expect(result.code == 0)
  }

  @Test func `the way of a value decides about readOnly`() throws {
    let schema =
      "{openapi: 3.1.0, components: {schemas: {A: {properties: {id: {readOnly: true, const: 1}, a: {const: 2}}, required: [id, a]}}}}"
    try withTemporaryFolder { folder in
      try write(["api.yaml": schema], in: folder)
      let arguments = ["schema", "sample", "api.yaml#/components/schemas/A", "--direction", "request"]
      #expect(try Command.run(Command.path, arguments, in: folder).output == "{\n  \"a\": 2\n}\n")
    }
  }

  @Test func `fewer invalid samples than were asked for are counted`() throws {
    let result = try sample("--invalid", "--count", "20", schema: "enum: [0, 1]\n")
    #expect(result.output == "2\n")
    #expect(
      result.error == """
        user.yaml:1:7: the whole value violates `enum`: expected one of 0 or 1, found number 2
        only 1 of 20 values: further seeds give no new values

        """)
    #expect(result.code == 0)
  }

  // MARK: - Nothing to make

  @Test func `a search that was given up claims nothing about the schema`() throws {
    let result = try sample(schema: "type: object\nminProperties: 6000\n")
    #expect(result.output == "")
    #expect(
      result.error == """
        error: no value was found within the limit of steps: `minProperties` 6000 is more than the limit of 5000 properties
          help: see user.yaml:2:1

        """)
    #expect(result.code == 1)
  }

  @Test func `a schema that accepts every value is reported`() throws {
    let result = try sample("--invalid", schema: "title: anything\n")
    #expect(result.error == "error: every value is valid, so no value can violate the schema\n")
    #expect(result.code == 1)
  }

  @Test func `keywords that exclude each other are shown`() throws {
    let result = try sample(schema: "type: string\nminLength: 5\nmaxLength: 4\n")
    #expect(result.output == "")
    #expect(
      result.error == """
        user.yaml:2:1: error: no value is possible: `minLength` 5 is more than `maxLength` 4 [spec.schema.unsatisfiable]
          2 | minLength: 5
            | ^^^^^^^^^
          user.yaml:3:1: note: and this
            3 | maxLength: 4
              | ^^^^^^^^^

        """)
    #expect(result.code == 1)
    #expect(try sample("--invalid", schema: "false").code == 1)
  }

  @Test func `a keyword that cannot be violated alone is reported with those that can`() throws {
    let result = try sample("--invalid", "pattern")
    #expect(result.output == "")
    #expect(
      result.error == """
        error: no value was found that violates `pattern` alone
          help: these can be violated alone: minLength, minimum, required, type

        """)
    #expect(result.code == 1)
  }

  @Test(arguments: [
    (
      ["--invalid", "minLenght"],
      "error: `--invalid minLenght` names an unknown keyword\n  help: did you mean `minLength`?\n"
    ),
    (
      ["--count", "0"],
      """
      error: the value `0` is invalid for `--count <count>`: expected a number from 1 to 100000
        help: `understudy schema sample --help` lists what it takes

      """
    ),
  ])
  func `usage errors have advice`(arguments: [String], error: String) throws {
    try withTemporaryFolder { folder in
      try write(["user.yaml": Self.schema], in: folder)
      let result = try Command.run(Command.path, ["schema", "sample", "user.yaml"] + arguments, in: folder)
      #expect(result.error == error)
      #expect(result.code == 2)
    }
  }
}
