import Foundation
import HTTPTypes
import Testing
import UnderstudyCommand
import UnderstudyMock
import UnderstudyReport
import UnderstudyTestSupport
import UnderstudyVerification

/// A check that is asked for by name fails wherever its findings are shown.
@Suite(.waitsForProcesses)
struct CheckFacesTests {
  /// A client that breaks a rule, from `understudy explain`.
  private struct Breach: Sendable, CustomTestStringConvertible {
    let check: ClientCheckSettings
    let script: String
    var testDescription: String { "\(check.rule): \(script)" }
  }

  private static let breaches =
    ClientChecks.all.flatMap { check in
      check.rule.exchanges.filter { !$0.places.isEmpty }.map { Breach(check: check.defaults, script: $0.request) }
    } + configured + requests

  /// Checks that find nothing without settings.
  private static let configured = [
    ("kept-fields", #"0s POST /pets, {"name": "Tom"} -> 422\n9s POST /pets, {"name": "Kim"} -> 201"#),
    ("offered-values", #"0s POST /pets, {"name": "Tom"} -> 201"#),
  ].compactMap { name, script -> Breach? in
    guard var check = ClientChecks.named(name)?.defaults else { return nil }
    (check.operations, check.fields, check.offer) = (["POST_pets"], ["name"], "GET_pets/*/name")
    return Breach(check: check, script: script.replacing(#"\n"#, with: "\n"))
  }

  /// Rules about single requests, which are warnings or notes unless they are asked for.
  private static let requests = [
    ("req.param.undeclared", "0s GET /pets?= -> 200"), ("req.param.undeclared", "0s GET /pets?limt=1 -> 200"),
    ("req.accept.unmet", "0s GET /pets, Accept: text/html -> 200"), ("req.deprecated", "0s DELETE /pets/7 -> 204"),
    ("req.header.undeclared", "0s GET /pets, X-Mood: good -> 200"),
    ("req.credential-leak", "0s GET /pets?key=secret -> 200"), ("req.param.schema", "0s GET /pets?limit=many -> 200"),
  ].compactMap { id, script in
    (try? ClientCheckSettings(argument: id)).map { Breach(check: $0, script: script) }
  }

  /// A mock with the check, a lane of it, and the exchanges that break the check.
  private func played(
    _ breach: Breach, sweep: SweepRun? = nil
  ) throws -> (mock: Mock, lane: Lane, exchanges: [ServedRequest]) {
    let script = try ClientScript(breach.script)
    let mock = try ContractFixture(Rule.exampleContract).mock {
      $0.checks = [breach.check]
      $0.now = { [clock = script.clock] in clock.now }
    }
    let lane = Lane(mock.newState())
    var exchanges: [Int: ServedRequest] = [:]
    let send = sweep.map { run in
      { (step: ClientScript.Step, choose: @escaping ReplyOverride.Chooser) in
        run.reply(to: step.request, step.body, of: mock, in: lane, usual: choose)
      }
    }
    try script.play(on: mock, in: lane, send: send) { number, step, reply in
      exchanges[number] = ServedRequest(
        startedAt: step.time, microseconds: 1, request: SharedRequest(step.request), body: step.body, reply: reply,
        status: reply.status)
    }
    return (mock, lane, exchanges.sorted { $0.key < $1.key }.map(\.value))
  }

  @Test func `every check is an error, and stays one where it is named`() {
    let severities = ClientChecks.all.map { "\($0.rule.id) \($0.rule.severity.rawValue)" }
    #expect(severities == ClientChecks.all.map { "\($0.rule.id) error" })
    #expect(Self.breaches.count > 22 && Self.configured.count == 2 && Self.requests.count == 7)
  }

  @Test(arguments: breaches) private func `the log, the journal and the verdict fail`(_ breach: Breach) throws {
    let (mock, lane, exchanges) = try played(breach)
    let log = RequestLog(style: .plain, redactor: Redactor(), showsOwner: false, showsUnvalidated: false)
    let written = Awaited("")
    let queue = LineQueue { text in written.change { $0 += text } }
    for exchange in exchanges { log.write(exchange, to: queue) }
    queue.finish("")
    let lines = written.value.split(separator: "\n").filter { $0.hasSuffix("[\(breach.check.rule)]") }
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("  error: ") }, "\(written.value)")
    let verdict = mock.verdict(of: lane.value)
    #expect(!verdict.isPassed)
    var redactor = Redactor()
    let json = verdict.json(&redactor).value
    #expect(json["verdict"] == "failed")
    // What `ctl verdict` and the tests in Swift, Python and JavaScript read.
    let found = (json["findings"]?.elements ?? JSON.array([]).elements).filter { $0["rule"]?.text == breach.check.rule }
    #expect(!found.isEmpty && found.allSatisfy { $0["severity"] == "error" })
    let entries = exchanges.enumerated().map { JournalEntry(number: $0.offset + 1, $0.element) }
    #expect(entries.reduce(0) { $0 + $1.findings(.error) } > 0)
  }

  @Test(arguments: breaches) private func `the report of a run fails`(_ breach: Breach) throws {
    let (mock, _, exchanges) = try played(breach)
    let writer = HARWriter(version: "1")
    var redactor = Redactor(settings: RedactionSettings(off: Set(Rule.redaction.map(\.id))))
    let entries = exchanges.compactMap { writer.entry($0, &redactor) }
    var verifier = TrafficVerifier(
      mock.contracts, rules: mock.options.rules,
      scope: TrafficScope(mock.contracts.map(\.api), bases: [], isStrict: false), checks: mock.options.checks)
    try withTemporaryFolder { (folder) throws in
      let text = Array(entries.map(\.value).joined(separator: Array(",\n".utf8)))
      try Data(writer.head + text + HARFormat.tail()).write(to: URL(filePath: folder + "/t.har"))
      verifier.validate(try HARFile(folder + "/t.har"), isPrivate: true)
    }
    var report = Report(Report.Run("coverage", contracts: [], target: "command", startedAt: ""))
    report.cases = verifier.clientCases(withRequests: false)
    let found = report.findings.filter { $0.rule == breach.check.rule }
    #expect(!found.isEmpty && found.allSatisfy { $0.severity == .error }, "\(report.findings)")
    let context = ReportContext()
    if case .failed = report.verdict(context) {} else { Issue.record("\(report.verdict(context))") }
    #expect(ReportFormat.json.text(of: report, context).contains(#""severity": "error""#))
  }

  /// A sweep judges requests as they come, and no end of a late response.
  @Test(arguments: breaches.filter { !$0.script.contains(" after ") })
  private func `a sweep shows it as a violation`(_ breach: Breach) throws {
    let run = SweepRun()
    let (mock, _, _) = try played(breach, sweep: run)
    let violations = run.exchanges(in: mock).flatMap(\.violations).map(\.rule.id)
    #expect(violations.contains(breach.check.rule), "\(violations)")
  }

  @Test(arguments: ClientChecks.all.map { $0.rule })
  func `explain names the severity`(rule: Rule) throws {
    #expect(try Command.run("explain", rule.id).output.contains("\nseverity: error, to be fixed by: client\n"))
  }

  @Test func `explain says what --check makes of a warning`() throws {
    let text = try Command.run("explain", "req.param.undeclared").output
    #expect(text.contains("\nseverity: warning, to be fixed by: client\nwith `--check req.param.undeclared`: error\n"))
  }
}
