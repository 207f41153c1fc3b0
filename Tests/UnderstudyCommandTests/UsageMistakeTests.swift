import Foundation
import Testing
import UnderstudyTestSupport

struct UsageMistakeTests {
  @Test(arguments: [
    (["--overwrite"], "--overwrite", "--har"), (["--fallback", "mock"], "--fallback", "--upstream"),
    (["--upstream-timeout", "3s"], "--upstream-timeout", "--upstream"),
    (["--upstream-http", "2"], "--upstream-http", "--upstream"),
  ])
  func `an option without the one it needs is refused`(arguments: [String], option: String, partner: String) throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(Command.path, ["serve", "shop.yaml"] + arguments, in: folder)
      #expect(
        result.error == """
          error: `\(option)` has no effect without `\(partner)`
            help: add `\(partner)`, or remove `\(option)`

          """)
      #expect(result.code == 2)
    }
  }

  @Test func `a timeout needs a unit`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(
        "serve", "shop.yaml", "--upstream", "http://127.0.0.1:1", "--upstream-timeout", "3", in: folder)
      #expect(
        result.error == """
          error: `--upstream-timeout 3` is not a duration
            help: expected 500ms, 30s or 2m

          """)
      #expect(result.code == 2)
    }
  }

  @Test func `an upstream has two versions of HTTP`() throws {
    try withProject(Shop.files.merging(["understudy.yaml": "upstream-http: 3\n"]) { a, _ in a }) { folder in
      let result = try Command.run("serve", "shop.yaml", "--upstream", "http://127.0.0.1:1", in: folder)
      #expect(
        result.error == """
          error: `upstream-http: 3` (understudy.yaml:1:16) is not a version of HTTP to an upstream
            help: expected 1.1 or 2

          """)
      #expect(result.code == 2)
    }
  }

  @Test(arguments: [
    ("shop.yml", "no such file or folder", "did you mean `shop.yaml`?"),
    ("api/opnapi.json", "no such file or folder", "did you mean `api/openapi.json`?"),
    ("api", "this is a folder; expected a file", "name a file: did you mean `api/openapi.json`?"),
    (".", "this is a folder; expected a file", "name a file: did you mean `./shop.yaml`?"),
  ])
  func `a path without a contract has advice`(path: String, reason: String, help: String) throws {
    let files = Shop.files.merging(["api/openapi.json": "{}", "api/other.json": "{}", "understudy.yaml": ""]) { a, _ in
      a
    }
    try withProject(files) { folder in
      let result = try Command.run("serve", path, "--port", "0", in: folder)
      #expect(
        result.error == """
          \(path): error: cannot read the contract: \(reason) [config.unreadable]
            help: \(help)

          """)
      #expect(result.code == 3)
    }
  }

  @Test func `a misspelt subcommand of coverage is suggested`() throws {
    try withProject([:]) { folder in
      let result = try Command.run("coverage", "merg", "a.json", in: folder)
      #expect(result.error.hasSuffix("error: merg cannot be used\n  help: did you mean `merge`?\n"), "\(result.error)")
      #expect(result.code == 3)
    }
  }

  @Test(arguments: ["", "\n \n"]) func `an empty contract is called empty`(text: String) throws {
    try withProject(["shop.yaml": text]) { folder in
      let result = try Command.run("lint", "shop.yaml", in: folder)
      #expect(result.output.contains("error: the file is empty: expected `openapi: 3.0.x`"), "\(result.output)")
      #expect(result.code == 3)
    }
  }

  @Test func `a duplicate key of the config file has the place of the first`() throws {
    try withProject(["understudy.yaml": "port: 1\nport: 2\n"]) { folder in
      let result = try Command.run("routes", in: folder)
      #expect(result.error.contains("help: the first is in line 1; remove one of them"), "\(result.error)")
      #expect(result.code == 2)
    }
  }

  @Test func `a ready file in a missing folder is refused`() throws {
    try withProject(Shop.files) { folder in
      let har = try Command.run("serve", "shop.yaml", "--har", "no/such/t.har", in: folder)
      #expect(
        har.error
          == "error: `--har no/such/t.har`: the folder no/such does not exist\n  help: create it: mkdir -p no/such\n")
      let result = try Command.run("serve", "shop.yaml", "--ready-file", "no/such/ready", in: folder)
      #expect(
        result.error == """
          error: `--ready-file no/such/ready`: the folder `no/such` does not exist
            help: create it, or name another file

          """)
      #expect(result.code == 2)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/no"))
    }
  }

  @Test func `init stops at the first file that cannot be written`() throws {
    try withProject(Shop.files.merging(["taken": ""]) { a, _ in a }) { folder in
      let result = try Command.run("init", "shop.yaml", "--fixtures", "taken", in: folder)
      #expect(result.error.components(separatedBy: "error:").count == 2, "\(result.error)")
      #expect(result.error.contains("error: taken/shop/readPet/200.json: "), "\(result.error)")
      #expect(result.output == "")
      #expect(result.code == 1)
    }
  }

  @Test func `init names the first twenty files, and none if it is quiet`() throws {
    let statuses = (410..<440).map { "        \"\($0)\": {description: Gone.}\n" }.joined()
    try withProject(["shop.yaml": Shop.contract + statuses]) { folder in
      let quiet = try Command.run("init", "shop.yaml", "--quiet", "--dry-run", in: folder)
      #expect(quiet.output == "")
      #expect(quiet.error == "33 to write, 0 kept, 0 skipped\n")
      let result = try Command.run("init", "shop.yaml", in: folder)
      #expect(result.output.split(separator: "\n").count == 21)
      #expect(result.output.hasSuffix("\nand 13 more files\n"), "\(result.output)")
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare"), "skipped: no unshare"))
  func `a program without proc says why it has no arguments`() throws {
    try withTemporaryFolder { folder in
      let hidden = "mount -t tmpfs none /proc"
      let isAllowed = try Command.run("/usr/bin/unshare", ["-m", "/bin/sh", "-c", hidden], in: folder).code == 0
      guard isAllowed else { return print("skipped: no mount") }
      let result = try Command.run(
        "/usr/bin/unshare", ["-m", "/bin/sh", "-c", #"\#(hidden) && exec "$0" --version"#, Command.path], in: folder)
      #expect(
        result.error == "error: the arguments of this program cannot be read\n  help: mount /proc, and try again\n")
      #expect(result.code == 2)
    }
  }

  @Test(arguments: [
    (
      ["generate", "cobol"], "the value `cobol` is invalid for `<language>`",
      "expected `swift`, `typescript` or `kotlin`"
    ),
    (
      ["run", "shop.yaml"], "no command is named: write it after `--`, ", "`understudy run --help` lists what it takes"
    ),
    (["serve", "--port", "it's"], "the value `it's` is invalid for `--port <port>`", ""),
    (
      ["sweep", "shop.yaml", "--max-time", "0", "--", "true"],
      "the value `0` is invalid for `--max-time <duration>`: `0` is not a duration", ""
    ),
    (["ctl", "frce"], "unknown command `ctl frce`", "did you mean `force`?"),
    (["verify", "--fail-on"], "missing value for `--fail-on <severity>`", "`understudy verify --help` lists what it"),
  ])
  func `mistakes of usage have one form`(arguments: [String], error: String, help: String) throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(Command.path, arguments, in: folder)
      #expect(result.error.hasPrefix("error: \(error)"), "\(result.error)")
      #expect(help.isEmpty || result.error.contains("\n  help: \(help)"), "\(result.error)")
      #expect(result.code == 2)
    }
  }

  @Test(arguments: [
    ["verify", "shop.yaml", "--live", "http://bob:hunter2-q@127.0.0.1:1"],
    ["lint", "http://bob:hunter2-q@127.0.0.1:1/x"],
    ["fetch", "http://bob:hunter2-q@127.0.0.1:1/x"], ["serve", "http://bob:hun'ter2/hunter2-q@127.0.0.1:1/x"],
    ["serve", "shop.yaml", "--upstream", "http://bob:hunter2-q@h"],
  ])
  func `the password of a URL is in no message`(arguments: [String]) throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(Command.path, arguments, in: folder)
      #expect(result.error.contains("http://[redacted]@"), "\(result.error)")
      #expect(!(result.error + result.output).contains("hunter2"), "\(result)")
      #expect(result.code == 2 || result.code == 3)
    }
  }

  @Test func `a report in a missing folder is refused before the run, unless the folder is below this one`() throws {
    try withProject(Shop.files) { folder in
      for missing in ["\(folder)/no", "../\((folder as NSString).lastPathComponent)/no"] {
        let result = try Command.run("verify", "shop.yaml", "--report", "junit=\(missing)/a.xml", in: folder)
        #expect(
          result.error == """
            error: `--report junit=\(missing)/a.xml`: the folder \(missing) does not exist
              help: create it, or name a file below the working directory, whose folders are made

            """)
        #expect(result.output == "" && result.code == 2)
      }
      for place in ["shop.yaml/a.xml", "."] {
        let result = try Command.run("verify", "shop.yaml", "--report", "junit=\(place)", in: folder)
        #expect(result.error.contains("expected a f") && result.output == "" && result.code == 2, "\(result)")
      }
      #expect(try Command.run("verify", "shop.yaml", "--report", "junit=no/a.xml", in: folder).code == 0)
      #expect(FileManager.default.fileExists(atPath: "\(folder)/no/a.xml"))
    }
  }
}
