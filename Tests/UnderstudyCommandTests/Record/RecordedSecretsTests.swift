import Foundation
import HTTPTypes
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// The tables of secrets and of values that are none, as exchanges with a real server, in everything that a recording
/// writes: fixtures, overlay, draft, HAR, log and reports in every format.
@Suite(.waitsForProcesses, .enabled(if: PythonServer.path != nil, "skipped: no python3"))
struct RecordedSecretsTests {
  /// The contract of the table, with the paths that its exchanges have.
  private static let contract = (PlantedSecret.contract.files["api.yaml"] ?? "").replacing(
    "\npaths:\n", with: "\npaths:\n" + paths)

  private static let paths = """
      /x: {get: {operationId: readX, responses: {default: {description: Any}}}}
      /o: {get: {operationId: readObject, responses: {default: {description: Any}}}}
      /cb: {get: {operationId: callBack, responses: {default: {description: Any}}}}
      /items: {get: {operationId: listItems, responses: {default: {description: Any}}}}
      /verify/{token}/done:
        get:
          operationId: finish
          parameters: [{name: token, in: path, required: true, schema: {type: string}}]
          responses: {default: {description: Any}}
      /hooks/{name}:
        get:
          operationId: readHook
          parameters: [{name: name, in: path, required: true, schema: {type: string}}]
          responses: {default: {description: Any}}

    """

  /// Answers the request of a case with its response.
  private static let backend = PythonServer.handler(
    """
    answers = json.load(open("answers.json"))
    def do_GET(self):
        import base64
        self.body()
        answer = self.answers[int(self.headers["X-Case"])]
        body = base64.b64decode(answer["body"])
        self.send_response(answer["status"])
        for name, value in answer["fields"]: self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    do_POST = do_GET
    """)

  private static func answers(_ exchanges: [Exchange]) -> String {
    let answers = exchanges.map { exchange -> JSON in
      let fields = exchange.response?.fields ?? [:]
      return [
        "status": .integer(exchange.response?.status ?? 200),
        "fields": .array(fields.map { .array([.string($0.name.rawName), .string($0.value)]) }),
        "body": .string(Base64.encode(exchange.responseBody)),
      ]
    }
    return JSONWriter.text(.array(answers))
  }

  /// Sends the requests to a proxy over one connection.
  private static func send(_ exchanges: [Exchange], to port: Int) throws {
    let client = try RawClient(port: port)
    for (number, exchange) in exchanges.enumerated() {
      let request = exchange.request
      var head = "\(request.method.rawValue) \(request.path ?? "/") HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
      head += "X-Case: \(number)\r\n"
      for field in request.headerFields { head += "\(field.name.rawName): \(field.value)\r\n" }
      let body = exchange.requestBody.bytes
      if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
      try client.send(Array("\(head)\r\n".utf8) + body)
      let status = try client.response().status
      #expect(status == exchange.response?.status ?? 200, "\(head)")
    }
  }

  /// Everything that is written while a session runs through a recorder, behind which another proxy writes a HAR.
  private static func written(_ exchanges: [Exchange]) throws -> [(name: String, bytes: Data)] {
    try withProject(["api.yaml": contract, "answers.json": answers(exchanges)]) { folder in
      let server = try PythonServer(backend, in: folder)
      defer { server.stop() }
      let origin = "http://127.0.0.1:\(server.port)"
      let proxy = try ServedMock(["api.yaml", "--upstream", origin, "--har", "t.har", "--verbose"], in: folder)
      let recorder = try ServedMock(
        ["api.yaml", "--upstream", proxy.url, "--keep", "all", "--write-overlay", "gaps.yaml", "--verbose"],
        command: "record", in: folder)
      try send(exchanges, to: recorder.port)
      let recorded = recorder.end()
      #expect(recorded.code == 0, "\(recorded.printed)")
      let drafter = try ServedMock(
        ["--upstream", origin, "--draft", "live.yaml", "--verbose"], command: "record", in: folder)
      try send(exchanges, to: drafter.port)
      let drafted = drafter.end()
      #expect(drafted.code == 0, "\(drafted.printed)")
      let proxied = proxy.end().printed
      let draft = try Command.run("record", "--from", "t.har", "--draft", "draft.yaml", in: folder)
      #expect(draft.code == 0, "\(draft.error)")
      let formats = ReportFormat.allCases.map(\.rawValue)
      let report = try Command.run(
        Command.path,
        ["verify", "api.yaml", "--har", "t.har"] + formats.flatMap { ["--report", "\($0)=report.\($0)"] }, in: folder)
      let outputs = [
        ("record", recorded.printed), ("draft", drafted.printed), ("serve", proxied), ("verify", report.output),
        ("record --from", draft.error),
      ]
      var written = outputs.map { (name: $0, bytes: Data($1.utf8)) }
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
        guard !["api.yaml", "answers.json"].contains(path) else { continue }
        let data = FileManager.default.contents(atPath: "\(folder)/\(path)")
        written.append((path, data ?? Data()))
      }
      let names = Set(written.map(\.name))
      #expect(names.isSuperset(of: ["gaps.yaml", "live.yaml", "draft.yaml", "t.har"] + formats.map { "report.\($0)" }))
      return written
    }
  }

  private static func holds(_ bytes: Data, _ text: String) -> Bool { bytes.range(of: Data(text.utf8)) != nil }

  @Test func `a planted secret is left in nothing that a recording writes, in no encoding`() throws {
    // A client never sends the fragment of a URL.
    let planted = PlantedSecret.all.filter { $0.title != "a fragment" }
    #expect(planted.count >= 60)
    let exchanges = planted.map { planted in
      var exchange = planted.exchange
      if planted.operation == "reset" { exchange.request.path = exchange.request.path?.replacing("/v1/", with: "/") }
      return exchange
    }
    let written = try Self.written(exchanges).filter { !$0.bytes.isEmpty }
    #expect(written.contains { $0.name.hasPrefix("fixtures/api/readX/") })
    let all = written.reduce(into: Data()) { $0 += $1.bytes + [0x0A] }
    var left: [String] = []
    for planted in planted {
      for secret in planted.secrets {
        let spellings = Spelled.spellings(of: secret).filter { Self.holds(all, $0) }
        // Some secrets are known only from the contract.
        let names = Self.isKnownWithoutContract(planted) ? [] : ["draft", "live.yaml"]
        for (name, bytes) in written
        where !names.contains(name) && spellings.contains(where: { Self.holds(bytes, $0) }) {
          left.append("\(planted.title): \(secret) in \(name)")
        }
      }
    }
    #expect(left == [])
  }

  @Test(arguments: [["api.yaml"], ["--draft", "new.yaml"]])
  func `the log knows the secrets of earlier exchanges, and the places that the user names`(
    _ arguments: [String]
  ) throws {
    try withProject(["api.yaml": Self.contract]) { folder in
      let server = try PythonServer(
        PythonServer.handler(
          """
          def do_GET(self): self.answer(200, b'{"session_token": "l0g-t0ken-77"}', Content_Type="application/json")
          """), in: folder)
      defer { server.stop() }
      let origin = "http://127.0.0.1:\(server.port)"
      let options = ["--upstream", origin, "--verbose", "--redact", "/query/tenant"]
      let recorder = try ServedMock(arguments + options, command: "record", in: folder)
      for target in ["/x", "/hooks/l0g-t0ken-77", "/o?tenant=acme-corp-77"] {
        #expect(try Curl.get(recorder.url + target).status == 200)
      }
      let (code, printed) = recorder.end()
      #expect(code == 0, "\(printed)")
      #expect(printed.contains("GET /hooks/") && printed.contains("GET /o?tenant="), "\(printed)")
      #expect(!printed.contains("l0g-t0ken-77") && !printed.contains("acme-corp-77"), "\(printed)")
    }
  }

  private static func isKnownWithoutContract(_ planted: PlantedSecret) -> Bool {
    var redactor = Redactor()
    let redacted = Spelled(redactor.redact(planted.exchange).value)
    return !planted.secrets.contains { redacted.holds($0) }
  }

  @Test func `a value that is not a secret survives a recording`() throws {
    let survivors = Survivor.all
    #expect(survivors.count >= 40)
    let written = try Self.written(survivors.map(\.exchange)).filter { !$0.bytes.isEmpty }
    let fixtures = written.filter { $0.name.hasPrefix("fixtures/") }.reduce(into: Data()) { $0 += $1.bytes }
    let har = written.first { $0.name == "t.har" }?.bytes ?? Data()
    var lost: [String] = []
    for survivor in survivors {
      let exchange = survivor.exchange
      if let root = try? JSONParser.parse(exchange.responseBody).root {
        for text in Self.scalars(root) where !Self.holds(fixtures, text) { lost.append("\(survivor.title): \(text)") }
      } else {
        let fields = exchange.request.headerFields.map(\.value)
        for value in [exchange.request.path ?? ""] + fields {
          let text = String(JSONWriter.text(.string(value)).dropFirst().dropLast())
          if !Self.holds(har, text) { lost.append("\(survivor.title): \(text)") }
        }
      }
    }
    #expect(lost == [])
  }

  /// The texts and numbers of a value, as JSON writes them.
  private static func scalars(_ value: JSON) -> [String] {
    switch value.kind {
    case .array: value.elements.flatMap(scalars)
    case .object: value.members.flatMap { scalars($0.value) }
    default: [JSONWriter.text(value)]
    }
  }
}
