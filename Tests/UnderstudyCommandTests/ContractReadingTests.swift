import Testing
import UnderstudyTestSupport

/// `references` and `formats` of `understudy.yaml`.
struct ContractReadingTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get:
          operationId: pets
          responses:
            "200":
              description: OK
              content:
                application/json:
                  schema: {$ref: "https://schemas.example.com/v1/pet.yaml#/Pet"}
                  example: {id: one, born: never}

    """

  private static let schemas = [
    "schemas/v1/pet.yaml": """
    Pet:
      type: object
      required: [id]
      properties: {id: {$ref: "id.yaml"}, born: {type: string, format: date}}

    """,
    "schemas/v1/id.yaml": "type: integer\n",
  ]

  private static func lint(_ configuration: String, _ command: String = "lint") throws -> (code: Int32, output: String)
  {
    let files = schemas.merging(["api.yaml": contract, "understudy.yaml": "contracts: api.yaml\n" + configuration]) {
      $1
    }
    return try withProject(files) { folder in
      let result = try Command.run(command, "--color", "never", in: folder)
      return (result.code, result.output + result.error)
    }
  }

  @Test func `a reference to another host is refused, with both ways to allow it`() throws {
    let (code, output) = try Self.lint("")
    #expect(code == 1)
    #expect(output.contains("[spec.ref.external]"))
    #expect(
      output.contains(
        "help: name a copy of it under `references` in understudy.yaml, or allow fetching it with `--allow-remote-refs`"
      ),
      "\(output)")
  }

  @Test(arguments: [
    #"references: {"https://schemas.example.com/": schemas}"#,
    #"references: {"https://schemas.example.com/v1/pet.yaml": schemas/v1/pet.yaml}"#,
  ]) func `a reference to a URL is read from a local file, and so are the references in it`(_ setting: String) throws {
    #expect(try Self.lint(setting + "\n") == (0, "checked 1 contract: 0 errors, 0 warnings, 0 notes\n"))
    // The example is validated by the schema of the local file.
    let (_, output) = try Self.lint(setting + "\n", "verify")
    #expect(output.contains("schemas/v1/id.yaml:1"), "\(output)")
  }

  @Test func `formats of OpenAPI 3_1 are counted, and asserted on demand`() throws {
    let references = "references: {\"https://schemas.example.com/\": schemas}\n"
    let (_, silent) = try Self.lint(references, "verify")
    #expect(!silent.contains("`date` like"))
    #expect(silent.contains("an annotation (JSON Schema 2020-12, 7.2.1; `formats: assert` asserts it)"), "\(silent)")
    let (_, loud) = try Self.lint(references + "formats: assert\n", "verify")
    #expect(loud.contains("expected `date` like 2024-02-29, found \"never\""), "\(loud)")
    #expect(!loud.contains("an annotation"))
  }

  @Test(arguments: [
    (#"references: {pet.yaml: schemas}"#, "`pet.yaml` is not a URL: expected http or https"),
    (#"references: {"https://a.example/": other}"#, "there is no folder `other`"),
    (#"references: {"https://a.example/b": schemas}"#, "there is no file `schemas`"),
    ("formats: strict", "`strict` does not say what formats do: expected assert or annotate"),
  ]) func `a mistake in these settings is an error with its place`(_ line: String, _ message: String) throws {
    let (code, output) = try Self.lint(line + "\n")
    #expect(code == 2)
    #expect(output.contains("understudy.yaml:2:"), "\(output)")
    #expect(output.contains("error: \(message) [config.invalid]"), "\(output)")
  }
}
