import Foundation
import Testing
import UnderstudyTestSupport

/// Whole messages of mistakes that users typed.
struct MessageTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let line: String
    let error: String
    var files: [String: String] = [:]
    var code: Int32 = 2

    var testDescription: String { line }
  }

  @Test(arguments: [
    Mistake(
      line: "serve shop.yaml --force readPet=200.ctas",
      error: """
        error: --force asks readPet for `200.ctas`, which it does not have [config.invalid]
          help: did you mean `200.cat`?

        """),
    Mistake(
      line: "serve shop.yaml --force readPet=500@20%",
      error: """
        error: --force asks readPet for `500`, which it does not have [config.invalid]
          help: it has 200 found, 404, 200.cat; `*=500` is a plain 500 for every operation

        """),
    Mistake(
      line: "serve shop.yaml --base-path /v2",
      error: """
        /v2: error: cannot read the contract: no such file or folder [config.unreadable]
          help: check the path and the working directory
          help: `--base-path` takes no value, so `/v2` was read as a contract

        """, code: 3),
    Mistake(
      line: "serve shop.yaml --port -1",
      error: """
        error: missing value for `--port <port>`
          help: `-1` starts like an option, and no number here is negative; `understudy serve --help` lists what it takes

        """),
    Mistake(
      line: "serve shop.yaml --fault chat=duplicate",
      error: """
        error: `--fault chat=duplicate`: `duplicate` is not a fault
          help: it is a fault of sockets: `sockets=duplicate`, or `sockets/chat=duplicate` for one event

        """),
    Mistake(
      line: "serve --port 0",
      error: """
        nope.yaml: error: cannot read the contract: no such file or folder [config.unreadable]
          understudy.yaml:1:13: note: the contract is listed here
            1 | contracts: [nope.yaml]
              |             ^^^^^^^^^
          help: check the path and the working directory

        """, files: ["understudy.yaml": "contracts: [nope.yaml]\n", "four.yaml": "{}"], code: 3),
    Mistake(
      line: "serve shop.yaml --upstream localhost:8080",
      error: """
        error: `--upstream localhost:8080` is not a base URL
          help: did you mean `http://localhost:8080`?

        """),
    Mistake(
      line: "ctl lanes --url localhost:4010",
      error: """
        error: `--url localhost:4010` is not a base URL
          help: did you mean `http://localhost:4010`?

        """),
    Mistake(
      line: "verify shop.yaml --live http://127.0.0.1:1",
      error: """
        seed 0; matched 1 of 1 operation
        error: nothing was checked at http://127.0.0.1:1: the server cannot be reached: connection refused
          help: start the server, or check the host and port of `--live`

        """, code: 4),
    Mistake(
      line: "serve shop.yaml --store no/lanes.db",
      error: """
        error: the folder of `--store no/lanes.db` does not exist: no
          help: create it: mkdir -p no

        """),
    Mistake(
      line: "verify shop.yaml --format yaml",
      error: """
        error: the value `yaml` is invalid for `--format <format>`
          help: expected `text`, `json`, `junit`, `sarif`, `github`, `gitlab`, `markdown` or `html`

        """),
    Mistake(
      line: "verify shop.yaml --fail-on warn",
      error: """
        error: the value `warn` is invalid for `--fail-on <severity>`
          help: expected `info`, `warning`, `error` or `any`

        """),
    Mistake(
      line: "diff shop.yaml",
      error: """
        error: missing expected argument `<new>`
          help: as in `understudy diff HEAD~1:openapi.yaml openapi.yaml`; `understudy diff --help` lists what it takes

        """),
    Mistake(
      line: "diff shop.yaml shop.yaml --notice soon",
      error: """
        error: the value `soon` is invalid for `--notice <days>`: expected days, as in 180, or beta=30 or stable=90 for a \
        stability level
          help: `understudy diff --help` lists what it takes

        """),
    Mistake(
      line: "explain reset",
      error: """
        error: unknown rule `reset`
          help: known: fault.reset

        """),
    Mistake(
      line: "scenario life shop.yaml",
      error: """
        error: unknown command `scenario life`
          help: did you mean `scenario show life`?

        """),
    Mistake(
      line: "serve shop.yaml --watch=false",
      error: """
        error: the option `--watch` takes no value, found `false`
          help: write `--watch` alone, or `--no-watch` where the help has it

        """),
    Mistake(
      line: "serve",
      error: """
        understudy.yaml:1:1: error: expected a mapping, as in `contracts: [api.yaml]`, found array [config.invalid]
          1 | - shop.yaml
            | ^

        """, files: ["understudy.yaml": "- shop.yaml\n"]),
    Mistake(
      line: "verify shop.yaml http://127.0.0.1:1",
      error: """
        error: cannot fetch the contract from http://127.0.0.1:1: connection refused
          help: nothing listens there: start the server, or check host and port; `--live URL` names a server to validate

        """, code: 3),
    Mistake(line: "scenario list shop.yaml", error: "no scenarios in fixtures/shop/_scenarios\n", code: 0),
    Mistake(
      line: "lint routes.yaml",
      error: """
        checked 1 contract: 1 error, 0 warnings, 0 notes

        """, files: ["routes.yaml": "routes: {ANY /x: {template: true, text: '{{add 1}}'}}\n"], code: 1),
    Mistake(
      line: "serve shop.yaml --force readPet=200.ctas",
      error: """
        error: --force asks readPet for `200.ctas`, which it does not have [config.invalid]
          help: did you mean `200.cat`?
        fixtures: warning: no chosen contract is called `cats`, `dogs`: their fixtures are neither served nor verified \
        [fixture.contract.unknown]

        """, files: ["fixtures/cats/readCat/200.json": "{}", "fixtures/dogs/readDog/200.json": "{}"]),
  ])
  func `a mistake has a message with the next step`(_ mistake: Mistake) throws {
    try withProject(Shop.files.merging(mistake.files) { _, new in new }) { folder in
      let words = mistake.line.split(separator: " ").map(String.init)
      let result = try Command.run(Command.path, words, in: folder)
      #expect(result.error == mistake.error, "\(result.output)")
      #expect(result.code == mistake.code)
    }
  }

  @Test(arguments: [
    (
      "fault chat=duplicate", "`duplicate` is not a fault",
      "it is a fault of sockets: `sockets=duplicate`, or "
        + "`sockets/chat=duplicate` for one event"
    ),
    (
      "close nope", "no lane `nope` is open",
      "`understudy ctl open nope` opens it, `understudy ctl lanes` lists the open lanes"
    ),
    ("close alic", "no lane `alic` is open", "did you mean `alice`?"),
    (
      "reply readPet --template --text {{add}}", "nothing gives `{{add}}` a value, so it renders as nothing",
      "`add` is a function, as in `{{add request.query.page 1}}`"
    ),
    (
      "route GET=x", "the path of `GET` does not start with a slash",
      "expected a method and a path, as in `GET /users/{id}`"
    ),
    (
      "route ANY_/x={{add}}",
      "the reply of `ctl route ANY_/x={{add}}` is not YAML: expected a scalar as key, found a "
        + "mapping or a list", "JSON keys are strings; text in braces or brackets, such as {{ name }}, needs quotes"
    ),
  ])
  func `the help of a running mock is a line of its own`(_ line: String, _ error: String, _ help: String) throws {
    let mock = try ServedMock(["specs/petstore.yaml", "--quiet"])
    defer { mock.stop() }
    _ = try Command.run("ctl", "open", "alice", "--url", mock.url)
    let words = ["ctl"] + line.split(separator: " ").map(String.init) + ["--url", mock.url]
    let result = try Command.run(Command.path, words)
    #expect(result.error == "error: \(error)\n  help: \(help)\n")
    #expect(result.code == 2)
  }

  @Test func `a mock that needs its token names the variable`() throws {
    let mock = try ServedMock(["specs/petstore.yaml", "--quiet"], environment: ["UNDERSTUDY_ADMIN_TOKEN": "secret"])
    defer { mock.stop() }
    let result = try Command.run("ctl", "log", "--url", mock.url)
    #expect(
      result.error == """
        error: the admin API needs its token here
          help: set the token that the mock printed at its start, as in `UNDERSTUDY_ADMIN_TOKEN=TOKEN understudy ctl log`

        """)
  }

  @Test func `a reply with a template is filled, and one without is a warning`() throws {
    let mock = try ServedMock(["specs/petstore.yaml", "--quiet"])
    defer { mock.stop() }
    let text = "pet {{request.path.petId}}"
    let plain = try Command.run("ctl", "reply", "readPet", "--text", text, "--url", mock.url)
    #expect(plain.error.hasPrefix("warning: "), "\(plain.error)")
    let filled = try Command.run("ctl", "reply", "readPet", "--text", text, "--template", "--url", mock.url)
    #expect(filled.error == "" && filled.code == 0)
    #expect(try Command.run(Command.curl, ["-s", "\(mock.url)/api/pets/7"]).output == "pet 7")
  }

  @Test func `a mock names the placeholders and a contract without operations`() throws {
    let contract = """
      openapi: 3.1.0
      info: {title: Files, version: "1"}
      paths:
        /pdf:
          get:
            operationId: pdf
            responses:
              "200": {description: A file., content: {application/pdf: {schema: {type: string, format: binary}}}}
        /far:
          get:
            operationId: far
            responses:
              "200":
                description: Far away.
                content: {application/json: {examples: {a: {externalValue: "https://example.com/a.json"}}}}

      """
    try withProject([
      "files.yaml": contract, "none.yaml": "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {}\n",
    ]) {
      folder in
      let mock = try ServedMock(["files.yaml"], in: folder)
      #expect(mock.waits(for: "of any format"))
      let log = mock.end().printed
      #expect(
        log.contains(
          """
          warning: 2 responses of files are placeholders: pdf/200, far/200
            pdf/200: no sample has the format application/pdf
            help: write a fixture; its `bodyFile` may name a file of any format

          """), "\(log)")
      let empty = try ServedMock(["none.yaml"], in: folder).end().printed
      #expect(empty.contains("0 fixtures, a contract without operations: there is nothing to serve\n"), "\(empty)")
    }
  }
}
