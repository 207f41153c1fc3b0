import Foundation
import Testing
import UnderstudyCommand
import UnderstudyTestSupport

/// Options and commands of other tools.
struct OtherToolTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let error: String
    let help: String

    init(_ line: String, _ error: String, _ help: String) {
      arguments = line.split(separator: " ").map(String.init)
      (self.error, self.help) = (error, help)
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(arguments: [
    Mistake(
      "serve shop.yaml --proxy http://127.0.0.1:1", "unknown option `--proxy`",
      "`--upstream URL` forwards requests to a server"),
    Mistake(
      "serve shop.yaml --status 500", "unknown option `--status`",
      "`--force OPERATION=STATUS` chooses the response, as in '*=500'"),
    Mistake(
      "serve shop.yaml --hostname localhost", "unknown option `--hostname`",
      "`--host ADDRESS` is the address to listen on"),
    Mistake(
      "serve shop.yaml --latency 2s", "unknown option `--latency`", "`--delay '*=200ms'` delays every response"),
    Mistake(
      "run shop.yaml --prefer code=404 -- true", "unknown option `--prefer`",
      "`--force OPERATION=STATUS` chooses the response, as in '*=500'"),
    Mistake(
      "mock shop.yaml --verboseLevel debug", "unknown option `--verboseLevel`", "`--verbose` prints warnings as well"),
    Mistake(
      "mock shop.yaml -m", "unknown option `-m`",
      "a mock uses every processor already; `--loops NUMBER` sets the number of event loops"),
    Mistake(
      "mock shop.yaml --multiprocess", "unknown option `--multiprocess`",
      "a mock uses every processor already; `--loops NUMBER` sets the number of event loops"),
    Mistake(
      "mock shop.yaml --ignoreExamples", "unknown option `--ignoreExamples`",
      "`--dynamic` responds with samples of the schema instead of examples"),
    Mistake(
      "verify shop.yaml --base-url http://127.0.0.1:1", "unknown option `--base-url`",
      "`--live URL` is the server to validate"),
    Mistake(
      "lint shop.yaml --ruleset r.yaml", "unknown option `--ruleset`",
      "`rules` of understudy.yaml changes rules; `understudy explain` lists them"),
    Mistake(
      "diff a b --err-ignore x.txt", "unknown option `--err-ignore`",
      "`--baseline FILE` has the findings that do not fail"),
    Mistake("--verion", "unknown option `--verion`", "did you mean `--version`?"),
    Mistake(
      "--port 8080 shop.yaml", "unknown option `--port`",
      "name a command before its options, as in `understudy serve api.yaml`; `understudy --help` lists the commands"),
    Mistake("serv shop.yaml", "unknown command `serv`", "did you mean `serve`?"),
    Mistake("help servee", "unknown command `servee`", "did you mean `serve`?"),
    Mistake("help ctl frce", "unknown command `ctl frce`", "did you mean `force`?"),
    Mistake("foo a b", "unknown command `foo`", "`understudy --help` lists the commands"),
    Mistake("ctl fooo a b", "unknown command `ctl fooo`", "`understudy ctl --help` lists the commands"),
    Mistake("version", "unknown command `version`", "did you mean `--version`?"),
    Mistake(
      "stop", "unknown command `stop`", "Ctrl-C stops a mock; `understudy ctl` directs a mock that runs"),
    Mistake("advance 1h", "unknown command `advance`", "did you mean `ctl advance`?"),
    Mistake(
      "shop.yaml", "unknown command `shop.yaml`", "name a command before it, as in `understudy serve shop.yaml`"),
    Mistake(
      "serve --port abc", "the value `abc` is invalid for `--port <port>`: expected a number from 0 to 65535",
      "`understudy serve --help` lists what it takes"),
    Mistake(
      "serve --loops x", "the value `x` is invalid for `--loops <number>`: expected a number from 1 to 1024",
      "`understudy serve --help` lists what it takes"),
    Mistake(
      "sweep --jobs 65 -- true", "the value `65` is invalid for `--jobs <n>`: expected a number from 1 to 64",
      "`understudy sweep --help` lists what it takes"),
    Mistake(
      "ctl show first", "the value `first` is invalid for `<number>`: expected a number from 1",
      "`understudy ctl show --help` lists what it takes"),
    Mistake(
      "ctl reply readPet --status 99",
      "the value `99` is invalid for `--status <status>`: expected a number from 200 to 599",
      "`understudy ctl reply --help` lists what it takes"),
  ])
  func `a word of another tool is an error with the word here`(_ mistake: Mistake) throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(Command.path, mistake.arguments, in: folder)
      #expect(result.error == "error: \(mistake.error)\n  help: \(mistake.help)\n")
      #expect(result.output == "" && result.code == 2)
    }
  }

  @Test(arguments: OtherTools.all.keys.sorted())
  func `every advice names options that the command has`(_ command: String) throws {
    let help = try Command.run(command, "--help").output
    let own = Set(help.matches(of: /--[a-z0-9-]+/).map { String($0.0) })
    for entry in OtherTools.all[command] ?? [] {
      for option in entry.help.matches(of: /`(--[a-z0-9-]+)/) {
        #expect(own.contains(String(option.1)), "\(entry.options): \(entry.help)")
      }
      for option in entry.options.split(separator: " ") {
        #expect(!own.contains(String(option)), "\(command) has \(option)")
      }
    }
  }

  @Test func `a short option for help is the host if a host follows`() throws {
    let mock = try ServedMock(["specs/petstore.yaml", "-h", "localhost", "--quiet"])
    defer { mock.stop() }
    #expect(mock.url.hasPrefix("http://localhost:") || mock.url.hasPrefix("http://127.0.0.1:"))
    for arguments in [["serve", "-h"], ["serve", "-h", "specs/petstore.yaml"], ["serve", "-h", "--quiet"]] {
      let help = try Command.run(Command.path, arguments)
      #expect(help.code == 0 && help.output.hasPrefix("OVERVIEW: Mock the backend"), "\(help.error)")
    }
  }

  @Test func `the help of the program has its commands in groups, and the first three first`() throws {
    let help = try Command.run("--help").output
    let start = try #require(help.firstRange(of: "SUBCOMMANDS:"))
    let end = try #require(help.firstRange(of: "\n  See 'understudy help"))
    let lines = help[start.lowerBound..<end.lowerBound].split(separator: "\n").filter { !$0.hasPrefix("   ") }
    let names = lines.map { line in
      line.hasPrefix(" ")
        ? line.split(whereSeparator: { " ,".contains($0) }).first.map(String.init) ?? "" : String(line)
    }
    #expect(
      names == [
        "SUBCOMMANDS:", "serve", "verify", "record", "MOCK SUBCOMMANDS:", "run", "sweep", "ctl", "journal", "routes",
        "scenario", "CHECK SUBCOMMANDS:", "lint", "diff", "coverage", "report", "schema", "explain",
        "RECORD SUBCOMMANDS:", "status", "prune", "infer", "TOOL SUBCOMMANDS:", "init", "import", "fetch", "generate",
        "tls",
        "doctor",
      ])
  }
}
