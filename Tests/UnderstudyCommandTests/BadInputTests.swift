import Testing
import UnderstudyTestSupport

/// Invalid and hostile input: a clear message, no crash, and other requests are served.
@Suite(.waitsForProcesses)
struct BadInputTests {
  // MARK: - Contracts

  struct Text: Sendable, CustomTestStringConvertible {
    var name: String
    var file = "api.yaml"
    var text: String
    /// What the message must hold.
    var message: String
    var testDescription: String { name }
  }

  static let contracts = [
    Text(name: "malformed YAML", text: "openapi: 3.1.0\npaths:\n\t/a: {}\n", message: "api.yaml:3:1: error: "),
    Text(
      name: "malformed JSON", file: "api.json", text: "{\"openapi\": \"3.1.0\",\n}",
      message: "api.json:1:20: error: expected another member after the comma"),
    Text(
      name: "half a file", file: "api.json", text: "{\"openapi\": \"3.1.0\", \"paths\": {\"/a", message: "api.json:1:"),
    Text(name: "an empty file", text: "", message: "api.yaml"),
    Text(name: "no contract at all", text: "just: some\nkeys: here\n", message: "api.yaml"),
    Text(name: "not UTF-8 in spirit", file: "api.json", text: "\u{0}\u{1}\u{2}", message: "api.json:1:1: error: "),
    Text(name: "a billion laughs", text: billionLaughs, message: "the aliases of this text expand to more than"),
    Text(
      name: "10,000 levels of YAML", text: "a: " + String(repeating: "[", count: 10_000), message: "nested deeper than"),
    Text(
      name: "10,000 levels of JSON", file: "api.json",
      text: String(repeating: "{\"a\":", count: 10_000) + "1" + String(repeating: "}", count: 10_000),
      message: "nested deeper than"),
  ]

  private static let billionLaughs: String = {
    var text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1...9 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    return text
  }()

  @Test(arguments: contracts) func `a hopeless contract is refused with a reason and a place`(_ input: Text) throws {
    try withProject([input.file: input.text]) { folder in
      let served = try Command.run("serve", input.file, "--port", "0", in: folder)
      #expect(served.code == 3)
      #expect(served.error.contains(input.message), "\(served.error)")
      let linted = try Command.run("lint", input.file, in: folder)
      #expect(linted.code == 3)
      #expect(linted.output.contains(input.message), "\(linted.output)")
    }
  }

  @Test func `a broken reference is reported, and other operations are served`() throws {
    try withProject(["shop.yaml": Shop.referring(to: "#/components/schemas/Nobody")]) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      #expect(
        mock.printed.contains("shop.yaml:15:30: error: the reference `#/components/schemas/Nobody` leads nowhere"))
      #expect(mock.printed.contains("1 error in the contract: understudy lint shop.yaml\n"))
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"Tom\"}")
      #expect(try Curl.get(mock.url + "/pets/1?__code=404").status == 404)
    }
  }

  // MARK: - Fixtures

  @Test func `invalid fixtures are reported, and the others are served`() throws {
    let fixtures = [
      "readPet/200.yaml": "body: {name: Tom}\nstatsu: 200\n", "readPet/404.txt": "gone", "readPet/2000.json": "{}",
      "readPet/418.txt": "teapot", "readPet/404.wild.yaml": "fault: explode\n", "readPet/404.torn.yaml": "body: [\n",
      "readPt/200.json": "{}", "readPet/404.late.yaml": "delay: soon\n",
    ]
    let files = Shop.files.merging(fixtures.map { ("fixtures/shop/" + $0, $1) }) { first, _ in first }
    try withProject(files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      for message in [
        "200.yaml:2:1: error: unknown key `statsu` [fixture.unknown-key]",
        "2000.json: error: `2000.json` does not start with a status [fixture.file-name]",
        "418.txt: error: readPet documents no 418 [fixture.status.undocumented]",
        "404.wild.yaml:1:8: error: `explode` is not a fault [fixture.invalid]", "404.torn.yaml:",
        "404.late.yaml:1:8: error: `soon` is not a delay [fixture.invalid]",
        "readPt: error: no operation of `shop` is called `readPt` [fixture.operation.unknown]\n  help: did you mean `readPet`?",
        "2 fixtures, 7 errors in fixtures\n",
      ] { #expect(mock.printed.contains(message), "\(message) in\n\(mock.printed)") }
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"Tom\"}")
      #expect(try Curl.get(mock.url + "/pets/1?__code=404").body == "gone")
      #expect(try Curl.get(mock.url + "/pets/1?__code=418").body == "teapot")
    }
  }

  // MARK: - Requests

  private static let contract = Shop.contract.replacing(
    "      responses:",
    with: """
            requestBody:
              content:
                application/json:
                  schema: {type: array}
            responses:
      """
  ).replacing("    get:", with: "    post:")

  /// Serves a contract that takes JSON, and makes sure that others are served after `attack`.
  private func surviving(_ attack: (ServedMock) throws -> Void) throws {
    try withProject(["shop.yaml": Self.contract]) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      let witness = try RawClient(port: mock.port)
      func serves() throws -> Bool {
        try witness.send(
          "POST /pets/1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]")
        return try witness.response().status == 200
      }
      #expect(try serves())
      try attack(mock)
      #expect(try serves())
      let (code, printed) = mock.end()
      #expect(code == 0, "\(printed)")
    }
  }

  @Test func `a body of 10,000 levels is a bad request`() throws {
    try surviving { mock in
      let body = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
      let client = try RawClient(port: mock.port)
      try client.send(
        "POST /pets/1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      )
      try client.send(body)
      #expect(try client.response().status == 422)
      #expect(mock.waits(for: "nested deeper than"), "\(mock.printed)")
    }
  }

  @Test func `an announced gigabyte is refused`() throws {
    try surviving { mock in
      let client = try RawClient(port: mock.port)
      try client.send("POST /pets/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741824\r\n\r\n")
      let response = try client.response()
      #expect(response.status == 413)
      #expect(response.body.contains("the limit is 10485760 bytes"))
      #expect(mock.waits(for: "refused: the limit is 10485760 bytes"))
    }
  }

  @Test func `a client that dribbles its head is answered with 408 in the end`() throws {
    try surviving { mock in
      let clients = try (0..<50).map { _ in try RawClient(port: mock.port) }
      for client in clients { try client.send("GET /pets/1 HTTP/1.1\r\nHo") }
      let other = try RawClient(port: mock.port)
      try other.get("/nowhere")
      #expect(try other.response().status == 404)
      for client in clients {
        let response = try client.response()
        #expect(response.status == 408)
        #expect(response.body.contains("took longer than 10.0 seconds"))
      }
    }
  }

  @Test(arguments: [
    "\u{0}\u{1}\u{16}\u{3}", "GET / HTTP/9.9\r\n\r\n", "hello\r\n\r\n", "GET /pets/1\r\n\r\n",
    "\r\n\r\n\r\n\r\nnoise \r\n\r\n",
    "POST /pets/1 HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    "GET /pets/1 HTTP/1.1\r\nHost: a\r\nA b: c\r\n\r\n",
  ])
  func `garbage is answered once, with a refusal`(_ garbage: String) throws {
    try surviving { mock in
      let client = try RawClient(port: mock.port)
      try client.send(garbage)
      client.endOutput()
      let rest = try client.rest().text
      #expect(rest.contains("HTTP/1.1 400 ") || rest.contains("HTTP/1.1 505 "), "\(rest)")
      #expect(mock.waits(for: "refused: "), "\(mock.printed)")
    }
  }

  @Test func `a TLS greeting is not a request`() throws {
    try surviving { mock in
      let result = try Command.run("/usr/bin/curl", ["-sk", "-m", "10", mock.url.replacing("http:", with: "https:")])
      // curl's code for a failed TLS handshake.
      #expect(result.code == 35)
    }
  }

  @Test func `a hostile target neither moves the cursor nor fills the screen`() throws {
    try surviving { mock in
      let client = try RawClient(port: mock.port)
      try client.send("POST /%1b[2J\u{9B}31m\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.rest().text.hasPrefix("HTTP/1.1 4"))
      #expect(!mock.printed.contains("\u{1B}"))
      #expect(!mock.printed.contains("\u{9B}"))
      #expect(mock.printed.split(separator: "\n").allSatisfy { $0.utf8.count < 5_000 })
    }
  }
}
