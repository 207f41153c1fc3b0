import Foundation
import Testing
import UnderstudyTestSupport

/// What `serve` prints while it runs.
@Suite(.waitsForProcesses)
struct RunningMockTests {
  /// A fixture whose body breaks the schema, which asks for an object with a name.
  private static let broken = ["fixtures/shop/readPet/200.json": "{\"name\":1}\n"]

  private func serving(
    _ files: [String: String] = [:], _ arguments: String..., body: (ServedMock, _ folder: String) throws -> Void
  ) throws {
    try withProject(Shop.files.merging(files) { _, new in new }) { folder in
      let mock = try ServedMock(["shop.yaml"] + arguments, in: folder)
      defer { mock.stop() }
      try body(mock, folder)
    }
  }

  // MARK: - Fixtures

  @Test func `a fixture that breaks the contract is printed after the start`() throws {
    try serving(Self.broken) { mock, _ in
      #expect(mock.waits(for: "[resp.body.schema]"), "\(mock.printed)")
      let (code, printed) = mock.end()
      #expect(
        printed.contains(
          "fixtures/shop/readPet/200.json:1:9: error: expected string, found number 1 [resp.body.schema]\n"),
        "\(printed)")
      #expect(code == 0)
    }
  }

  @Test func `a request that gets a broken fixture says so in the log`() throws {
    try serving(["fixtures/shop/readPet/200.json": "{"]) { mock, _ in
      #expect(mock.waits(for: "200.json:1:2: error: the body is not valid JSON"), "\(mock.printed)")
      let answer = try Curl.get("\(mock.url)/pets/1")
      #expect(answer.body == "{")
      #expect(mock.waits(for: "fixture readPet/200 (1 error in it)\n"), "\(mock.printed)")
    }
  }

  @Test func `a strict mock refuses to start with a broken fixture`() throws {
    try withProject(Shop.files.merging(Self.broken) { _, new in new }) { folder in
      let result = try Command.run("serve", "shop.yaml", "--strict", "--port", "0", in: folder)
      #expect(result.output == "")
      #expect(result.error.hasPrefix("fixtures/shop/readPet/200.json:1:9: error: expected string, found number 1"))
      #expect(
        result.error.hasSuffix(
          """
          error: 1 error in fixtures, and `--strict` is given
            help: mend them, or list the rules that a fixture breaks on purpose in its `violates`

          """), "\(result.error)")
      #expect(result.code == 1)
    }
    try serving(["fixtures/shop/readPet/200.json": "{\"name\":\"Tom\"}"], "--strict") { mock, _ in
      let answer = try Curl.get("\(mock.url)/pets/1")
      #expect(answer.body == #"{"name":"Tom"}"#)
    }
  }

  @Test func `a fixture that breaks the contract after a change is printed once`() throws {
    try serving { mock, folder in
      try write(Self.broken, in: folder)
      #expect(mock.waits(for: "200.json:1:9: error: expected string"), "\(mock.printed)")
      try write(["fixtures/shop/readPet/404.txt": "gone"], in: folder)
      #expect(mock.waits(for: "1 earlier finding about fixtures remains\n"), "\(mock.printed)")
      #expect(mock.printed.components(separatedBy: "[resp.body.schema]").count == 2)
    }
  }

  @Test func `a contract that changes under its fixtures breaks them`() throws {
    try serving(["fixtures/shop/readPet/200.json": "{\"name\":\"Tom\"}"]) { mock, folder in
      let changed = Shop.contract.replacing("name: {type: string}", with: "name: {type: integer}")
      try write(["shop.yaml": changed], in: folder)
      #expect(mock.waits(for: "200.json:1:9: error: expected integer, found string \"Tom\""), "\(mock.printed)")
    }
  }

  @Test func `of many broken fixtures the first twenty are printed`() throws {
    var files: [String: String] = [:]
    for number in 10..<40 { files["fixtures/shop/readPet/200.n\(number).json"] = "{}" }
    try serving(files) { mock, _ in
      #expect(mock.waits(for: "10 more findings about fixtures: `understudy verify` lists them\n"), "\(mock.printed)")
      #expect(mock.printed.components(separatedBy: "[resp.body.schema]").count == 21)
    }
  }

  // MARK: - Scenarios

  @Test func `a scenario with an error ends the start like a wrong forced answer`() throws {
    let files = ["fixtures/shop/_scenarios/rush.yaml": "sequence: {readPet: [200, 418]}\n"]
    try withProject(Shop.files.merging(files) { first, _ in first }) { folder in
      let result = try Command.run("serve", "shop.yaml", "--port", "0", "--scenario", "rush", in: folder)
      #expect(
        result.error == """
          fixtures/shop/_scenarios/rush.yaml:1:27: error: readPet has no answer `418` [fixture.sequence.cell]
            1 | sequence: {readPet: [200, 418]}
              |                           ^^^
            help: it has 200, 404, 200.cat

          """)
      #expect(result.code == 2)
    }
  }

  // MARK: - Options

  @Test func `the banner shows what changes the answers`() throws {
    let files = ["fixtures/shop/_scenarios/rush.yaml": "sequence: {readPet: [404, 200]}\n"]
    try serving(
      files, "--force", "*=500", "--scenario", "rush", "--delay", "*=1ms", "--delay", "readPet=2ms", "--fault",
      "readPet=truncate"
    ) { mock, _ in
      #expect(
        mock.printed.contains(
          "\n  forced: *=500; scenario: rush; delay: *=1ms, readPet=2ms; fault: readPet=truncate\n"), "\(mock.printed)")
    }
  }

  @Test func `a forced 500 that no operation documents is a plain answer`() throws {
    try serving([:], "--force", "*=500") { (mock, _) throws in
      let answer = try Curl.get(mock.url + "/pets/1")
      #expect(answer.status == 500)
      #expect(answer.body == "500 Internal Server Error\n")
      #expect(answer.headers["understudy-reply"] == "plain 500")
    }
  }

  @Test func `a delayed answer waits while others are sent`() throws {
    let contract =
      Shop.contract + """
          /now:
            get: {operationId: now, responses: {"204": {description: Now.}}}

        """
    try serving(["shop.yaml": contract], "--delay", "readPet=60s") { mock, _ in
      let late = try RawClient(port: mock.port)
      try late.get("/pets/1")
      #expect(try Curl.get(mock.url + "/now").status == 204)
      #expect(!mock.printed.contains("/pets/1 200"))
      // A preference of the client is nearer to the request.
      #expect(try Curl.get(mock.url + "/pets/1", ("Prefer", "delay=1ms")).status == 200)
    }
  }

  @Test func `a fault applies to every answer of its operation`() throws {
    try serving(["understudy.yaml": "fault: {readPet: close}\n"]) { mock, _ in
      let client = try RawClient(port: mock.port)
      try client.get("/pets/1")
      #expect(try client.rest() == .closed)
      #expect(mock.waits(for: "fault: close"))
    }
  }

  @Test func `faults of a file and of a request are served and logged`() throws {
    let file = "network: 3g\nfaults:\n  readPet/404: [delay:1ms, 'reset:after-head']\n  readPet/200: close@first:1\n"
    try serving(["understudy.yaml": file]) { mock, _ in
      #expect(
        mock.printed.contains(
          "network: delay:lognormal:300ms:0.4+bandwidth:200k; fault: readPet/404=delay:1ms, "
            + "readPet/404=reset:after-head, readPet/200=close@first:1"), "\(mock.printed)")
      let client = try RawClient(port: mock.port)
      try client.get("/pets/1?__code=404&__delay=0ms")
      #expect(try client.rest().end == .reset)
      #expect(mock.waits(for: "fault: reset:after-head"))
      let second = try RawClient(port: mock.port)
      try second.get("/pets/1")
      #expect(try second.rest() == .closed)
      #expect(try Curl.get(mock.url + "/pets/1", ("Prefer", "fault=html")).body.hasPrefix("<!DOCTYPE html>"))
      #expect(mock.waits(for: "fault: html"))
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
    }
  }

  @Test func `a stateful mock remembers over connections, and its banner names the collections`() throws {
    let contract = try Project.text("specs/petstore.yaml")
    try serving(["shop.yaml": contract], "--stateful") { mock, _ in
      #expect(mock.printed.contains("\n  collections: pets (list, create, read, delete)\n"), "\(mock.printed)")
      let client = try RawClient(port: mock.port)
      let body = #"{"name":"Rex","kind":"dog"}"#
      try client.send(
        "POST /api/pets HTTP/1.1\r\nHost: a\r\nX-Api-Key: k\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
      let made = try client.response()
      #expect(made.status == 201)
      let place = try #require(made["location"])
      let read = try RawClient(port: mock.port)
      try read.get(place)
      #expect(try read.response().body == made.body)
      #expect(mock.waits(for: "resource created pets/"))
    }
  }

  @Test func `collections of a scenario remember what curl sends, until the lane is reset`() throws {
    let scenario = "collections: [pets]\n"
    let files = [
      "shop.yaml": try Project.text("specs/petstore.yaml"), "fixtures/shop/_scenarios/open.yaml": scenario,
    ]
    try serving(files, "--scenario", "open") { mock, _ in
      let made = try Command.run(
        "/usr/bin/curl",
        ["-s", "-H", "X-Api-Key: k", "--json", #"{"name":"Rex","kind":"dog"}"#, mock.url + "/api/pets"])
      let id = try #require(made.output.firstMatch(of: /"id":(\d+)/)?.1)
      func read() throws -> Curl.Answer { try Curl.get("\(mock.url)/api/pets/\(id)", (name: "X-Api-Key", value: "k")) }
      #expect(try read().body == made.output)
      _ = try Command.run("/usr/bin/curl", ["-s", "-X", "POST", mock.url + "/__admin/reset"])
      #expect(try read().status == 404)
    }
  }

  static let mistakes: [(arguments: [String], file: String, error: String)] = [
    (
      ["--delay", "readPet=soon"], "",
      """
      error: `--delay readPet=soon`: `soon` is not a delay
        help: expected a duration such as 250ms or 2s, a range such as 100ms..2s, or lognormal:200ms:0.4 for a median and a spread; at most an hour

      """
    ),
    (
      ["--fault", "readPet=rest"], "",
      """
      error: `--fault readPet=rest`: `rest` is not a fault
        help: did you mean `reset`?

      """
    ),
    (
      ["--fault", "raedPet=reset"], "",
      """
      error: --fault names the operation `raedPet`, which no contract has [config.invalid]
        help: did you mean `readPet`?

      """
    ),
    (
      [], "faults: {readPet: [drip, reset@frist:2]}\n",
      """
      understudy.yaml:1:32: error: `@frist:2` is not a condition [config.invalid]
        1 | faults: {readPet: [drip, reset@frist:2]}
          |                                ^^^^^^^
        help: did you mean `first`?

      """
    ),
    (
      [], "faults: {sockets/chat: {late: 1s}}\n",
      """
      understudy.yaml:1:24: error: expected text, found object [config.invalid]
        1 | faults: {sockets/chat: {late: 1s}}
          |                        ^

      """
    ),
    (
      ["--network", "4g"], "",
      """
      error: `--network 4g` is unknown
        help: did you mean `3g`?

      """
    ),
    (
      [], "delay: {readPet: soon}\n",
      """
      understudy.yaml:1:18: error: `soon` is not a delay [config.invalid]
        1 | delay: {readPet: soon}
          |                  ^^^^
        help: expected a duration such as 250ms or 2s, a range such as 100ms..2s, or lognormal:200ms:0.4 for a median and a spread; at most an hour

      """
    ),
  ]

  @Test(arguments: mistakes) func `a delay or fault that cannot be used ends the start`(
    _ arguments: [String], _ file: String, _ error: String
  ) throws {
    try withProject(Shop.files.merging(["understudy.yaml": file]) { first, _ in first }) { folder in
      let result = try Command.run(Command.path, ["serve", "shop.yaml", "--port", "0"] + arguments, in: folder)
      #expect(result.error == error)
      #expect(result.code == 2)
    }
  }

  // MARK: - The log

  @Test func `without clean lines the log shows requests with findings`() throws {
    try serving([:], "--quiet") { (mock, _) throws in
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
      #expect(try Curl.get(mock.url + "/pets/one").status == 422)
      #expect(try Curl.get(mock.url + "/nowhere").status == 404)
      #expect(mock.waits(for: "[req.path.unknown]"))
      let printed = mock.end().printed
      #expect(!printed.contains("GET /pets/1 "))
      #expect(printed.contains("GET /pets/one 422"))
      #expect(printed.contains("GET /nowhere 404"))
    }
  }

  @Test func `a message about a body names the value`() throws {
    let contract = Shop.contract.replacing(
      "    get:\n",
      with: """
            post:
              operationId: ride
              parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
              requestBody: {content: {application/json: {schema: {properties: {origin: {properties: {lng: {type: number}}}}}}}}
              responses: {"204": {description: Done.}}
            get:

        """.replacing("\n\n", with: "\n"))
    try serving(["shop.yaml": contract]) { mock, _ in
      let exchange = Scenario.Exchange(
        method: "POST", target: "", headers: [("Content-Type", "application/json")], body: #"{"origin": {"lng": "x"}}"#)
      let answer = try Curl.send(exchange, to: mock.url + "/pets/1")
      let line = "error: /origin/lng: expected number, found string \"x\" [req.body.schema]"
      #expect(mock.waits(for: line), "\(mock.printed)")
      #expect(answer.body.contains(#""detail":"/origin/lng: expected number, found string \"x\"""#), "\(answer.body)")
      #expect(answer.headers["sl-violations"]?.contains(#"["body","origin","lng"]"#) == true)
    }
  }

  @Test func `a reason for which something is not validated is printed once`() throws {
    let id = "      operationId: readPet"
    let contract =
      Shop.contract.replacing(id, with: "\(id)\n      security: [{login: [read]}]")
      + "components: {securitySchemes: {login: {type: oauth2, flows: {}}}}\n"
    try serving(["shop.yaml": contract]) { (mock, _) throws in
      #expect(mock.printed.contains("\n  not validated: the scopes of `login`\n"), "\(mock.printed)")
      for _ in 0..<2 { #expect(try Curl.get(mock.url + "/pets/1", ("Authorization", "Bearer x")).status == 200) }
      #expect(mock.waits(for: "example readPet", count: 2))
      #expect(mock.end().printed.components(separatedBy: "not validated").count == 2)
    }
  }

  // MARK: - Recordings

  @Test func `a recording goes on in an existing recording`() throws {
    try withProject(Shop.files) { folder in
      for (run, end) in ["recorded 1 exchange in t.har\n", "recorded 1 exchange in t.har, after 1 of earlier runs\n"]
        .enumerated()
      {
        let mock = try ServedMock(["shop.yaml", "--har", "t.har"], in: folder)
        #expect(try Curl.get(mock.url + "/pets/\(run)").status == 200)
        #expect(mock.end().printed.hasSuffix(end))
      }
      let result = try Command.run("verify", "shop.yaml", "--har", "t.har", in: folder)
      #expect(result.code == 0, "\(result.output)")
    }
  }

  @Test func `another file is replaced only on demand`() throws {
    try serving(["notes.txt": "mine"]) { _, folder in
      let result = try Command.run("serve", "shop.yaml", "--port", "0", "--har", "notes.txt", in: folder)
      #expect(
        result.error == """
          error: --har notes.txt: the file exists and is not a recording of understudy
            help: choose another file, or replace it with --overwrite

          """)
      #expect(result.code == 2)
      let mock = try ServedMock(["shop.yaml", "--har", "notes.txt", "--overwrite"], in: folder)
      #expect(mock.end().printed.hasSuffix("recorded 0 exchanges in notes.txt\n"))
    }
  }

  // MARK: - Addresses

  @Test func `a mock on all interfaces prints addresses that clients can use`() throws {
    try serving([:], "--host", "0.0.0.0") { mock, _ in
      #expect(mock.url.hasPrefix("http://127.0.0.1:"))
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
      let line = try #require(mock.printed.split(separator: "\n").first { $0.hasPrefix("  other machines: ") })
      let urls = line.matches(of: /http:\/\/[0-9.]+:\d+/).map { String($0.0) }
      for url in urls {
        #expect(!url.contains("//127.") && !url.contains("//0."))
        #expect(try Curl.get(url + "/pets/1").status == 200)
      }
      #expect(!urls.isEmpty || line.hasSuffix("this one has no address that they can reach"))
    }
  }

  @Test func `a TLS client learns that the port speaks plain HTTP`() throws {
    try serving { mock, _ in
      let secure = mock.url.replacing("http:", with: "https:") + "/pets/1"
      let curl = try Command.run("/usr/bin/curl", ["-sS", "-k", secure])
      #expect(curl.code == 35, "\(curl.error)")
      let text =
        "this port speaks plain HTTP, and the client began a TLS handshake: use http:// instead of https://, or serve with --tls"
      #expect(mock.waits(for: "refused: \(text)\n"), "\(mock.printed)")
    }
  }
}
