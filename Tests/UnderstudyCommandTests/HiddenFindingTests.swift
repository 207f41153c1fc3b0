import Foundation
import HTTPTypes
import Testing
import UnderstudyCommand
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport
import UnderstudyVerification

/// A finding with a secret in its message, help, note and pointers, in everything that this program writes.
struct HiddenFindingTests {
  private static let secret = "ghp_" + String(repeating: "a1B2", count: 9)

  private static let fixtures = [
    "_scenarios/keys.yaml":
      "machine: {states: {new: {summary: 'said \(secret)', expects: addPet, on: {addPet: {to: end}}}, end: {final: true}}}\n"
  ]

  private static let contract = ContractFixture(
    ContractFixture.text(
      paths: """
          /pets:
            post:
              operationId: addPet
              requestBody: {content: {text/plain: {schema: {type: string}}}}
              responses: {"204": {description: Added.}}

        """), fixtures: fixtures)

  private static func finding() throws -> Diagnostic {
    Diagnostic(
      try #require(Rule.named("check.retry-storm")), "said \(secret)", at: Location(exchange: "/body/\(secret)"),
      notes: [Diagnostic.Note("noted \(secret)", at: Location(exchange: "/query/\(secret)"))], help: "advised \(secret)"
    )
  }

  private static func exchange(by mock: Mock) throws -> ServedRequest {
    let request = Mock.request(.post, "/pets", ["Authorization": "Bearer \(secret)", "Content-Type": "text/plain"])
    var reply = mock.reply(to: request, body: [])
    reply.diagnostics = [try finding()]
    return ServedRequest(
      startedAt: 0, microseconds: 0, request: SharedRequest(request), body: [], reply: reply, status: reply.status)
  }

  private static func printer(_ mock: Mock) -> JournalPrinter {
    JournalPrinter(Redactor(mock.contracts.map(\.compiled.secrets), style: .marker), version: "1")
  }

  private static func report(_ findings: [Report.Finding]) -> Report {
    var report = Report(Report.Run("verify live", contracts: [], startedAt: "2026-01-01T10:00:00Z"))
    report.cases = [Report.Case(Report.Subject(contract: "api"), "live", checked: 1, findings: findings)]
    return report
  }

  /// All formats.
  private static func text(_ report: Report) -> String {
    ReportFormat.allCases.map { report.text(as: $0) }.joined(separator: "\n")
  }

  /// Something that the program writes, with the parts of a finding that it has.
  private struct Output: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let parts: [String]
    let text: @Sendable (Mock) async throws -> String

    init(_ name: String, _ parts: [String], _ text: @escaping @Sendable (Mock) async throws -> String) {
      (testDescription, self.parts, self.text) = (name, parts, text)
    }
  }

  private static let outputs = [
    Output("the log", ["said", "noted", "advised", "/query/", "/[redacted]: "]) { mock in
      let log = RequestLog(
        style: .plain, redactor: Redactor(mock.contracts.map(\.compiled.secrets), style: .marker), showsOwner: false,
        showsUnvalidated: false)
      let written = Awaited("")
      let queue = LineQueue { text in written.change { $0 += text } }
      log.write(try exchange(by: mock), to: queue)
      queue.finish("")
      return written.value
    },
    Output("the journal and its console", ["said", "noted", "advised", "/body/", "/query/"]) { mock in
      var printer = printer(mock)
      let journal = Journal()
      journal.append(try exchange(by: mock))
      let entry = try #require(journal.entries().first)
      return JSONWriter.text(.array([printer.detail(entry, by: mock).value, printer.summaryWithFindings(entry).value]))
    },
    Output("a recording", ["said", "noted", "advised", "/body/"]) { mock in
      var printer = printer(mock)
      let journal = Journal()
      journal.append(try exchange(by: mock))
      return String(decoding: printer.har(journal.entries()).value, as: UTF8.self)
    },
    Output("a report of a live server", ["said", "noted", "advised", "/body/", "/query/"]) { mock in
      var report = report([Report.Finding(try finding(), about: Report.Subject(contract: "api"))])
      report.hide([Secret(secret, variable: "TOKEN")])
      #expect(text(report).contains("${TOKEN}"))
      return text(report)
    },
    Output("a report of a recording with secrets", ["said", "noted", "advised"]) { mock in
      var redactor = Redactor(settings: RedactionSettings(off: Set(Rule.redaction.map(\.id))))
      let writer = HARWriter(version: "1")
      let entry = try #require(writer.entry(try exchange(by: mock), &redactor))
      #expect(String(decoding: entry.value, as: UTF8.self).contains(secret))
      var verifier = TrafficVerifier(
        mock.contracts, rules: RuleSettings(), scope: TrafficScope([mock.contracts[0].api]))
      try withTemporaryFolder { (folder) throws in
        try Data(writer.head + entry.value + HARFormat.tail()).write(to: URL(filePath: folder + "/t.har"))
        verifier.validate(try HARFile(folder + "/t.har"))
      }
      var report = Report(Report.Run("verify traffic", contracts: [], startedAt: "2026-01-01T10:00:00Z"))
      verifier.fill(&report)
      return text(report)
    },
    Output("the state and the verdict of a lane", ["said", "noted", "advised", "/body/"]) { mock in
      let lane = try LaneName("alice")
      let lanes = MemoryLanes(mock.newState())
      let host = MockHost(lanes: lanes, admin: AdminSettings(isLocal: true))
      var members = try JSON(parsing: String(decoding: JSONEncoder().encode(mock.newState()), as: UTF8.self)).members
        .map { ($0.name, $0.value) }
      let found = try finding().members(.brief(notes: "requests")) + [("count", 1)]
      members = members.map { $0.0 == "findings" ? ($0.0, .array([.object(present: found)])) : $0 }
      let state = try JSONDecoder().decode(LaneState.self, from: Data(JSONWriter.bytes(.object(members))))
      try lanes.open(lane, state)
      let responder = host.responder(for: mock)
      var shown = ""
      for method in [HTTPRequest.Method.get, .delete] {
        var reply = responder.reply(Mock.request(method, "/__admin/lanes/alice"), [], .unlimited)
        if let later = reply?.forward {
          reply = await later.reply(by: { _, body in (HTTPResponse(status: .badGateway), body) }, body: Body([]))
        }
        shown += String(decoding: reply?.body ?? [], as: UTF8.self)
      }
      return shown
    },
    Output("a missing request", ["said"]) { mock in
      let host = MockHost(lanes: MemoryLanes(mock.newState()), admin: AdminSettings(isLocal: true))
      return host.closingFindings(of: mock).map { "\($0.finding)" }.joined()
    },
  ]

  @Test(arguments: outputs)
  private func `a secret in any part of a finding is shown nowhere`(_ output: Output) async throws {
    let mock = try Self.contract.mock { $0.scenario = "keys" }
    let text = try await output.text(mock)
    #expect(!text.contains(Self.secret), "\(text)")
    for part in output.parts { #expect(text.contains(part), "\(part) is not in \(text)") }
  }

  // MARK: - Secrets that only their places show

  /// A value of no known shape.
  private static let placed = "hunter2-Zz9"

  private static let keyed = ContractFixture(
    ContractFixture.text(
      paths: """
          /login:
            post:
              operationId: login
              security: []
              requestBody:
                content:
                  application/json: {schema: {properties: {password: {type: string, pattern: '^(a+)+$'}}}}
              responses: {"204": {description: In.}}
          /users/{id}:
            get:
              operationId: readUser
              security: [{key: []}]
              parameters: [{name: id, in: path, required: true, schema: {type: string, maxLength: 3}}]
              responses: {"200": {description: One.}}
        components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Shop-Pass}}}

        """))

  /// The host of a mock that has served requests with a key in their fields and in their paths.
  private static func served(_ mock: Mock) -> (host: MockHost, ask: (HTTPRequest.Method, String) async -> String) {
    let host = MockHost(
      lanes: MemoryLanes(mock.newState(), idleLimit: .seconds(1_000_000)), admin: AdminSettings(isLocal: true))
    let responder = host.responder(for: mock)
    for path in ["/userz/\(placed)", "/users/\(placed)", "/~l1/users/\(placed)", "/users/1?note=\(placed)"] {
      let request = Mock.request(.get, path, ["X-Shop-Pass": placed])
      guard let reply = responder.reply(request, [], .unlimited) else { continue }
      host.journal.append(
        ServedRequest(
          startedAt: 0, microseconds: 0, request: SharedRequest(request), body: [], reply: reply, status: reply.status))
    }
    return (
      host,
      { method, path in
        var reply = responder.reply(Mock.request(method, "/__admin/\(path)"), [], .unlimited)
        // Secrets are hidden off the event loop.
        if let later = reply?.forward {
          reply = await later.reply(by: { _, body in (HTTPResponse(status: .badGateway), body) }, body: Body([]))
        }
        return String(decoding: reply?.body ?? [], as: UTF8.self)
      }
    )
  }

  @Test func `lanes and the journal hide a key that one request has in a field and another in its path`() async throws {
    let mock = try Self.keyed.mock()
    let (host, ask) = Self.served(mock)
    _ = host
    let later = Mock.request(.get, "/users/\(Self.placed)")
    let reply = mock.reply(to: later, body: [])
    host.journal.append(
      ServedRequest(
        startedAt: 0, microseconds: 0, request: SharedRequest(later), body: [], reply: reply, status: reply.status))
    for path in ["lanes/default", "lanes/default?state=true", "lanes/l1", "lanes/l1?state=true", "requests/5"] {
      let text = await ask(.get, path)
      #expect(text.contains("[redacted 1]") && !text.contains(Self.placed), "\(path): \(text)")
    }
    let last = await ask(.delete, "lanes/l1")
    #expect(last.contains("[redacted 1]") && !last.contains(Self.placed), "\(last)")
  }

  @Test func `the reason why a password was not validated does not show it`() throws {
    let mock = try Self.keyed.mock()
    let password = String(repeating: "a", count: 40) + Self.placed
    let request = Mock.request(.post, "/login", ["Content-Type": "application/json"])
    let body = Array(#"{"password": "\#(password)"}"#.utf8)
    let reply = mock.reply(to: request, body: body)
    #expect(reply.notValidated.map(\.pointer) == ["/body/password"])
    #expect(reply.notValidated.allSatisfy { !$0.reason.contains(Self.placed) }, "\(reply.notValidated)")
    let exchange = ServedRequest(
      startedAt: 0, microseconds: 0, request: SharedRequest(request), body: body, reply: reply, status: reply.status)
    let journal = Journal()
    journal.append(exchange)
    var printer = Self.printer(mock)
    let detail = JSONWriter.text(printer.detail(try #require(journal.entries().first), by: mock).value)
    #expect(detail.contains("cannot be validated") && !detail.contains(Self.placed), "\(detail)")
  }

  @Test func `what a sweep reports of a request has none of its secrets`() throws {
    let mock = try Self.keyed.mock()
    let (run, lane) = (SweepRun(), Lane(mock.newState()))
    for path in ["/nowhere/\(Self.placed)", "/users/\(Self.placed)"] {
      _ = run.reply(to: Mock.request(.get, path, ["X-Shop-Pass": Self.placed]), [], of: mock, in: lane)
    }
    #expect(run.sent.map(\.name) == ["GET /nowhere/[redacted]", "readUser"])
    let shown = run.sent.flatMap(\.reply.diagnostics).map { "\($0)" } + run.sent.map { "\($0.subject)" }
    #expect(shown.count == 4 && shown.allSatisfy { !$0.contains(Self.placed) }, "\(shown)")
  }

  @Test func `the log hides a key of a query that the path repeats, and one in the place of a name`() throws {
    let mock = try Self.keyed.mock()
    let redactor = Redactor(mock.contracts.map(\.compiled.secrets), style: .marker)
    let operation = mock.operations.first { $0.id == "readUser" }?.compiled
    for target in ["/users/\(Self.placed)?token=\(Self.placed)", "/users/1?\(Self.secret)=4"] {
      let shown = redactor.redacted(target: target, of: Mock.request(.get, target), operation).value
      #expect(!shown.contains(Self.placed) && !shown.contains(Self.secret), "\(shown)")
    }
  }

  @Test func `the positions of a finding in files stay when its secrets are hidden`() throws {
    let source = SourceFile(path: "a.yaml", text: "key: value")
    let location = Location(source, 5..<10, pointer: "/key")
    let finding = Diagnostic(.responseBodySchema, "key", at: location, notes: [Diagnostic.Note("key", at: location)])
    let hidden = finding.redacted { $0.replacing("key", with: "-") }
    #expect(hidden.message == "-" && hidden.notes[0].message == "-")
    #expect(hidden.location == location && hidden.notes[0].location == location)
  }
}
