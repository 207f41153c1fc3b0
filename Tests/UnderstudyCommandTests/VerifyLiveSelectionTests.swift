import Testing
import UnderstudyTestSupport

/// The options of `understudy verify --live` that choose operations, phases and values.
struct VerifyLiveSelectionTests {
  private static let petstore = Project.path("specs/petstore.yaml")

  @Test(
    arguments: [
      (["--exclude-operation", "findPet"], "`--exclude-operation findPet` matched 0 of 7 operations", "did you mean"),
      (["--tag", "cats"], "`--tag cats` matched 0 of 7 operations", "understudy routes"),
      (["--path", "/pet"], "`--path /pet` matched 0 of 7 operations", "did you mean `/pets`?"),
      (
        ["--phases", "examples,fuzz"], "`--phases examples,fuzz` names `fuzz`, which is not a phase", "expected some of"
      ),
      (["--max-examples", "0"], "the value `0` is invalid for `--max-examples <n>`", "expected a number from 1"),
    ] as [([String], String, String)])
  func `a selection that fits nothing is a usage error`(options: [String], message: String, help: String) throws {
    let result = try Command.run(
      Command.path, ["verify", "--live", "http://127.0.0.1:1", Self.petstore] + options)
    #expect(result.code == 2, "\(result.output)\(result.error)")
    #expect(result.error.contains(message), "\(result.error)")
    #expect(result.error.contains(help), "\(result.error)")
  }

  @Test func `the config file excludes operations and gives values`() throws {
    let mock = try ServedMock([Self.petstore, "--quiet", "--no-watch"])
    let config = """
      contracts: \(Self.petstore)
      verify:
        live:
          url: \(mock.url)
          exclude-operations: [readPet]
          values: {petId: [7]}

      """
    try withProject(["understudy.yaml": config]) { folder in
      let result = try Command.run("verify", "--live", mock.url, Self.petstore, "--phases", "coverage", in: folder)
      #expect(result.code == 0, "\(result.output)\(result.error)")
      #expect(result.error.contains("matched 6 of 7 operations"), "\(result.error)")
      #expect(result.output.contains("after coverage"), "\(result.output)")
      #expect(result.output.contains("--phases coverage"), "\(result.output)")
    }
  }

  @Test(
    arguments: [
      ("tags: [shop]", "matched 1 of 7 operations"), ("paths: [/hours]", "matched 1 of 7 operations"),
      (#"paths: ["/pets/*"]"#, "matched 4 of 7 operations"),
      (#"{tags: [pets], paths: ["/hours", "/pets"]}"#, "matched 2 of 7 operations"),
    ])
  func `the config file chooses operations by tag and path`(choice: String, expected: String) throws {
    let mock = try ServedMock([Self.petstore, "--quiet", "--no-watch"])
    let live = choice.hasPrefix("{") ? choice : "{\(choice)}"
    try withProject(["understudy.yaml": "verify: {live: \(live)}\n"]) { folder in
      let result = try Command.run("verify", "--live", mock.url, Self.petstore, "--phases", "examples", in: folder)
      #expect(result.error.contains(expected), "\(result.output)\(result.error)")
    }
  }

  @Test func `a tag of the config file that no operation has is a usage error`() throws {
    try withProject(["understudy.yaml": "verify: {live: {tags: [cats]}}\n"]) { folder in
      let result = try Command.run("verify", "--live", "http://127.0.0.1:1", Self.petstore, in: folder)
      #expect(result.code == 2)
      #expect(result.error.contains("cats"), "\(result.error)")
    }
  }

  @Test func `a value for a parameter that no operation has is a usage error`() throws {
    try withProject(["understudy.yaml": "verify: {live: {values: {readPet.id: 1}}}\n"]) { folder in
      let result = try Command.run("verify", "--live", "http://127.0.0.1:1", Self.petstore, in: folder)
      #expect(result.code == 2)
      #expect(
        result.error.contains("`readPet.id` (understudy.yaml:1:26) is not a parameter of an operation"),
        "\(result.error)")
    }
  }
}
