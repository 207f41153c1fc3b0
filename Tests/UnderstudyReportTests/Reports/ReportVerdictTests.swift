import Testing
import UnderstudyReport

struct ReportVerdictTests {
  @Test func `an incomplete run is incomplete with any findings`() {
    var report = Reports.report([Reports.finding()])
    #expect(report.verdict(ReportContext()) == .failed(errors: 1, warnings: 0, notes: 0))
    report.cases.append(Report.Case(Reports.subject, "b", outcome: .failedToRun("no connection")))
    #expect(
      report.verdict(ReportContext()) == .incomplete("1 case could not be run; GET /pets/{id}, b: no connection"))
    report.run.abortedBecause = "interrupted"
    #expect(report.verdict(ReportContext()) == .incomplete("interrupted"))
  }

  @Test func `a run that checked nothing did not pass`() {
    let report = Reports.report { $0.cases = [] }
    #expect(report.verdict(ReportContext()) == .nothingChecked)
    #expect(report.verdict(ReportContext(allowsEmpty: true)) == .passed)
  }

  @Test func `known findings and those below the threshold do not fail`() {
    var known = Reports.finding()
    known.isKnown = true
    let report = Reports.report([known, Reports.finding(severity: .warning), Reports.finding(severity: .info)])
    #expect(report.verdict(ReportContext()) == .passed)
    #expect(report.verdict(ReportContext(failOn: .warning)) == .failed(errors: 0, warnings: 1, notes: 0))
    #expect(report.verdict(ReportContext(failOn: .info)).text == "failed: 1 warning, 1 note")
  }
}
