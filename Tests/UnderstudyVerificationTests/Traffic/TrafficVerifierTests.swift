import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

struct TrafficVerifierTests {
  static let contract = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    servers: [{url: "https://api.example"}]
    security: [{key: []}]
    paths:
      /pets:
        get:
          operationId: listPets
          parameters: [{name: limit, in: query, schema: {type: integer}}]
          responses:
            "200":
              description: All.
              content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
            "401": {description: Who?}
        post:
          operationId: addPet
          requestBody:
            required: true
            content:
              application/json: {schema: {$ref: "#/components/schemas/Pet"}}
              application/x-www-form-urlencoded: {schema: {$ref: "#/components/schemas/Pet"}}
          responses: {"201": {description: Added.}, "422": {description: No.}}
    components:
      securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
      schemas: {Pet: {type: object, required: [name], properties: {name: {type: string, minLength: 2}}}}
    """

  static let key = [("X-Key", "k")]

  /// The report on some entries.
  static func report(
    _ entries: [String], _ contract: String = contract, scope: (API) -> TrafficScope = { TrafficScope([$0]) },
    creator: String = "Test", rules: RuleSettings = RuleSettings()
  ) throws -> Report {
    try ContractFixture(contract).withMock { (mock) throws in
      var verifier = TrafficVerifier(mock.contracts, rules: rules, scope: scope(mock.contracts[0].api))
      try Recordings.withFile(Recordings.har(entries, creator: creator)) { verifier.validate($0) }
      var report = Report(Report.Run("verify traffic", contracts: [], startedAt: ""))
      verifier.fill(&report)
      return report
    }
  }

  static func rules(_ report: Report) -> [String] { report.findings.map { "\($0.rule) \($0.count)" } }

  @Test func `a socket is counted as not validated`() throws {
    let socket = """
      {"request": {"method": "GET", "url": "https://api.example/socket.io/", "headers": []},
      "response": {"status": 101, "headers": [], "content": {}}, "_webSocketMessages": []}
      """
    let report = try Self.report([socket])
    #expect(report.findings.isEmpty)
    #expect(report.notValidated.map(\.reason) == ["the messages of sockets are not validated"])
  }

  @Test func `only messages of Engine.IO count as events, without the type of their packet`() throws {
    let contract = """
      openapi: 3.1.0
      info: {title: a, version: "1"}
      servers: [{url: "https://api.example"}]
      paths: {}
      x-understudy-events:
        transport: engineio
        path: /engine.io/
        events: {message: {from: client, arguments: [{type: string, pattern: ^hello$}]}}

      """
    let socket = """
      {"request": {"method": "GET", "url": "https://api.example/engine.io/?EIO=4", "headers": []},
      "response": {"status": 101, "headers": [], "content": {}}, "_webSocketMessages": [
      {"type": "send", "opcode": 1, "data": "2probe"}, {"type": "send", "opcode": 1, "data": "4hello"},
      {"type": "send", "opcode": 1, "data": "3"}, {"type": "send", "opcode": 1, "data": "4bye"}]}
      """
    let report = try Self.report([socket], contract)
    #expect(report.remarks.contains("1 event of sockets breaks the contract; `serve` reports it"), "\(report.remarks)")
  }

  @Test func `an exchange that keeps the contract passes in every part`() throws {
    let report = try Self.report([Recordings.entry(headers: Self.key)])
    #expect(report.findings.isEmpty)
    #expect(report.notValidated.isEmpty)
    #expect(
      report.cases.map(\.name) == [
        "request security", "request parameters", "request body", "answer status", "answer body", "answer as HTTP",
      ])
    #expect(report.cases.allSatisfy { $0.subject.operation == "listPets" && $0.subject.status == "200" })
    let row = report.coverage?.rows.first { $0.status == "200" }
    #expect(row?.marks == [.served, .asserted])
  }

  @Test func `many exchanges with one cause are one finding`() throws {
    let entries = (0..<50).map { index in
      Recordings.entry(
        at: "2026-01-01T10:00:\(50 - index)Z", headers: Self.key,
        content: #""size": -1, "mimeType": "x", "text": "[{\"name\": \#(index)}, {\"name\": \"Tom\"}, {\"name\": 2}]""#)
    }
    let report = try Self.report(entries)
    #expect(Self.rules(report) == ["resp.body.schema 100"])
    let finding = try #require(report.findings.first)
    #expect(finding.notes.last?.message == "first seen in entry 49, 2026-01-01T10:00:1Z" || finding.notes.count == 2)
    #expect(finding.reproduction == "curl -i https://api.example/pets -H 'X-Key: [redacted]'")
    #expect(finding.subject.status == "200")
  }

  @Test(arguments: [200, 400]) func `a secret is shown neither by the finding about it nor by its request`(
    status: Int
  ) throws {
    let contract = Self.contract.replacing(
      "[{name: limit,",
      with: "[{name: token, in: query, schema: {type: string, maxLength: 3}}, "
        + "{name: X-Auth-Token, in: header, required: true, schema: {type: string, maxLength: 3}}, {name: limit,")
    let report = try Self.report(
      [
        Recordings.entry(
          "GET", "https://api.example/pets?token=s3cret&api_key=s3cret", status: status,
          headers: Self.key + [("X-Auth-Token", "s3cret"), ("Cookie", "sid=s3cret")])
      ], contract)
    let found = report.findings.filter {
      $0.location?.pointer == "/query/token" || $0.location?.pointer == "/header/X-Auth-Token"
    }
    #expect(found.count == 2, "\(report.explained)")
    #expect(found.allSatisfy { $0.message.contains("a secret") })
    let page = ReportFormat.allCases.map { $0.text(of: report, ReportContext()) }.joined()
    #expect(!page.contains("s3cret"))
    #expect(page.contains("token=%5Bredacted%5D"))
    // What is missing shows nothing.
    let missing = try Self.report([Recordings.entry(status: status, headers: Self.key)], contract).findings.first
    #expect(missing?.location?.pointer == "/header/X-Auth-Token")
    #expect(missing?.message.contains("a secret") == false)
  }

  /// The contract of the table of secrets, where every request lacks something, and no body of an answer is right.
  private static let secretive: String = {
    let content = #"{application/json: {schema: {additionalProperties: {enum: [1]}}}, "*/*": {schema: {enum: [a]}}}"#
    let paths = ["/x", "/o", "/cb"].map { path in
      "  \(path): {get: {responses: {default: {description: Any, content: \(content)}}}}\n"
    }
    return (PlantedSecret.contract.files["api.yaml"] ?? "").replacing(
      "\npaths:\n", with: "\nservers: [{url: \"http://h:1\"}]\npaths:\n" + paths.joined())
  }()

  /// Other programs record secrets as they are.
  @Test(arguments: PlantedSecret.all) func `a planted secret is in no report about its exchange, in no encoding`(
    _ planted: PlantedSecret
  ) throws {
    let exchange = planted.exchange
    let target = (exchange.request.path ?? "/").replacing("/v1/", with: "/")
    var entry = try Recordings.read(
      Recordings.entry(
        exchange.request.method.rawValue, "http://h:1\(target)", status: exchange.response?.status ?? 200))
    entry.requestFields = exchange.request.headerFields
    entry.requestBody = .bytes(exchange.requestBody.bytes)
    entry.response?.fields = exchange.response?.fields ?? HTTPFields()
    entry.response?.body = .bytes(exchange.responseBody)
    let contract = try ContractFixture(Self.secretive).contract()
    var verifier = TrafficVerifier([contract], rules: RuleSettings(), scope: TrafficScope([contract.api]))
    verifier.validate(entry, in: "t.har")
    var report = Report(Report.Run("verify traffic", contracts: [], startedAt: ""))
    verifier.fill(&report)
    #expect(report.findings.contains { $0.reproduction != nil })
    for format in ReportFormat.allCases {
      let text = format.text(of: report, ReportContext())
      // Markdown and GitHub have escapes of their own.
      let plain = text.replacing("\\", with: "").replacing("\u{200B}", with: "").replacing("%25", with: "%")
      for secret in planted.secrets {
        #expect(!Spelled(text: text + plain).holds(secret), "\(secret) in \(format):\n\(text)")
      }
    }
  }

  @Test func `the fingerprint of a cause does not depend on the values that were met`() throws {
    func fingerprint(_ value: String) throws -> String? {
      try Self.report([
        Recordings.entry(headers: Self.key, content: #""size": -1, "mimeType": "x", "text": "[{\"name\": \#(value)}]""#)
      ]).findings.first?.fingerprint
    }
    #expect(try fingerprint("1") == fingerprint("[]"))
    #expect(try fingerprint("1") != nil)
  }

  @Test func `a bad request that was refused is one that may be meant, and one that was served is an error`() throws {
    let bad = #""postData": {"mimeType": "x", "text": "{\"name\": 1}"}"#
    let type = Self.key + [("Content-Type", "application/json")]
    func entry(_ status: Int) -> String {
      Recordings.entry(
        "POST", status: status, headers: type, request: bad, answerHeaders: [], content: #""size": 0, "mimeType": "x""#)
    }
    #expect(Self.rules(try Self.report([entry(422)])) == ["req.expected-invalid 1"])
    #expect(Self.rules(try Self.report([entry(201)])) == ["req.body.schema 1"])
  }

  @Test func `unknown paths and methods of the contract's host are findings`() throws {
    let report = try Self.report([
      Recordings.entry("GET", "https://api.example/pet/1", status: 404),
      Recordings.entry("GET", "https://api.example/pet/22", status: 404),
      Recordings.entry("DELETE", "https://API.example:443/pets?x=1", status: 405),
    ])
    #expect(
      Self.rules(report).sorted() == ["req.method.unknown 1", "req.path.unknown 2", "resp.http.allow-missing 1"])
    #expect(report.findings.first { $0.rule == "req.path.unknown" }?.subject.path == "/pet/{}")
    #expect(report.coverage?.undocumented.map(\.path) == ["/pet/{}", "/pets"])
  }

  @Test func `what is none of the contract's business is left out, with the reason`() throws {
    let report = try Self.report([
      Recordings.entry("GET", "https://counter.example/collect?x=1"),
      Recordings.entry("GET", "data:text/html,x"),
      Recordings.entry("GET", "https://staging.example/pets", headers: Self.key),
    ])
    #expect(report.findings.isEmpty)
    #expect(
      report.remarks == [
        "read 3 exchanges", "left out 1 exchange with data:: not http",
        "left out 1 exchange with https://counter.example: a host that no server of the contract names, and no path",
      ])
    #expect(report.cases.allSatisfy { $0.subject.operation == "listPets" })
  }

  @Test func `a URL that is none is named as it stands, without its query`() throws {
    let report = try Self.report([
      Recordings.entry("GET", "/pets?token=abc"), Recordings.entry("GET", "/pets"), Recordings.entry("GET", ""),
    ])
    #expect(
      report.remarks == [
        "read 3 exchanges", "left out 2 exchanges with `/pets`: no absolute URL",
        "left out 1 exchange with ``: no absolute URL",
      ])
  }

  @Test func `a finding leads to its entry, also where the whole recording is one line`() throws {
    let text = Recordings.har([Recordings.entry(headers: Self.key), Recordings.entry()]).replacing("\n", with: "")
    let start = try #require(text.utf8.ranges(of: Array(#"{"startedDateTime""#.utf8)).last?.lowerBound)
    try ContractFixture(Self.contract).withMock { (mock) throws in
      var verifier = TrafficVerifier(
        mock.contracts, rules: RuleSettings(), scope: TrafficScope([mock.contracts[0].api]))
      try Recordings.withFile(text) { verifier.validate($0) }
      var report = Report(Report.Run("verify traffic", contracts: [], startedAt: ""))
      verifier.fill(&report)
      let place = try #require(
        report.findings.first?.notes.compactMap(\.location).last { $0.path?.hasSuffix("t.har") == true })
      #expect(place.line == 1)
      #expect(place.column == text.utf8.distance(from: text.utf8.startIndex, to: start) + 1)
    }
  }

  @Test func `a form's password that we took out is not validated by the mark`() throws {
    let contract = Self.contract.replacing("minLength: 2", with: "maxLength: 3")
    let entry = Recordings.entry(
      "POST", status: 201, headers: Self.key + [("Content-Type", "application/x-www-form-urlencoded")],
      request: #""postData": {"mimeType": "x", "text": "name=%5Bredacted%5D"}"#, answerHeaders: [],
      content: #""size": 0, "mimeType": "x""#)
    #expect(Self.rules(try Self.report([entry], contract)) == [])
    let plain = entry.replacing("%5Bredacted%5D", with: "long")
    #expect(Self.rules(try Self.report([plain], contract)) == ["req.body.schema 1"])
  }

  @Test func `preflights and requests without an answer are counted, not validated`() throws {
    let report = try Self.report([
      Recordings.entry("OPTIONS", headers: [("Access-Control-Request-Method", "GET")]),
      Recordings.entry(status: 0), Recordings.entry(status: -1),
    ])
    #expect(report.checked == 0)
    #expect(
      report.notValidated.map { "\($0.count) \($0.reason)" } == [
        "2 it has no response (status 0)", "1 a CORS preflight",
      ])
  }

  @Test func `what was not recorded is not validated, and the rest is`() throws {
    let report = try Self.report([
      Recordings.entry(headers: Self.key, content: #""size": 700, "mimeType": "x""#),
      Recordings.entry(
        "POST", status: 201, headers: Self.key + [("Content-Type", "application/json")],
        request: #""postData": {"mimeType": "x", "text": "{}", "encoding": "base64"}"#, answerHeaders: [],
        content: #""size": 0, "mimeType": "x""#),
    ])
    #expect(report.findings.isEmpty)
    #expect(report.notValidated.count == 2)
    #expect(report.checked > 0)
    #expect(report.coverage?.rows.contains { $0.marks.contains(.served) } == true)
    #expect(report.coverage?.rows.contains { $0.marks.contains(.asserted) } == false)
  }

  @Test func `a rebuilt body is validated, and its findings contain that it was rebuilt`() throws {
    let report = try Self.report([
      Recordings.entry(
        "POST", status: 201, headers: Self.key + [("Content-Type", "application/x-www-form-urlencoded")],
        request: #""postData": {"mimeType": "x", "params": [{"name": "name", "value": "x"}]}"#, answerHeaders: [],
        content: #""size": 0, "mimeType": "x""#)
    ])
    #expect(Self.rules(report) == ["req.body.schema 1"])
    #expect(report.findings.first?.notes.last?.message == "the body was rebuilt from `postData.params`")
    #expect(report.remarks.last == "1 body of requests rebuilt from `postData.params`")
  }

  @Test func `decoded bodies are not decoded again`() throws {
    let report = try Self.report([
      Recordings.entry(
        headers: Self.key, answerHeaders: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")])
    ])
    #expect(report.findings.isEmpty)
  }

  @Test(arguments: ["[redacted]", "***", "[Filtered]"]) func `a credential that was taken out was there`(
    _ marker: String
  ) throws {
    let report = try Self.report([Recordings.entry(headers: [("x-key", marker)])])
    #expect(report.findings.isEmpty)
    #expect(report.notValidated.count == 1)
    #expect(Self.rules(try Self.report([Recordings.entry()])) == ["req.security.missing 1"])
  }

  @Test func `a bearer token that was taken out was there, and a parameter is not validated by the mark`() throws {
    let contract = Self.contract.replacing(
      "{type: apiKey, in: header, name: X-Key}", with: "{type: http, scheme: bearer}"
    )
    .replacing(
      "{name: limit, in: query, schema: {type: integer}}",
      with:
        "{name: limit, in: query, schema: {type: integer}}, {name: X-Key, in: header, schema: {type: string, pattern: '^k$'}}"
    )
    let entry = Recordings.entry(
      "GET", "https://api.example/pets?limit=%5Bredacted%5D",
      headers: [("authorization", "Bearer [redacted]"), ("X-Key", "[redacted]")])
    #expect(Self.rules(try Self.report([entry], contract)) == [])
  }

  @Test func `a recording that breaks off is validated as far as it goes, and the run is not whole`() throws {
    try ContractFixture(Self.contract).withMock { (mock) throws in
      var verifier = TrafficVerifier(
        mock.contracts, rules: RuleSettings(), scope: TrafficScope([mock.contracts[0].api]))
      let text = Recordings.har([Recordings.entry(headers: Self.key), Recordings.entry()])
      try Recordings.withFile(String(text.prefix(text.count - 50))) { verifier.validate($0) }
      var report = Report(Report.Run("verify traffic", contracts: [], startedAt: ""))
      verifier.fill(&report)
      #expect(report.checked > 0)
      #expect(report.run.abortedBecause?.contains("the file ends within the entry") == true)
    }
  }

  /// An entry of a mock whose check has found something.
  private static func polled(after time: String, status: Int = 200, contract: String = "api") -> String {
    let note = """
      {"contract": "\(contract)", "operation": "listPets", "reply": "test", "findings": ["check.poll-interval"],
       "breaches": [{"rule": "check.poll-interval", "message": "the same request came again after \(time)",
         "notes": ["request 1: GET /pets -> 200", "request 2, \(time) later: GET /pets -> 200"], "help": "wait"}]}
      """
    return Recordings.entry(status: status, headers: key).replacing(
      #""cache": {}"#, with: #""_understudy": \#(note), "cache": {}"#)
  }

  @Test func `what a check of a mock found is one finding for all requests, answered or not`() throws {
    let entries = [Self.polled(after: "2s"), Self.polled(after: "1s", status: 0)]
    let report = try Self.report(entries, creator: "Understudy")
    #expect(Self.rules(report) == ["check.poll-interval 2"])
    let finding = try #require(report.findings.first)
    #expect(finding.owner == .client && finding.severity == .error)
    #expect(finding.message == "the same request came again after 2s")
    #expect(
      finding.notes.map(\.message) == [
        "request 1: GET /pets -> 200", "request 2, 2s later: GET /pets -> 200",
        "first seen in entry 0, 2026-01-01T10:00:00.000Z",
      ])
    #expect(finding.help == "wait")
    #expect(finding.reproduction == nil)
    let subject = Report.Subject(contract: "api", operation: "listPets", method: "GET", path: "/pets")
    #expect(report.cases.last?.name == "client checks")
    #expect(report.cases.last?.subject == subject)
  }

  @Test func `only a mock's own recording, of this contract and by rules that are on, has findings of checks`() throws {
    let rule = try #require(Rule.named("check.poll-interval"))
    let off = RuleSettings(levels: [rule: .off])
    #expect(Self.rules(try Self.report([Self.polled(after: "2s")])) == [])
    #expect(Self.rules(try Self.report([Self.polled(after: "2s")], creator: "Understudy", rules: off)) == [])
    let other = Self.polled(after: "2s", contract: "other")
    #expect(Self.rules(try Self.report([other], creator: "Understudy")) == [])
  }

  @Test func `the answer to a bad request that the contract maps elsewhere is a refusal too`() throws {
    let contract = Self.contract + "\nx-understudy: {invalid-request: 500}\n"
    let entry = Recordings.entry(
      "POST", status: 500, headers: Self.key + [("Content-Type", "application/json")],
      request: #""postData": {"mimeType": "x", "text": "[]"}"#, answerHeaders: [],
      content: #""size": 0, "mimeType": "x""#)
    #expect(Self.rules(try Self.report([entry], contract)) == ["req.expected-invalid 1"])
    let report = try Self.report([entry])
    #expect(Self.rules(report).contains("resp.server-error 1"), "\(report.findings)")
  }
}
