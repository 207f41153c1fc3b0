import Testing
import UnderstudyReport
import UnderstudyTestSupport

struct JSONReportTests {
  @Test func `a report survives writing and reading`() throws {
    let report = try Reports.sample()
    let again = try Reports.read(ReportFormat.json.text(of: report, ReportContext()))
    #expect(again.run == report.run)
    #expect(again.cases == report.cases)
    #expect(again.notValidated == report.notValidated)
    #expect(again.remarks == report.remarks)
    #expect(again.coverage == report.coverage)
    #expect(report.coverage?.rows.isEmpty == false)
  }

  @Test func `the schema accepts our reports and defines every member`() throws {
    let schema = try Project.text("specs/report.schema.json")
    let strict = schema.replacing(
      "\"type\": \"object\",", with: "\"type\": \"object\", \"additionalProperties\": false,")
    #expect(try SchemaText.failures(schema, ReportFormat.json.text(of: Reports.report(), ReportContext())) == [])
    #expect(try SchemaText.failures(strict, try Project.text("Tests/Reports/sample.json")) == [])
    #expect(try SchemaText.failures(schema, #"{"format": 2}"#).count > 3)
  }

  private static let whole = #"""
    {"format": 1, "tool": {"name": "understudy"}, "run": {"command": "verify live", "contracts": [], "startedAt": "", "seconds": 0},
    "cases": [{"contract": "shop", "name": "a", "outcome": "validated", "checked": 1, "seconds": 0, "findings": []}],
    "notValidated": [], "remarks": []}
    """#

  @Test(arguments: [
    ("[]", "this is not a JSON report of understudy", 1),
    (#"{"version": "2.1.0", "runs": []}"#, "this is not a JSON report of understudy", 1),
    (
      whole.replacing(#""format": 1"#, with: #""format": 2"#),
      "this report has format 2, but this version reads format 1", 1
    ),
    (
      whole.replacing(#""outcome": "validated""#, with: #""outcome": "fine""#),
      "expected one of `validated`, `skipped`, `failedToRun` for `outcome`", 2
    ),
    (
      whole.replacing(#""contracts": []"#, with: #""contracts": [], "contractNames": ["shop"]"#),
      "expected one of `contractNames` for each of `contracts`", 1
    ),
    (whole.replacing(#""outcome": "validated""#, with: #""outcome": "skipped""#), "`reason` is missing", 2),
    (
      whole.replacing(#""checked": 1"#, with: #""checked": -1"#),
      "expected a whole number from 0 to 1000000000000 for `checked`", 2
    ),
    (
      whole.replacing(#""checked": 1"#, with: #""checked": 1e300"#),
      "expected a whole number from 0 to 1000000000000 for `checked`", 2
    ),
    (whole.replacing(#""seconds": 0}"#, with: #""seconds": 1e300}"#), "expected seconds for `seconds`", 1),
    (
      whole.replacing(#""notValidated": []"#, with: #""notValidated": {}"#),
      "expected an array for `notValidated`, found object", 3
    ),
    (whole.replacing(#""remarks": []"#, with: #""remarks": [7]"#), "expected text, found number", 3),
    (whole.replacing(#""findings": []"#, with: #""findings": [[]]"#), "expected an object, found array", 2),
  ])
  func `an invalid report is reported with a position`(_ text: String, _ message: String, _ line: Int) {
    let problem = #expect(throws: RecordProblem.self) { try Reports.read(text) }
    #expect(problem?.message == message)
    #expect(problem?.location.start?.line == line)
  }

  @Test func `members that a later version added are left aside`() throws {
    let report = try Reports.read(Self.whole.replacing(#""checked": 1"#, with: #""checked": 1, "new": {}"#))
    #expect(report.checked == 1)
  }

  @Test func `an excerpt cannot ask for a million blanks`() {
    let excerpt = #""place": {"line": 1, "excerpt": {"text": "", "offset": 100000000, "length": 1}}, "findings": []"#
    let problem = #expect(throws: RecordProblem.self) {
      try Reports.read(Self.whole.replacing(#""findings": []"#, with: excerpt))
    }
    #expect(problem?.message == "expected a whole number from 0 to 1000 for `offset`")
  }
}
