import Foundation
import Testing
import UnderstudyReport
import UnderstudyTestSupport

struct ReportFormatTests {
  /// The files of `Tests/Reports` are `sample.json` in each format; `UNDERSTUDY_RECORD=1` rewrites them.
  @Test(arguments: ReportFormat.allCases) func `a whole report equals the recorded file`(
    _ format: ReportFormat
  ) throws {
    let name = "Tests/Reports/sample.\(Self.extensions[format] ?? "")"
    let text = format.text(of: try Reports.sample(), ReportContext())
    if ProcessInfo.processInfo.environment["UNDERSTUDY_RECORD"] == "1" {
      try Data(text.utf8).write(to: URL(filePath: Project.path(name)))
    }
    #expect(text == (try Project.text(name)))
  }

  private static let extensions: [ReportFormat: String] = [
    .text: "txt", .json: "json", .junit: "xml", .sarif: "sarif", .github: "github", .gitlab: "gitlab.json",
    .markdown: "md", .html: "html",
  ]

  /// Everything hostile at every place that holds text, and a message that quotes a body of a megabyte.
  private static func hostile(_ texts: [String] = Reports.hostile) -> Report {
    Reports.report { report in
      report.cases = texts.enumerated().map { number, text in
        let subject = Report.Subject(contract: text, operation: text, method: "GET", path: "/\(text)", status: "200")
        let place = Location(
          path: text, line: 3, column: 2, pointer: "/\(text)", excerpt: Excerpt(text: text, offset: 1, length: 1))
        var finding = Reports.finding(
          text, at: place, notes: [.init(text, at: place)], about: subject, reproduction: "curl \(text)")
        if number % 2 != 0 { finding.diagnostic.rule = Rule(text, .error, owner: .provider, "", help: "") }
        finding.help = text
        return Report.Case(
          subject, text, outcome: number % 3 == 0 ? .failedToRun(text) : .validated, findings: [finding])
      }
      report.cases.append(Report.Case(Reports.subject, "a body", findings: [Reports.finding(body)]))
      for text in texts {
        report.skip(text)
        report.remarks.append(text)
        report.run.contracts.append(.init(text))
      }
      report.run.command = texts[0]
      report.run.target = texts[1]
      report.run.seed = texts[3]
    }
  }

  private static let body = String(repeating: "0123456789 <&>\n", count: 70_000)

  @Test(arguments: ReportFormat.allCases) func `a note without a place is in every format`(_ format: ReportFormat) {
    let finding = Reports.finding("too often", notes: [.init("request 1: GET /pets"), .init("request 5: GET /pets")])
    let text = format.text(of: Reports.report([finding]), ReportContext())
    #expect(text.contains("request 1: GET /pets") && text.contains("request 5: GET /pets"), "\(text)")
  }

  @Test(arguments: ReportFormat.allCases) func `a body of a megabyte is shortened`(_ format: ReportFormat) {
    let text = format.text(of: Reports.report([Reports.finding(Self.body)]), ReportContext())
    #expect((text.utf8.count < 60_000) == (format != .json))
  }

  @Test(arguments: ReportFormat.allCases) func `no format lets a control character through`(_ format: ReportFormat) {
    let text = format.text(of: Self.hostile(), ReportContext())
    let hidden = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0x09: format != .html && format != .junit
      case 0..<0x20: true
      // JSON may contain these characters, and our reports must not change findings.
      case 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: format != .json
      default: false
      }
    }
    #expect(hidden.isEmpty)
  }

  @Test(arguments: [ReportFormat.text, .junit, .github])
  func `no line break of a text begins a line, which might be a command to a CI system`(_ format: ReportFormat) {
    let breaks = ["\n", "\r\n", "\u{2028}", "\u{85}"]
    let texts = breaks.map { "a\($0)::stop-commands::forged\($0)##[error]forged" }
    let text = format.text(of: Self.hostile(texts), ReportContext())
    #expect(text.contains("stop-commands"))
    for bytes in text.utf8.split(separator: 0x0A) {
      let line = String(decoding: bytes, as: UTF8.self)
      #expect(!line.hasPrefix("::stop") && !line.hasPrefix("##["), "\(line)")
    }
  }

  @Test func `a hostile report survives JSON`() throws {
    let report = Self.hostile()
    let read = try Reports.read(ReportFormat.json.text(of: report, ReportContext()))
    #expect(read.cases == report.cases)
    #expect(read.notValidated == report.notValidated)
    #expect(read.remarks.map { Array($0.utf8) } == report.remarks.map { Array($0.utf8) })
  }

  @Test func `no line of the annotations is forged`() {
    let lines = ReportFormat.github.text(of: Self.hostile(), ReportContext()).split(separator: "\n")
    let annotations = lines.filter { $0.hasPrefix("::") }
    #expect(annotations.count == 10)
    #expect(annotations.allSatisfy { $0.hasPrefix("::error file=") })
    #expect(lines.dropFirst(10).map { $0.prefix(7) } == ["1 more;", "checked", "verdict"])
  }

  @Test func `annotations are escaped as the runner unescapes them`() {
    let finding = Reports.finding("100 %\r\na:b,c", at: Location(path: "a,b:c%.json", line: 2, column: 3))
    let text = ReportFormat.github.text(of: Reports.report([finding]), ReportContext())
    #expect(
      text.split(separator: "\n").first
        == "::error file=a%2Cb%3Ac%25.json,line=2,endLine=2,col=3,title=resp.body.schema · GET /pets/{id} 200::100 %25\\u{D}\\u{A}a:b,c"
    )
  }

  @Test func `ten causes of each severity are annotated, errors first`() {
    let findings = (0..<25).map { number in
      Reports.finding("finding \(number)", severity: number < 12 ? .warning : .error)
    }
    let lines = ReportFormat.github.text(of: Reports.report(findings), ReportContext()).split(separator: "\n")
    #expect(lines.prefix(10).allSatisfy { $0.hasPrefix("::error ") })
    #expect(lines.dropFirst(10).prefix(10).allSatisfy { $0.hasPrefix("::warning ") })
    #expect(lines[20].hasPrefix("5 more;"))
    #expect(lines.count == 23)
  }

  @Test func `a summary fits in a comment`() {
    let long = String(repeating: "long ", count: 100)
    let findings = (0..<3_000).map { Reports.finding("finding \($0) \(long)") }
    var report = Reports.report(findings)
    for number in 0..<500 { report.skip("reason \(number) \(long)") }
    let text = ReportFormat.markdown.text(of: report, ReportContext())
    #expect(text.utf8.count < 60_000)
    #expect(text.contains("further causes are omitted"))
    #expect(text.contains("Not validated:"))
  }

  @Test func `a summary has neither mentions nor links`() {
    let text = ReportFormat.markdown.text(
      of: Reports.report([Reports.finding("@team see #1, http://evil.example and <img src=x>")]), ReportContext())
    let row = text.split(separator: "\n").first { $0.hasPrefix("| 🔴 error") } ?? ""
    #expect(
      row.hasPrefix(
        "| 🔴 error | @\u{200B}team see \\#\u{200B}1, http:\u{200B}//evil.example and \\<img src=x\\><br>`resp.body.schema` |"
      ))
  }

  @Test func `a report without cases has a testcase`() {
    let report = Reports.report { $0.cases = [] }
    let text = ReportFormat.junit.text(of: report, ReportContext())
    #expect(text.contains("<testsuites name=\"understudy verify fixtures\" tests=\"1\" failures=\"0\" errors=\"1\""))
    #expect(text.contains("<error message=\"nothing was checked\" type=\"incomplete\"></error>"))
  }

  @Test func `testcases of one name are numbered`() {
    let report = Reports.report { $0.cases += $0.cases }
    let text = ReportFormat.junit.text(of: report, ReportContext())
    #expect(text.contains("name=\"200 fixture 200.json\""))
    #expect(text.contains("name=\"200 fixture 200.json (2)\""))
  }

  @Test func `--fail-on determines the failures`() {
    let report = Reports.report([Reports.finding(severity: .warning)])
    #expect(ReportFormat.junit.text(of: report, ReportContext()).contains("failures=\"0\""))
    #expect(ReportFormat.junit.text(of: report, ReportContext(failOn: .warning)).contains("failures=\"1\""))
  }

  @Test func `equal findings have different fingerprints in GitLab and SARIF`() throws {
    let report = Reports.report([Reports.finding(), Reports.finding()])
    let quality = try SchemaText.parse(ReportFormat.gitlab.text(of: report, ReportContext()))
    #expect(Set(quality.elements.compactMap { $0["fingerprint"]?.string }).count == 2)
    let log = try SchemaText.parse(ReportFormat.sarif.text(of: report, ReportContext()))
    let results = log["runs"]?[0]?["results"]
    #expect(results?[1]?["partialFingerprints"]?["primaryLocationLineHash"]?.string?.hasSuffix(":2") == true)
  }

  @Test(arguments: [ReportFormat.junit, .sarif, .gitlab, .github])
  func `a finding without a file is shown in the file of its contract, under any name`(
    _ format: ReportFormat
  ) throws {
    let report = Reports.report([Reports.finding(at: nil)]) {
      $0.run.contracts = [.init("v1/shop.yaml", name: "old"), .init("v2/api.yaml", name: "shop")]
    }
    let read = try Reports.read(ReportFormat.json.text(of: report, ReportContext()))
    for report in [report, read] {
      let text = format.text(of: report, ReportContext())
      #expect(text.contains("v2/api.yaml") && !text.contains("v1/shop.yaml"), "\(text)")
    }
  }

  @Test func `paths are relative to the root of the repository`() throws {
    let paths = RepositoryPaths(workingFolder: "/ci/work/api", root: "/ci/work/")
    let report = Reports.report([Reports.finding(at: Location(path: "./a b/../é.yaml", line: 1))])
    let log = try SchemaText.parse(ReportFormat.sarif.text(of: report, ReportContext(paths: paths)))
    let artifact = log["runs"]?[0]?["results"]?[0]?["locations"]?[0]?["physicalLocation"]?["artifactLocation"]
    #expect(artifact?["uri"]?.string == "api/%C3%A9.yaml")
    #expect(paths.path("../specs/a.yaml") == "specs/a.yaml")
    #expect(paths.path("/ci/work/b.yaml") == "b.yaml")
    #expect(paths.path("/elsewhere/b.yaml") == "/elsewhere/b.yaml")
    #expect(RepositoryPaths().path("./a/b.yaml") == "a/b.yaml")
  }
}
