import Testing
import UnderstudyReport

struct ReportCauseTests {
  private static func broken(_ pointer: String, in path: String, status: String = "200") -> Report.Finding {
    let subject = Report.Subject(contract: "shop", operation: path, method: "GET", path: path, status: status)
    return Reports.finding(
      at: Location(exchange: "/body/0"),
      notes: [.init("by `type`", at: Location(path: "shop.yaml", pointer: pointer))],
      about: subject)
  }

  @Test func `one place of the contract is one cause, in all operations`() {
    let report = Reports.report([
      Self.broken("/a", in: "/pets"), Self.broken("/b", in: "/pets"), Self.broken("/a", in: "/toys"),
      Self.broken("/a", in: "/pets"),
    ])
    #expect(report.causes.map { $0.findings.count } == [3, 1])
    #expect(report.causes.map(\.title) == ["GET /pets 200 and 1 other", "GET /pets 200"])
  }

  @Test(arguments: ["resp.encoding", "resp.body.unparsable", "req.encoding", "req.body.unparsable"])
  func `findings about a whole body have one cause for each message`(id: String) throws {
    let rule = try #require(Rule.named(id))
    let report = Reports.report(
      ["a byte order mark", "a repeated key", "a byte order mark"].map { message in
        var finding = Self.broken("/a", in: "/pets")
        finding.diagnostic.rule = rule
        finding.message = message
        return finding
      })
    #expect(report.causes.map(\.first.message) == ["a byte order mark", "a repeated key"])
  }

  @Test func `another status is another cause`() {
    let report = Reports.report([Self.broken("/a", in: "/pets"), Self.broken("/a", in: "/pets", status: "404")])
    #expect(report.causes.count == 2)
  }

  @Test func `findings without a place of the contract have one cause for each message`() {
    let report = Reports.report([Reports.finding("a"), Reports.finding("b"), Reports.finding("a")])
    #expect(report.causes.map { $0.findings.count } == [2, 1])
  }

  @Test func `new causes are sorted by severity`() {
    var known = Reports.finding("known")
    known.isKnown = true
    let report = Reports.report([Reports.finding("a", severity: .info), known, Reports.finding("b")])
    #expect(report.newCauses.map(\.first.message) == ["b", "a"])
    #expect(report.causes.map(\.first.message) == ["a", "known", "b"])
  }
}
