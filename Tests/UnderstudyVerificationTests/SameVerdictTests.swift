import HTTPTypes
import Synchronization
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// Generated exchanges have the same findings in the proxy, in its recording, in the recording of another program and in a
/// live run, and those that a mock answers by itself in the mock and in its recording.
struct SameVerdictTests {
  private static let contract = """
    openapi: 3.0.3
    info: {title: Pets, version: "1"}
    servers: [{url: "https://pets.example.com"}]
    paths:
      /pets:
        get:
          operationId: list
          parameters: [{name: limit, in: query, schema: {type: integer, maximum: 9}}]
          responses:
            "200": {description: OK, content: {application/json: {schema: {type: array, items: {type: integer}}}}}
            "400": {description: No}
        post:
          operationId: add
          security: [{key: []}]
          requestBody:
            required: true
            content: {application/json: {schema: {type: object, required: [name]}}}
          responses:
            "201": {description: Made, content: {application/json: {schema: {type: object}}}}
            "503": {description: Busy}
      /pets/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
        get:
          operationId: read
          security: [{token: []}]
          responses:
            "200": {description: OK, content: {application/json: {schema: {type: object}}, text/plain: {schema: {type: string}}}}
            "404": {description: None}
        delete: {operationId: remove, responses: {"204": {description: Gone}}}
    components:
      securitySchemes:
        key: {type: apiKey, in: header, name: X-Key}
        token: {type: http, scheme: bearer}

    """

  /// An exchange as it went over the wire.
  private struct NumberedExchange {
    var request: HTTPRequest
    var body: [UInt8]
    var response: HTTPResponse
    var answer: [UInt8]
  }

  /// Choices that depend on nothing but their number.
  private struct Choices {
    private var state: UInt64
    init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return elements[Int((state >> 33) % UInt64(elements.count))]
    }
  }

  private static func exchange(_ number: Int) -> NumberedExchange {
    var choices = Choices(number)
    let method = choices.pick(["GET", "GET", "POST", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD"])
    let path = choices.pick([
      "/pets", "/pets", "/pets/1", "/pets/1", "/pets/x", "/pets/", "/dogs", "/pets?limit=5", "/pets?limit=99",
    ])
    var fields = HTTPFields()
    if let accept = choices.pick([nil, nil, "*/*", "application/json", "text/html", "image/png, text/plain;q=0.5"]) {
      fields[.accept] = accept
    }
    if let key = choices.pick([nil, "k"]), let name = HTTPField.Name("X-Key") { fields[name] = key }
    if let token = choices.pick([nil, "Bearer t", "Basic !"]) { fields[.authorization] = token }
    let body = ["POST", "PUT", "PATCH"].contains(method) ? choices.pick([#"{"name":"a"}"#, "{}", "", "["]) : ""
    if !body.isEmpty, let type = choices.pick(["application/json", "application/json", "text/csv"]) as String? {
      fields[.contentType] = type
    }
    if let coding = choices.pick([nil, nil, nil, "gzip"]), body.isEmpty { fields[.contentEncoding] = coding }
    let request = HTTPRequest(
      method: HTTPRequest.Method(method) ?? .get, scheme: "https", authority: "pets.example.com", path: path,
      headerFields: fields)
    let status = choices.pick([
      200, 200, 200, 201, 204, 206, 302, 400, 401, 403, 404, 405, 406, 415, 422, 500, 501, 503,
    ])
    var answered = HTTPFields()
    let answer = method == "HEAD" ? "" : choices.pick(["[1]", "{}", "", "", #"["a"]"#, "text"])
    if let type = choices.pick(["application/json", "application/json", "text/plain", nil]) {
      answered[.contentType] = type
    }
    if let allow = choices.pick([nil, "GET, POST", "GET"]) { answered[.allow] = allow }
    if let challenge = choices.pick([nil, "Bearer"]) { answered[.wwwAuthenticate] = challenge }
    if answer.isEmpty, let coding = choices.pick([nil, "gzip"]) { answered[.contentEncoding] = coding }
    return NumberedExchange(
      request: request, body: Array(body.utf8),
      response: HTTPResponse(status: .init(code: status), headerFields: answered), answer: Array(answer.utf8))
  }

  /// `rule pointer severity message` of each finding, in order.
  private static func texts(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.map { "\($0.rule.id) \($0.location?.pointer ?? "") \($0.severity) \($0.message)" }
  }

  private static func findings(_ outcome: TrafficValidator.Outcome) -> [Diagnostic] {
    switch outcome {
    case .validated(let exchange): exchange.request.findings + exchange.answer.findings
    case .missed(let finding, let answer, _, _): [finding].compactMap(\.self) + answer
    case .ignored, .skipped: []
    }
  }

  private static func entry(_ exchange: NumberedExchange, reply: String?) throws -> Exchange {
    let url = "https://pets.example.com\(exchange.request.path ?? "/")"
    var entry = try Recordings.read(
      Recordings.entry(exchange.request.method.rawValue, url, status: exchange.response.status.code))
    entry.requestFields = exchange.request.headerFields
    entry.requestBody = exchange.body.isEmpty ? .empty : .bytes(exchange.body)
    entry.response?.fields = exchange.response.headerFields
    if let reply, let name = HTTPField.Name("Understudy-Reply") { entry.response?.fields[name] = reply }
    entry.response?.body = .bytes(exchange.request.method == .head ? [] : exchange.answer)
    return entry
  }

  private static func texts(_ outcome: TrafficValidator.Outcome) -> [String] { texts(findings(outcome)) }

  private static func mock(_ rules: RuleSettings, upstream: Upstream? = nil) throws -> Mock {
    var options = Mock.Options()
    options.onInvalid = upstream == nil ? .contract : .warn
    options.upstream = upstream
    options.rules = rules
    return Mock(contracts: [try ContractFixture(contract).contract()], options: options)
  }

  /// By default, and where failures of servers are no more than undocumented statuses.
  @Test(arguments: [[:], [.responseServerError: .off]] as [[Rule: RuleSettings.Level]])
  func `two thousand generated exchanges have the same findings on every path`(
    _ levels: [Rule: RuleSettings.Level]
  ) async throws {
    let settings = RuleSettings(levels: levels)
    let mock = try Self.mock(settings)
    let proxy = try Self.mock(settings, upstream: Upstream("http://upstream"))
    let set = ContractSet(mock.contracts.map(\.compiled))
    let traffic = TrafficValidator(set.contracts, rules: settings, scope: TrafficScope(set.contracts.map(\.api)))
    var differences: [String] = []
    var rules: Set<String> = []
    for number in 0..<2_000 {
      let exchange = Self.exchange(number)
      let (request, response, answer) = (exchange.request, exchange.response, exchange.answer)
      let title = "\(request.method) \(request.path ?? "") \(request.headerFields) -> \(response)"

      let forward = try #require(proxy.reply(to: request, body: exchange.body).forward, "\(title)")
      let forwarded = await forward.reply(by: { _, _ in (response, Body(answer)) }, body: Body(exchange.body))
      let proxied = Self.texts(forwarded.diagnostics)
      rules.formUnion(forwarded.diagnostics.map(\.rule.id))
      let ofProxy = Self.texts(traffic.validate(try Self.entry(exchange, reply: "upstream"), isOwn: true))
      let ofOthers = Self.texts(traffic.validate(try Self.entry(exchange, reply: nil)))
      if ofProxy != proxied { differences.append("proxy and its recording: \(title)\n  \(proxied)\n  \(ofProxy)") }
      if ofOthers != proxied { differences.append("proxy and a recording: \(title)\n  \(proxied)\n  \(ofOthers)") }

      let reply = mock.reply(to: request, body: exchange.body)
      var own = exchange
      (own.response, own.answer) = mock.server(request, exchange.body)
      let mocked = Self.texts(reply.diagnostics)
      let ofMock = Self.texts(traffic.validate(try Self.entry(own, reply: reply.reason), isOwn: true))
      if ofMock != mocked {
        differences.append("mock and its recording: \(title) \(reply.reason)\n  \(mocked)\n  \(ofMock)")
      }
    }
    #expect(differences.count == 0, "\(differences.prefix(12).joined(separator: "\n"))")
    #expect(rules.count > 14, "\(rules.sorted())")
  }

  // MARK: - Failures that are asked for

  /// The fixture has the failure for `q=1`, and the extension for requests that break the contract.
  @Test(
    arguments: [
      ("", "q=1", []), ("", "q=2", ["resp.server-error"]), ("", "q=a", ["req.param.schema", "resp.server-error"]),
      ("x-understudy: {invalid-request: 500}", "q=a", ["req.expected-invalid"]),
    ] as [(String, String, [String])])
  func `a failure that a fixture or the contract asks for is none`(
    member: String, query: String, rules: [String]
  ) async throws {
    let files = ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      \(member)
      paths:
        /x:
          get:
            operationId: x
            parameters: [{in: query, name: q, schema: {type: integer}}]
            responses: {"200": {description: OK}, default: {description: No}}

      """, fixtures: ["x/500.one.yaml": "when: {query: {q: 1}}\n"])
    let proxy = try files.mock { options in
      options.upstream = Upstream("http://upstream")
      options.onInvalid = .warn
    }
    let request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/x?\(query)")
    let forward = try #require(proxy.reply(to: request, body: []).forward)
    let reply = await forward.reply(by: { _, _ in (HTTPResponse(status: 500), Body([])) }, body: Body([]))
    #expect(reply.diagnostics.map(\.rule.id) == rules)

    func recorded(by creator: String, _ name: String) throws -> [String] {
      var traffic = TrafficVerifier(
        proxy.contracts, rules: RuleSettings(), scope: TrafficScope(proxy.contracts.map(\.api)))
      let entry = Recordings.entry(
        "GET", "http://localhost/x?\(query)", status: 500, answerHeaders: [("Understudy-Reply", name)],
        content: #""size": 0, "mimeType": "x""#)
      try Recordings.withFile(Recordings.har([entry], creator: creator)) { traffic.validate($0) }
      var report = Report(Report.Run("verify traffic", contracts: [], startedAt: ""))
      traffic.fill(&report)
      return report.findings.map(\.rule).sorted()
    }
    #expect(try recorded(by: "Understudy", "upstream") == rules)
    #expect(try recorded(by: "Test", "upstream") == rules)
    // A mock fails on purpose.
    #expect(try !recorded(by: "Understudy", "fixture x/500.one").contains("resp.server-error"))
  }

  // MARK: - Live

  /// The operation of a request, or the first of its path.
  private static func operation(of request: HTTPRequest, in contract: Contract) -> CompiledOperation {
    let position =
      switch contract.compiled.router.route(request.method.rawValue, request.path ?? "/") {
      case .match(let match): match.operation
      case .wrongMethod(_, let first, _): first
      case .notFound: 0
      }
    return contract.compiled.operations[position]
  }

  /// A live run against a server that gives each operation one generated answer, whatever it is asked.
  private static func run(
    _ number: Int, _ contract: Contract, _ rules: RuleSettings
  ) async throws -> (exchanges: [NumberedExchange], report: Report) {
    let names = contract.compiled.operations.map(\.id)
    let sent = Mutex<[NumberedExchange]>([])
    let report = try await live(
      [contract],
      on: { request, body in
        let position = names.firstIndex(of: Self.operation(of: request, in: contract).id) ?? 0
        var exchange = Self.exchange(number * names.count + position)
        (exchange.request, exchange.body) = (request, body)
        sent.withLock { $0.append(exchange) }
        return (exchange.response, exchange.answer)
      },
      configure: { settings in
        settings.seed = String(number)
        settings.phases = [.examples, .coverage, .random]
        settings.credentials = ["key": "k", "token": "t"]
        settings.rules = rules
      })
    return (sent.withLock { $0 }, report)
  }

  /// `operation status rule severity` of the findings about an answer.
  private static func kinds(
    _ outcome: TrafficValidator.Outcome, _ status: Int, of operation: CompiledOperation
  ) -> [String] {
    let findings: [Diagnostic] =
      switch outcome {
      case .validated(let exchange): exchange.answer.findings
      case .missed(_, let answer, _, _): answer
      case .ignored, .skipped: []
      }
    let name = Report.Subject(contract: "", operation.operation, answeredWith: status).status ?? ""
    return findings.filter { finding in
      // A live run reports what this 401 shows about the contract, as `prov.auth.open`.
      !(finding.rule == .responseStatusMisuse && status == 401 && operation.operation.security.isEmpty)
    }.map { "\(operation.id) \(name) \($0.rule.id) \($0.severity)" }
  }

  /// A live run reports a cause once, so the findings of all its exchanges are compared.
  @Test func `two thousand exchanges of live runs have the same findings there, in the proxy and in a recording`()
    async throws
  {
    // It would replace the findings about an operation that always answers 405.
    let settings = RuleSettings(levels: [.coverageStatusUnimplemented: .off])
    let contract = try ContractFixture(Self.contract).contract()
    let proxy = try Self.mock(settings, upstream: Upstream("http://upstream"))
    let traffic = TrafficValidator([contract.compiled], rules: settings, scope: TrafficScope([contract.api]))
    var differences: [String] = []
    var count = 0
    var rules: Set<String> = []
    for number in 0..<200 where count < 2_000 {
      let (exchanges, report) = try await Self.run(number, contract, settings)
      count += exchanges.count
      var recorded: Set<String> = []
      for exchange in exchanges {
        let (request, response, answer) = (exchange.request, exchange.response, exchange.answer)
        let outcome = traffic.validate(try Self.entry(exchange, reply: nil))
        let operation = Self.operation(of: request, in: contract)
        recorded.formUnion(Self.kinds(outcome, response.status.code, of: operation))
        let forward = try #require(proxy.reply(to: request, body: exchange.body).forward)
        let forwarded = await forward.reply(by: { _, _ in (response, Body(answer)) }, body: Body(exchange.body))
        if Self.texts(forwarded.diagnostics) != Self.texts(outcome) {
          differences.append("proxy and a recording: \(request) -> \(response)")
        }
      }
      let found = report.findings.filter { $0.rule.hasPrefix("resp.") }
      let ofRun = Set(
        found.flatMap { finding in
          ([finding.subject] + finding.others.map(\.subject)).map {
            "\($0.operation ?? "") \($0.status ?? "") \(finding.rule) \(finding.severity)"
          }
        })
      rules.formUnion(found.map(\.rule))
      if ofRun != recorded {
        differences.append("live run \(number) and its recording: \(ofRun.symmetricDifference(recorded).sorted())")
      }
    }
    #expect(count >= 2_000)
    #expect(differences.isEmpty, "\(differences.prefix(12).joined(separator: "\n"))")
    #expect(rules.count > 5, "\(rules.sorted())")
  }
}
