import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// One exchange becomes the same findings of a report by the proxy, from a recording and in a live run.
struct SameFingerprintTests {
  private static let text = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get:
          operationId: listPets
          responses:
            "200":
              description: All.
              headers: {X-Total: {required: true, schema: {type: integer}}}
              content:
                application/json:
                  schema: {type: array, items: {type: object, required: [name], properties: {name: {type: string}}}}
            4XX: {description: No.}

    """

  /// What a path makes of the exchange: each finding by its name, with what it says.
  private struct SeenFinding: Hashable, Comparable {
    let rule: String
    let fingerprint: String
    let severity: String
    let owner: String
    let message: String
    let pointer: String?

    init(_ finding: Report.Finding) {
      rule = finding.rule
      fingerprint = finding.fingerprint
      severity = finding.severity.rawValue
      owner = finding.owner.rawValue
      message = finding.message
      pointer = finding.location?.pointer
    }

    static func < (a: Self, b: Self) -> Bool { (a.rule, a.message) < (b.rule, b.message) }

    /// Of the findings about requests and answers; a live run has further rules about servers.
    static func all(_ report: Report) -> [SeenFinding] {
      report.findings.filter { $0.rule.hasPrefix("resp.") || $0.rule.hasPrefix("req.") }.map(SeenFinding.init).sorted()
    }
  }

  private static func proxied(
    _ status: Int, _ fields: HTTPFields, _ body: String, target: String
  ) async throws
    -> [SeenFinding]
  {
    let mock = try ContractFixture(text).mock { options in
      options.upstream = Upstream("http://up")
      options.onInvalid = .warn
    }
    let request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: target)
    let forward = try #require(mock.reply(to: request, body: []).forward)
    let reply = await forward.reply(
      by: { _, _ in
        (HTTPResponse(status: .init(code: status), headerFields: fields), Body(Array(body.utf8)))
      }, body: Body([]))
    let operation = try #require(reply.operation?.compiled.operation)
    let subject = Report.Subject(contract: "api", operation, answeredWith: status)
    var findings = FindingAggregator<Int, Void>()
    for diagnostic in reply.diagnostics { findings.add(diagnostic, about: subject, in: 0, from: ()) }
    return findings.entries.map { SeenFinding($0.finding) }.sorted()
  }

  private static func recorded(
    _ status: Int, _ fields: HTTPFields, _ body: String, target: String
  ) throws
    -> [SeenFinding]
  {
    let content = JSONWriter.text(["size": -1, "mimeType": "x", "text": .string(body)]).dropFirst().dropLast()
    let entry = Recordings.entry(
      "GET", "http://localhost\(target)", status: status,
      answerHeaders: fields.map { ($0.name.rawName, $0.value) }, content: String(content))
    let report = try ContractFixture(text).withMock { mock in
      var verifier = TrafficVerifier(
        mock.contracts, rules: RuleSettings(), scope: TrafficScope(mock.contracts.map(\.api)))
      try Recordings.withFile(Recordings.har([entry])) { verifier.validate($0) }
      var report = Report(Report.Run("verify traffic", contracts: [], startedAt: ""))
      verifier.fill(&report)
      return report
    }
    return SeenFinding.all(report)
  }

  private static func live(_ status: Int, _ fields: HTTPFields, _ body: String) async throws -> [SeenFinding] {
    SeenFinding.all(
      try await UnderstudyVerificationTests.live([ContractFixture(text).contract()]) { _, _ in
        (HTTPResponse(status: .init(code: status), headerFields: fields), Array(body.utf8))
      } configure: {
        $0.mode = .positive
      })
  }

  private static let json: HTTPFields = [.contentType: "application/json"]

  @Test(
    arguments: [
      (
        200, #"[{"name": 1}, {"name": "Tom"}, {}, {"name": 2}]"#,
        ["resp.body.schema", "resp.body.schema", "resp.header.missing"]
      ),
      (200, "[", ["resp.body.unparsable", "resp.header.missing"]), (299, "[]", ["resp.status.undocumented"]),
      (500, "[]", ["resp.server-error"]),
    ] as [(Int, String, [String])])
  func `an answer has the same findings by proxy, in a recording and live`(
    status: Int, body: String, rules: [String]
  ) async throws {
    let recorded = try Self.recorded(status, Self.json, body, target: "/pets")
    #expect(recorded.map(\.rule) == rules)
    #expect(try await Self.proxied(status, Self.json, body, target: "/pets") == recorded)
    #expect(try await Self.live(status, Self.json, body) == recorded)
  }

  @Test func `a request has the same findings by proxy and in a recording`() async throws {
    var fields = Self.json
    fields[try #require(HTTPField.Name("X-Total"))] = "1"
    let recorded = try Self.recorded(200, fields, "[]", target: "/pets?limit=1")
    #expect(recorded.map(\.rule) == ["req.param.undeclared"])
    #expect(try await Self.proxied(200, fields, "[]", target: "/pets?limit=1") == recorded)
  }
}
