import Testing
import UnderstudyReport
import UnderstudyTestSupport

struct ReportMergeTests {
  private static func part(
    _ shard: String?, _ names: [String] = ["a"], findings: [Report.Finding] = [],
    _ change: (inout Report) -> Void = { _ in }
  ) -> ReportMerger.Part {
    let report = Reports.report { report in
      report.run.shard = shard
      report.run.duration = .milliseconds(names.count)
      report.cases = names.map { Report.Case(Reports.subject, $0, checked: 2, findings: findings) }
      change(&report)
    }
    return ReportMerger.Part("\(shard?.replacing("/", with: "-") ?? "whole").json", report)
  }

  private static func json(_ parts: [ReportMerger.Part]) throws -> String {
    ReportFormat.json.text(of: try ReportMerger.merge(parts), ReportContext())
  }

  @Test func `the order of the files makes no difference`() throws {
    let known = Reports.finding("known")
    let parts = [
      Self.part("1/3", ["a", "b"], findings: [Reports.finding(), known]) { $0.skip("no decoder", count: 2) },
      Self.part("2/3", ["b", "c"], findings: [Reports.finding()]) { $0.remarks = ["one", "two"] },
      Self.part("3/3", ["c", "d"]) {
        $0.skip("no decoder")
        $0.remarks = ["two"]
        $0.run.startedAt = "2026-11-21T09:00:00.000Z"
      },
    ]
    let merged = try Self.json(parts)
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      #expect(try Self.json(order.map { parts[$0] }) == merged)
    }
    let report = try ReportMerger.merge(parts)
    #expect(report.cases.map(\.name) == ["a", "b", "c", "d"])
    #expect(report.checked == 12)
    #expect(report.cases[1].findings.map(\.count) == [2, 1])
    #expect(report.notValidated.map(\.reason) == ["no decoder"])
    #expect(report.notValidated.map(\.count) == [3])
    #expect(report.remarks == ["one", "two"])
    #expect(report.run.startedAt == "2026-11-21T09:00:00.000Z")
    #expect(report.run.duration == .milliseconds(6))
    #expect(report.run.shard == nil)
    #expect(report.run.abortedBecause == nil)
  }

  @Test func `a case of every part is counted once`() throws {
    let about = Report.Subject(contract: "shop")
    let finding = Reports.finding(about: about)
    let parts = ["1/2", "2/2"].map { shard in
      Self.part(shard) { $0.cases = [Report.Case(about, Report.Case.contract, checked: 1, findings: [finding])] }
    }
    let report = try ReportMerger.merge(parts)
    #expect(report.checked == 1)
    #expect(report.findings.map(\.count) == [1])
  }

  @Test func `a missing part makes the report incomplete`() throws {
    let report = try ReportMerger.merge([Self.part("1/4"), Self.part("3/4")])
    #expect(
      report.verdict(ReportContext())
        == .incomplete("verify fixtures in 4 parts (shop.yaml): the report of 2/4, 4/4 is missing"))
  }

  @Test func `a part that was cut short cuts the whole short`() throws {
    let report = try ReportMerger.merge([
      Self.part("1/2"), Self.part("2/2") { $0.run.abortedBecause = "no connection" },
    ])
    #expect(report.verdict(ReportContext()) == .incomplete("part 2/2: no connection"))
  }

  @Test func `the same part twice is refused`() {
    let problem = #expect(throws: UsageProblem.self) {
      try ReportMerger.merge([Self.part("1/2"), Self.part("1/2", ["b"]), Self.part("2/2")])
    }
    #expect(problem?.message == "1-2.json and 1-2.json are both part 1/2 of `verify fixtures`")
  }

  @Test func `the same report twice is refused`() {
    #expect(throws: UsageProblem.self) { try ReportMerger.merge([Self.part(nil), Self.part(nil)]) }
  }

  @Test func `different versions and contracts are reported`() throws {
    let report = try ReportMerger.merge([
      Self.part("1/2"),
      Self.part("2/2") {
        $0.run.version = "0.2.0"
        $0.run.contracts = [.init("other.yaml")]
      },
    ])
    #expect(
      report.remarks == [
        "the reports have different versions of understudy: 0.1.0 (1-2.json), 0.2.0 (2-2.json)",
        "the reports have different contracts: shop.yaml (1-2.json), other.yaml (2-2.json)",
      ])
  }

  @Test func `a case that one job could not run is not made good by another`() throws {
    let report = try ReportMerger.merge([
      Self.part("1/2"), Self.part("2/2") { $0.cases[0].outcome = .failedToRun("no connection") },
    ])
    #expect(report.cases.map(\.outcome) == [.failedToRun("no connection")])
  }

  @Test func `an invalid part is not counted`() throws {
    let report = try ReportMerger.merge([Self.part("1/9999999999"), Self.part("0/2")])
    #expect(report.run.abortedBecause == nil)
  }
}
