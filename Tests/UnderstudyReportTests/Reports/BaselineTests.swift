import Testing
import UnderstudyReport
import UnderstudyTestSupport

struct BaselineTests {
  private static func read(_ text: String) throws -> Baseline {
    try Baseline(try TextDocument.read(SourceFile(path: "baseline.yaml", text: text)))
  }

  private static func findings(in text: String, _ message: String) -> Report {
    let file = SourceFile(path: "fixtures/200.json", text: text)
    let value = (try? JSONParser.parse(file))?.root["name"]
    let diagnostic = Diagnostic(.responseBodySchema, message, at: value.map { Location($0) })
    return Reports.report([Report.Finding(diagnostic, about: Reports.subject)])
  }

  @Test func `a finding stays known when its line moves`() throws {
    let before = Self.findings(in: #"{"name": 7}"#, "expected string, found number 7")
    var after = Self.findings(in: "{\n\n  \"id\": 1,\n  \"name\": 7}", "expected string, found number 7")
    #expect(before.findings.map(\.location?.line) == [1])
    #expect(after.findings.map(\.location?.line) == [4])
    try Self.read(Baseline(of: before).text).apply(to: &after, file: "baseline.yaml")
    #expect(after.findings.map(\.isKnown) == [true])
    #expect(after.verdict(ReportContext()) == .passed)
    #expect(after.remarks == [])
  }

  @Test func `another finding at the same place is new`() throws {
    let before = Self.findings(in: #"{"name": 7}"#, "expected string, found number 7")
    var after = Self.findings(in: #"{"name": null}"#, "expected string, found null")
    Baseline(of: before).apply(to: &after, file: "baseline.yaml")
    #expect(after.findings.map(\.isKnown) == [false])
    #expect(
      after.remarks == [
        "baseline.yaml has 1 stale finding, such as resp.body.schema at GET /pets/{id} 200: "
          + "`--update-baseline` removes them"
      ])
  }

  @Test(arguments: [("2027-01-31", true), ("2027-02-01", false)])
  func `an entry is accepted to the end of its day`(_ today: String, _ isKnown: Bool) throws {
    let before = Self.findings(in: #"{"name": 7}"#, "expected string, found number 7")
    var after = before
    let text = Baseline(of: before).text.replacing("}\n", with: ", until: \"2027-01-31\"}\n")
    let baseline = try Self.read(text)
    #expect(baseline.text == text)
    baseline.apply(to: &after, file: "baseline.yaml", today: today)
    #expect(after.findings.map(\.isKnown) == [isKnown])
    #expect(
      after.remarks
        == (isKnown
          ? []
          : [
            "baseline.yaml has 1 expired finding, such as resp.body.schema at GET /pets/{id} 200, accepted until "
              + "2027-01-31: fix it, or write a later day there"
          ]))
    #expect(Baseline(of: before).keepingDays(of: baseline) == baseline)
  }

  @Test(arguments: ["2/8", nil]) func `a partial run makes no finding stale`(_ shard: String?) {
    var report = Reports.report { report in
      report.run.shard = shard
      if shard == nil { report.run.abortedBecause = "no connection" }
    }
    Baseline(of: Reports.report([Reports.finding()])).apply(to: &report, file: "baseline.yaml")
    #expect(report.remarks == [])
  }

  private static let operation: Report.Subject = {
    var subject = Reports.subject
    subject.status = nil
    return subject
  }()

  @Test func `findings outside the limits of a run are not stale`() {
    let baseline = Baseline(of: Reports.report([Reports.finding()]))
    var limited = Reports.report { $0.run.limits = "--operation readOther" }
    baseline.apply(to: &limited, file: "baseline.yaml")
    #expect(limited.remarks == [])
    #expect(baseline.remaining(after: limited) == baseline)
    // An operation that changes data, in a run that sends none such.
    var careful = Reports.report {
      $0.cases = [Report.Case(Self.operation, "live", outcome: .skipped("DELETE may change data"))]
    }
    baseline.apply(to: &careful, file: "baseline.yaml")
    #expect(careful.remarks == [])
    #expect(baseline.remaining(after: careful) == baseline)
    #expect(baseline.remaining(after: Reports.report()).entries == [])
  }

  @Test func `the file is sorted, a finding a line, each once`() {
    let findings = [Reports.finding("b"), Reports.finding("a"), Reports.finding("b")]
    let lines = Baseline(of: Reports.report(findings)).text.split(separator: "\n")
    let entries = findings.prefix(2).map(\.fingerprint).sorted()
    #expect(lines.count == 6)
    for (line, fingerprint) in zip(lines.dropFirst(4), entries) {
      #expect(
        line.hasPrefix(#"- {rule: "resp.body.schema", subject: "GET /pets/{id} 200", fingerprint: "\#(fingerprint)""#))
    }
  }

  @Test func `hostile messages can be read back`() throws {
    let baseline = Baseline(of: Reports.report(Reports.hostile.map { Reports.finding($0) }))
    let read = try Self.read(baseline.text)
    #expect(Set(read.entries.map(\.fingerprint)) == Set(baseline.entries.map(\.fingerprint)))
    for entry in baseline.entries {
      #expect(read.entries.contains { $0.message.utf8Equals(entry.message) })
    }
  }

  @Test func `an empty one can be read back`() throws {
    #expect(try Self.read(Baseline().text) == Baseline())
  }

  @Test(arguments: [
    ("", "this is not a baseline of understudy", 1),
    ("rules: []", "this is not a baseline of understudy", 1),
    ("format: 7\nfindings: []", "this is not a baseline of understudy: expected `format: 1`", 1),
    ("format: 1", "`findings` is missing", 1),
    ("format: 1\nfindings:\n- {rule: a, subject: b, message: c}", "`fingerprint` is missing", 3),
    (
      "format: 1\nfindings:\n- {rule: a, subject: b, message: c, fingerprint: d, until: \"31.1.2027\"}",
      "`until` is not a day: expected one such as `2027-01-31`", 3
    ),
  ])
  func `an invalid baseline is reported with its line`(_ text: String, _ message: String, _ line: Int) {
    let problem = #expect(throws: RecordProblem.self) { try Self.read(text) }
    #expect(problem?.message == message)
    #expect(problem?.location.start?.line == line)
  }
}
