import Foundation
import Testing
import UnderstudyCommand
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// Projects of several contracts.
struct ProjectTests {
  private static func text(_ path: String, in folder: String) throws -> String {
    try String(contentsOf: URL(filePath: folder).appending(path: path), encoding: .utf8)
  }

  private static let second = Shop.contract.replacing("/pets", with: "/cats").replacing("readPet", with: "readCat")

  @Test func `a second contract is added to the config file, which stays as it is otherwise`() throws {
    let mine = "# ours\ncontracts:   # all of them\n    - shop.yaml\nport: 5000   # free here\nfixtures: answers\n"
    let files = [
      "understudy.yaml": mine, "cats.yaml": Self.second, "answers/shop/readPet/200.json": "{\"name\": \"A\"}",
    ]
    try withProject(files.merging(Shop.files) { first, _ in first }) { folder in
      let result = try Command.run("init", "cats.yaml", in: folder)
      #expect(
        result.output == """
          wrote answers/cats/readCat/200.json
          wrote answers/cats/readCat/404.yaml
          added cats.yaml to understudy.yaml

          """)
      #expect(result.code == 0, "\(result.error)")
      #expect(
        try Self.text("understudy.yaml", in: folder) == """
          # ours
          contracts:   # all of them
              - shop.yaml
              - "cats.yaml"
          port: 5000   # free here
          fixtures: answers

          """)
      let verified = try Command.run("verify", in: folder)
      #expect(verified.code == 0, "\(verified.output)")
      #expect(try Command.run("init", "cats.yaml", in: folder).output == "")
    }
  }

  @Test func `two contracts of one file name get names of their own`() throws {
    try withProject(["pets/openapi.yaml": Shop.contract, "cats/openapi.yaml": Self.second]) { folder in
      #expect(try Command.run("init", "pets/openapi.yaml", in: folder).code == 0)
      let result = try Command.run("init", "cats/openapi.yaml", in: folder)
      #expect(
        result.error.hasPrefix("cats/openapi.yaml gets the name `cats`, because `openapi` is another contract\n"))
      #expect(
        try Self.text("understudy.yaml", in: folder).contains(
          "  - \"pets/openapi.yaml\"\n  - {name: \"cats\", file: \"cats/openapi.yaml\"}\n"))
      let routes = try Command.run("routes", in: folder)
      #expect(
        routes.output.contains("(cats, 1 operation, 2 cells, fixtures in fixtures/cats/<operation>)"), "\(routes)")
      // The name also counts where the file is named by itself.
      let one = try Command.run("routes", "cats/openapi.yaml", in: folder)
      #expect(one.output.contains("fixtures in fixtures/cats/<operation>"))
      #expect(try Command.run("verify", in: folder).code == 0)
    }
  }

  @Test func `a report names the file of a renamed contract`() throws {
    let config = "contracts: [{name: pets, file: shop.yaml}]\n"
    try withProject(Shop.files.merging(["understudy.yaml": config]) { first, _ in first }) { folder in
      let report = try JSONParser.parse(Array(try Command.run("verify", "--format", "json", in: folder).output.utf8))
        .root
      #expect(report["run"]?["contracts"]?[0]?.string == "shop.yaml")
      #expect(report["run"]?["contractNames"]?[0]?.string == "pets")
      #expect(try Command.run("verify", "--format", "junit", in: folder).output.contains("file=\"shop.yaml\""))
    }
  }

  @Test func `a name that cannot be that of a folder is an error`() throws {
    let config = "contracts: [{name: ../x, file: shop.yaml}, {nme: a, file: shop.yaml}, {name: b}]\n"
    try withProject(Shop.files.merging(["understudy.yaml": config]) { first, _ in first }) { folder in
      let result = try Command.run("lint", in: folder)
      #expect(
        result.error.contains("understudy.yaml:1:20: error: `../x` cannot name a folder of fixtures"), "\(result.error)"
      )
      #expect(result.error.contains("unknown key `nme`"))
      #expect(result.error.contains("expected `file`, as in `{name: billing, file: billing/openapi.yaml}`"))
      #expect(result.code == 2)
    }
  }

  @Test func `a pipe cannot be named in a config file, so nothing is written`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("/bin/bash", ["-c", "\"$0\" init <(cat shop.yaml)", Command.path], in: folder)
      #expect(
        result.error.contains("no longer exists when this command ends, so understudy.yaml cannot name it"),
        "\(result.error)")
      #expect(result.code == 2)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["shop.yaml"])
    }
  }

  // MARK: - Forms of the list

  @Test(arguments: [
    ("contracts: [a.yaml]\n", "contracts: [a.yaml, \"b.yaml\"]\n"),
    ("contracts: []\n", "contracts: [\"b.yaml\"]\n"),
    ("contracts: a.yaml # one\n", "contracts: [a.yaml, \"b.yaml\"] # one\n"),
    ("contracts:\nport: 1\n", "contracts: [\"b.yaml\"]\nport: 1\n"),
    ("port: 1", "port: 1\ncontracts:\n  - \"b.yaml\"\n"),
    ("", "contracts:\n  - \"b.yaml\"\n"),
    ("contracts:\n- a.yaml", "contracts:\n- a.yaml\n- \"b.yaml\"\n"),
    ("contracts:\n  - a.yaml\n  # last\nport: 1\n", "contracts:\n  - a.yaml\n  - \"b.yaml\"\n  # last\nport: 1\n"),
    (
      "contracts:\n  - name: a\n    file: a.yaml\nport: 1\n",
      "contracts:\n  - name: a\n    file: a.yaml\n  - \"b.yaml\"\nport: 1\n"
    ),
    ("{\"contracts\": [\"a.yaml\"]}\n", "{\"contracts\": [\"a.yaml\", \"b.yaml\"]}\n"),
  ])
  func `a contract is added in the form that the list has`(_ old: String, _ new: String) {
    let source = SourceFile(path: "understudy.yaml", text: old)
    let bytes = ConfigurationEdit.adding([.init(file: "b.yaml", name: nil)], to: source)
    #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == new)
  }

  // MARK: - Fixtures without a contract

  private static let stray = [
    "understudy.yaml": "contracts: shop.yaml\nport: 0\n", "shop.yaml": Shop.contract,
    "fixtures/shop/readPet/200.json": "{\"name\": \"Tom\"}", "fixtures/cats/readCat/200.json": "{}",
    "fixtures/images/cat.png": "",
  ]

  @Test func `fixtures that no contract owns fail verify, and serve and doctor name them`() throws {
    try withProject(Self.stray) { folder in
      let message =
        "fixtures/cats: error: no contract is called `cats`, so its fixtures are neither served nor verified"
      let verified = try Command.run("verify", in: folder)
      #expect(verified.output.contains(message), "\(verified.output)")
      #expect(verified.code == 1)
      let doctor = try Command.run("doctor", in: folder)
      #expect(doctor.error.contains(message))
      #expect(doctor.code == 1)
      let mock = try ServedMock([], in: folder)
      #expect(mock.printed.contains(message))
      #expect(!mock.printed.contains("images"))
      mock.stop()
    }
  }

  @Test func `a run of one contract warns about fixtures of others, unless the config file names them`() throws {
    try withProject(Self.stray.merging(["cats.yaml": Self.second]) { first, _ in first }) { folder in
      let warned = try Command.run("verify", "shop.yaml", in: folder)
      #expect(warned.output.contains("fixtures: warning: no chosen contract is called `cats`: "), "\(warned.output)")
      #expect(warned.code == 0)
      try write(["understudy.yaml": "contracts: [shop.yaml, cats.yaml]\n"], in: folder)
      let silent = try Command.run("verify", "shop.yaml", in: folder)
      #expect(!silent.output.contains("cats"), "\(silent.output)")
    }
  }

  // MARK: - One verdict

  @Test func `lint, serve and doctor count the same problems of a contract`() throws {
    let contract = Shop.contract.replacing(
      "required: [name], properties: {name: {type: string}}",
      with: "required: [name], properties: {name: {type: string, minLength: 5, maxLength: 2}}"
    ).replacing("description: No such pet.", with: "x-none: 1")
    try withProject(["shop.yaml": contract]) { folder in
      let counts = try #require(
        try Command.run("lint", "shop.yaml", in: folder).error.firstMatch(
          of: /(\d+) errors?, (\d+) warnings?, \d+ notes?/))
      #expect(counts.1 != "0")
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      let banner = try #require(
        mock.printed.firstMatch(of: /, (\d+) errors?.* in the contract: understudy lint shop.yaml\n/))
      #expect(banner.1 == counts.1, "\(mock.printed)")
      let doctor = try Command.run("doctor", "shop.yaml", "--port", "0", in: folder)
      #expect(
        doctor.output.contains("no              shop.yaml: \(counts.0); `understudy lint shop.yaml` lists them\n"))
    }
  }

  // MARK: - Nothing named

  @Test func `a contract that is there is offered where none was named`() throws {
    let files = ["openapi.yaml": Shop.contract, "specs/other.json": "{\"swagger\": \"2.0\"}", "specs/no.json": "{}"]
    try withProject(files) { folder in
      let result = try Command.run("serve", in: folder)
      #expect(
        result.error == """
          error: no contract is named
            help: openapi.yaml is a contract: `understudy serve openapi.yaml` (also here: specs/other.json); \
          `understudy init openapi.yaml` starts a project

          """)
      #expect(result.code == 2)
    }
  }

  @Test func `mock is another name of serve`() throws {
    let result = try Command.run("mock", "--port", "0", "nope.yaml")
    #expect(result.error.contains("nope.yaml: error: cannot read the contract"))
    #expect(result.code == 3)
  }

  @Test(arguments: [
    ("proxy", "`understudy serve --upstream URL` is a validating proxy"), ("serv", "did you mean `serve`?"),
    ("mck", "did you mean `mock`?"),
  ])
  func `a word of another tool leads to the subcommand`(_ word: String, _ help: String) throws {
    let result = try Command.run(word, "shop.yaml")
    #expect(result.error.hasSuffix("  help: \(help)\n"), "\(result.error)")
    #expect(result.code == 2)
  }
}
