import Foundation
import HTTPTypes
import Testing
import UnderstudyCommand
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

  private static func exchange(by mock: Mock) throws -> ServedExchange {
    let request = Mock.request(.post, "/pets", ["Authorization": "Bearer \(secret)", "Content-Type": "text/plain"])
    var reply = mock.reply(to: request, body: [])
    reply.diagnostics = [try finding()]
    return ServedExchange(
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
    let text: @Sendable (Mock) throws -> String

    init(_ name: String, _ parts: [String], _ text: @escaping @Sendable (Mock) throws -> String) {
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
      return JSONWriter.text(.array([printer.detail(entry, by: mock), printer.summaryWithFindings(entry)]))
    },
    Output("a recording", ["said", "noted", "advised", "/body/"]) { mock in
      var printer = printer(mock)
      let journal = Journal()
      journal.append(try exchange(by: mock))
      return String(decoding: printer.har(journal.entries()), as: UTF8.self)
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
      #expect(String(decoding: entry, as: UTF8.self).contains(secret))
      var verifier = TrafficVerifier(
        mock.contracts, rules: RuleSettings(), scope: TrafficScope([mock.contracts[0].api]))
      try withTemporaryFolder { (folder) throws in
        try Data(writer.head + entry + HARWriter.tail()).write(to: URL(filePath: folder + "/t.har"))
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
      return [HTTPRequest.Method.get, .delete].map { method in
        let reply = responder.reply(Mock.request(method, "/__admin/lanes/alice"), [], .unlimited)
        return String(decoding: reply?.body ?? [], as: UTF8.self)
      }.joined()
    },
    Output("a missing request", ["said"]) { mock in
      let host = MockHost(lanes: MemoryLanes(mock.newState()), admin: AdminSettings(isLocal: true))
      return host.missingRequests(of: mock).map { "\($0.finding)" }.joined()
    },
  ]

  @Test(arguments: outputs)
  private func `a secret in any part of a finding is shown nowhere`(_ output: Output) throws {
    let mock = try Self.contract.mock { $0.scenario = "keys" }
    let text = try output.text(mock)
    #expect(!text.contains(Self.secret), "\(text)")
    for part in output.parts { #expect(text.contains(part), "\(part) is not in \(text)") }
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
