import Testing
import UnderstudyCommand
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

struct DoctorTests {
  private static func version(_ name: String) -> String {
    Libraries.versions.first { $0.name == name }?.version ?? "not listed"
  }

  private static let versions = """
    ok  understudy  0.1.0
    ok  libyaml     \(Self.version("libyaml"))
    ok  pcre2       \(Self.version("pcre2"))
    ok  expat       \(Self.version("expat"))
    ok  zlib        \(Self.version("zlib"))
    ok  brotli      \(Self.version("brotli"))
    ok  libcurl     \(Self.version("libcurl"))
    ok  libcrypto   \(Self.version("libcrypto"))
    ok  sqlite      \(Self.version("sqlite"))

    """

  @Test func `a valid project has one line for each check`() throws {
    let files = [
      "understudy.yaml": "contracts: [shop.yaml]\nport: 0\n", "fixtures/shop/readPet/200.json": "{\"name\":\"Tom\"}",
    ]
    try withProject(files.merging(Shop.files) { first, _ in first }) { folder in
      let result = try Command.run("doctor", in: folder)
      #expect(
        result.output == Self.versions + """
          ok  config      understudy.yaml
          ok  port        127.0.0.1 has free ones
          ok  contracts   shop.yaml
          ok              shop.yaml: 0 errors, 0 warnings, 0 notes
          ok              1 fixture in fixtures/shop, 0 errors; 1 of 2 cells of 1 operation have one

          """)
      #expect(result.error == "")
      #expect(result.code == 0)
    }
  }

  @Test func `a port that is taken, and a project without contracts, are found`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      let result = try Command.run("doctor", "--port", "\(mock.port)", in: folder)
      #expect(
        result.output == Self.versions + """
          ok  config      no understudy.yaml in this folder or above; flags are enough
          no  port        port \(mock.port) is taken; choose another with --port, or --port 0 for a free one
          no  contracts   none; `understudy init shop.yaml` creates a project

          """)
      #expect(result.error == "")
      #expect(result.code == 1)
    }
  }

  @Test func `a config file with a misspelt key is shown`() throws {
    try withProject(["understudy.yaml": "contract: [shop.yaml]\nport: 0\n"]) { folder in
      let result = try Command.run("doctor", in: folder)
      #expect(result.output.contains("no  config      understudy.yaml\n"))
      #expect(
        result.error == """
          understudy.yaml:1:1: error: unknown key `contract` [config.unknown-key]
            1 | contract: [shop.yaml]
              | ^^^^^^^^
            help: did you mean `contracts`?

          """)
      #expect(result.code == 1)
    }
  }

  @Test func `the errors that are counted are shown`() throws {
    let files = ["shop.yaml": Shop.contract, "fixtures/shop/readPt/200.json": "{}"]
    try withProject(files) { folder in
      let result = try Command.run("doctor", "shop.yaml", "--port", "0", in: folder)
      #expect(result.output.contains("no              0 fixtures in fixtures/shop, 1 error; 0 of 2 cells"))
      #expect(result.error.contains("[fixture.operation.unknown]\n  help: did you mean `readPet`?\n"))
      #expect(result.code == 1)
    }
  }

  @Test func `fixtures that break the contract, or are not JSON, are errors of the project`() throws {
    let files = ["fixtures/shop/readPet/200.json": "{\"name\":1}", "fixtures/shop/readPet/200.cut.json": "{"]
    try withProject(Shop.files.merging(files) { _, new in new }) { folder in
      let result = try Command.run("doctor", "shop.yaml", "--port", "0", in: folder)
      #expect(result.output.contains("no              2 fixtures in fixtures/shop, 2 errors;"), "\(result.output)")
      #expect(result.error.contains("200.json:1:9: error: expected string, found number 1 [resp.body.schema]"))
      #expect(result.error.contains("200.cut.json:1:2: error: the body is not valid JSON"), "\(result.error)")
      #expect(result.code == 1)
    }
  }

  @Test func `a contract is read once, so it may come from a pipe`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(
        "/bin/sh", ["-c", "cat shop.yaml | '\(Command.path)' doctor /dev/stdin --port 0"], in: folder)
      #expect(result.output.contains("ok              /dev/stdin: 0 errors, 0 warnings, 0 notes\n"))
      #expect(result.code == 0)
    }
  }

  @Test func `a contract that cannot be read is named`() throws {
    try withProject([:]) { folder in
      let result = try Command.run("doctor", "nope.yaml", "--port", "0", in: folder)
      #expect(
        result.output.hasSuffix("no              nope.yaml cannot be read: `understudy lint nope.yaml` shows why\n"))
      #expect(result.code == 1)
    }
  }
}
