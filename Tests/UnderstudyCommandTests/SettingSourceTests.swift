import Testing
import UnderstudyTestSupport

/// A message about a setting names its source: flag, environment or config file.
struct SettingSourceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var arguments: [String] = []
    var environment: [String: String] = [:]
    var file = ""
    var error: String
    var testDescription: String { error }
  }

  static let cases = [
    Case(
      environment: ["UNDERSTUDY_ON_INVALID": "zz"],
      error: "error: `UNDERSTUDY_ON_INVALID=zz` is unknown\n  help: known: contract, problem, warn\n"),
    Case(
      file: "on-invalid: wran\n",
      error: "error: `on-invalid: wran` (understudy.yaml:1:13) is unknown\n  help: did you mean `warn`?\n"),
    Case(
      file: "upstream-timeout: soon\n",
      error: """
        error: `upstream-timeout: soon` (understudy.yaml:1:19) is not a duration
          help: expected 500ms, 30s or 2m

        """),
    Case(
      file: "force: {readPt: 404}\n",
      error: """
        understudy.yaml:1:9: error: `force` names the operation `readPt`, which no contract has [config.invalid]
          1 | force: {readPt: 404}
            |         ^^^^^^
          help: did you mean `readPet`?

        """),
    Case(
      arguments: ["--fixtures", "fixture"],
      error: "error: the folder of `--fixtures fixture` does not exist: fixture\n  help: did you mean `fixtures`?\n"),
    Case(
      file: "fixtures: ./fixtuers\n",
      error: """
        error: the folder of `fixtures: ./fixtuers` (understudy.yaml:1:11) does not exist: ./fixtuers
          help: did you mean `./fixtures`?

        """),
  ]

  @Test func `record takes its address and the time limit of the upstream from the same sources`() throws {
    try withProject(["shop.yaml": Shop.contract, "understudy.yaml": "upstream-timeout: soon\n"]) { folder in
      let arguments = ["record", "shop.yaml", "--upstream", "http://127.0.0.1:1"]
      let fromFile = try Command.run(Command.path, arguments, in: folder)
      #expect(
        fromFile.error == """
          error: `upstream-timeout: soon` (understudy.yaml:1:19) is not a duration
            help: expected 500ms, 30s or 2m

          """)
      let fromEnvironment = try Command.run(
        Command.path, arguments, in: folder, environment: ["UNDERSTUDY_PORT": "x"])
      #expect(fromEnvironment.error == "error: UNDERSTUDY_PORT is `x`, expected a port from 0 to 65535\n")
      #expect([fromFile.code, fromEnvironment.code] == [2, 2])
    }
  }

  @Test(arguments: cases) func `the message names the source`(_ input: Case) throws {
    var files = ["shop.yaml": Shop.contract, "fixtures/shop/readPet/200.json": "{}"]
    if !input.file.isEmpty { files["understudy.yaml"] = input.file }
    try withProject(files) { folder in
      let result = try Command.run(
        Command.path, ["serve", "shop.yaml", "--port", "0"] + input.arguments, in: folder,
        environment: input.environment)
      #expect(result.error == input.error)
      #expect(result.code == 2)
    }
  }

  @Test func `the default folder of fixtures need not be there`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      #expect(mock.printed.contains("0 fixtures, no problems in the contract"))
    }
  }
}
