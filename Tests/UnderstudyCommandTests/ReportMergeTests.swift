import Foundation
import Testing
import UnderstudyTestSupport

struct ReportMergeTests {
  private static let case_ = #"""
    {"contract": "shop", "operation": "getPet", "method": "GET", "path": "/pets/{id}", "status": "200",
     "name": "fixture 200.json", "outcome": "validated", "checked": 3, "seconds": 0.001, "findings": [FINDINGS]}
    """#
  private static let finding = #"""
    {"rule": "resp.body.schema", "severity": "error", "owner": "provider", "message": "expected string, found number 7",
     "place": {"file": "fixtures/shop/getPet/200.json", "line": 1, "column": 10, "endLine": 1, "endColumn": 11, "pointer": "/name",
       "excerpt": {"text": "{\"name\": 7}", "offset": 9, "length": 1}},
     "count": 1, "fingerprint": "00000000000000FP", "known": false}
    """#

  private static func report(
    _ findings: String = "", shard: String? = nil, cases: String = case_, aborted: String? = nil, print: String = "01"
  ) -> String {
    let run =
      #""command": "verify fixtures", "contracts": ["shop.yaml"], "startedAt": "2026-11-21T09:15:00.000Z", "seconds": 0.25"#
      + (shard.map { #", "shard": "\#($0)""# } ?? "") + (aborted.map { #", "abortedBecause": "\#($0)""# } ?? "")
    let items = cases.replacing("FINDINGS", with: findings.replacing("FP", with: print))
    return #"""
      {"format": 1, "tool": {"name": "understudy", "version": "0.1.0"}, "run": {\#(run)},
      "cases": [\#(items)], "notValidated": [], "remarks": []}
      """#
  }

  @Test func `findings are printed and counted, and fail`() throws {
    try withProject(["a.json": Self.report(Self.finding)]) { folder in
      let result = try Command.run("report", "merge", "a.json", in: folder)
      #expect(
        result.output == """
          GET /pets/{id} 200
          fixtures/shop/getPet/200.json:1:10: error: expected string, found number 7 [resp.body.schema]
            1 | {"name": 7}
              |          ^

          checked: 3 in 1 case, 250 ms
          not validated: 0
          found: 1 error, 0 warnings, 0 notes
          verdict: failed: 1 error

          """)
      #expect(result.error == "exit 1: failed: 1 error, by `--fail-on error`\n")
      #expect(result.code == 1)
    }
  }

  @Test func `a valid project ends with 0`() throws {
    try withProject(["a.json": Self.report(shard: "1/2"), "b.json": Self.report(shard: "2/2")]) { folder in
      let result = try Command.run("report", "merge", "b.json", "a.json", in: folder)
      #expect(
        result.output == """
          checked: 6 in 1 case, 500 ms
          not validated: 0
          found: 0 errors, 0 warnings, 0 notes
          verdict: passed

          """)
      #expect(result.error == "")
      #expect(result.code == 0)
    }
  }

  @Test func `half a run is neither good nor bad, and its files are written`() throws {
    try withProject(["a.json": Self.report(Self.finding, aborted: "no connection")]) { folder in
      let result = try Command.run(
        "report", "merge", "a.json", "--format", "gitlab", "--report", "junit=out/deep/report.xml", "--report",
        "html=page.html", in: folder)
      #expect(result.error.hasSuffix("exit 4: incomplete: no connection\n"))
      #expect(result.code == 4)
      #expect(result.output.hasPrefix("[\n  {\n    \"description\": \"GET /pets/{id} 200: expected"))
      let xml = try String(contentsOfFile: folder + "/out/deep/report.xml", encoding: .utf8)
      #expect(xml.contains("<error message=\"incomplete: no connection\" type=\"incomplete\">"))
      #expect(try String(contentsOfFile: folder + "/page.html", encoding: .utf8).hasSuffix("</html>\n"))
    }
  }

  @Test func `a run without checks fails unless --allow-empty`() throws {
    try withProject(["a.json": Self.report(cases: "")]) { folder in
      let result = try Command.run("report", "merge", "a.json", in: folder)
      #expect(result.error == "exit 4: nothing was checked; `--allow-empty` allows that\n")
      #expect(result.code == 4)
      #expect(try Command.run("report", "merge", "a.json", "--allow-empty", in: folder).code == 0)
    }
  }

  @Test func `one part alone is not the whole`() throws {
    try withProject(["a.json": Self.report(shard: "1/3")]) { folder in
      let result = try Command.run("report", "merge", "a.json", in: folder)
      #expect(
        result.error
          == "exit 4: incomplete: verify fixtures in 3 parts (shop.yaml): the report of 2/3, 3/3 is missing\n"
      )
      #expect(result.code == 4)
    }
  }

  @Test func `a missing part is reported`() throws {
    try withProject(["a.json": Self.report(shard: "1/3"), "b.json": Self.report(shard: "3/3")]) { folder in
      let result = try Command.run("report", "merge", "a.json", "b.json", in: folder)
      #expect(
        result.error == "exit 4: incomplete: verify fixtures in 3 parts (shop.yaml): the report of 2/3 is missing\n")
      #expect(result.code == 4)
    }
  }

  @Test func `every invalid report is reported`() throws {
    let files = ["a.json": "{\"format\": 1, ", "b.json": "{\"version\": \"2.1.0\"}", "c.json": Self.report()]
    try withProject(files) { folder in
      let result = try Command.run("report", "merge", "a.json", "b.json", "c.json", "d.json", in: folder)
      #expect(result.output == "")
      #expect(result.error.contains("a.json:1:15: error: this is not a JSON report of understudy: "))
      #expect(result.error.contains("b.json:1:1: error: this is not a JSON report of understudy [config.invalid]"))
      #expect(result.error.contains("d.json: error: no such file or folder [config.unreadable]"))
      #expect(result.code == 2)
    }
  }

  @Test(arguments: [
    ("junt=a.xml", "`--report junt=a.xml` has an unknown format `junt`: did you mean `junit`?"),
    (
      "xml",
      "`--report xml` names no file: expected a format and a file, as in `junit=report.xml`; known formats: text, json,"
    ),
    ("json=", "`--report json=` names no file"),
  ])
  func `an unknown format is reported before the run`(_ argument: String, _ message: String) throws {
    let result = try Command.run("report", "merge", "none.json", "--report", argument)
    #expect(result.error.contains(message), "\(result.error)")
    #expect(result.code == 2)
  }

  @Test func `two reports in one file are refused`() throws {
    let result = try Command.run("report", "merge", "none.json", "--report", "json=a", "--report", "html=a")
    #expect(result.error.contains("`--report json=a` and `--report html=a` are the same file"))
    #expect(result.code == 2)
  }

  @Test func `a report that cannot be written is reported, and the others are written`() throws {
    try withProject(["a.json": Self.report()]) { folder in
      // No file system has names of this length.
      let name = String(repeating: "x", count: 300)
      let result = try Command.run(
        "report", "merge", "a.json", "--report", "json=\(name)", "--report", "text=b.txt", in: folder)
      #expect(result.error.hasPrefix("error: \(name): the report cannot be written: "), "\(result.error)")
      #expect(result.code == 2)
      #expect(FileManager.default.fileExists(atPath: folder + "/b.txt"))
    }
  }

  @Test func `a report replaces an older one`() throws {
    try withProject([
      "a.json": Self.report(), "out.txt": "older and longer than the new one\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
    ]) {
      folder in
      let result = try Command.run("report", "merge", "a.json", "--report", "text=out.txt", in: folder)
      #expect(result.code == 0)
      #expect(try String(contentsOfFile: folder + "/out.txt", encoding: .utf8) == result.output)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.json", "out.txt"])
    }
  }

  // MARK: - Baseline

  @Test func `a baseline is written, known findings pass, new ones fail`() throws {
    let new = Self.report(Self.finding + "," + Self.finding.replacing("FP", with: "02"), print: "01")
    try withProject(["a.json": Self.report(Self.finding), "new.json": new]) { folder in
      let written = try Command.run(
        "report", "merge", "a.json", "--baseline", "known.yaml", "--update-baseline", in: folder)
      #expect(written.code == 0)
      #expect(
        written.output.contains("found: 0 errors, 0 warnings, 0 notes; known from the baseline: 1\nverdict: passed"))
      #expect(
        try String(contentsOfFile: folder + "/known.yaml", encoding: .utf8) == """
          # Known findings: they are shown and counted, but do not fail a run. `--update-baseline` rewrites this file;
          # lines may be removed by hand.
          format: 1
          findings:
          - {rule: "resp.body.schema", subject: "GET /pets/{id} 200", fingerprint: "0000000000000001", message: "expected string, found number 7"}

          """)
      #expect(try Command.run("report", "merge", "a.json", "--baseline", "known.yaml", in: folder).code == 0)
      let result = try Command.run("report", "merge", "new.json", "--baseline", "known.yaml", in: folder)
      #expect(result.output.contains("found: 1 error, 0 warnings, 0 notes; known from the baseline: 1\n"))
      #expect(result.code == 1)
    }
  }

  @Test func `a missing or invalid baseline ends the command before it starts`() throws {
    try withProject(["a.json": Self.report(), "broken.yaml": "format: 1\nfindings:\n<<<<<<< ours\n- {rule: a}\n"]) {
      folder in
      let missing = try Command.run("report", "merge", "a.json", "--baseline", "known.yaml", in: folder)
      #expect(
        missing.error == """
          known.yaml: error: no such file or folder [config.unreadable]
            help: `--update-baseline` writes it

          """)
      #expect(missing.code == 2)
      let broken = try Command.run("report", "merge", "a.json", "--baseline", "broken.yaml", in: folder)
      #expect(broken.error.hasPrefix("broken.yaml:"))
      #expect(broken.error.contains("[config.invalid]"))
      #expect(broken.output == "")
      #expect(broken.code == 2)
      let nameless = try Command.run("report", "merge", "a.json", "--update-baseline", in: folder)
      #expect(nameless.error.contains("`--update-baseline` needs a file: name it with `--baseline FILE`"))
      #expect(nameless.code == 2)
    }
  }

  // MARK: - GitHub

  @Test func `on GitHub there are annotations, and a summary on the page of the job`() throws {
    try withProject(["a.json": Self.report(Self.finding), "summary.md": "# Before\n"]) { folder in
      let result = try Command.run(
        "report", "merge", "a.json", "--format", "github", in: folder,
        environment: ["GITHUB_STEP_SUMMARY": folder + "/summary.md", "GITHUB_WORKSPACE": folder])
      #expect(
        result.output == """
          ::error file=fixtures/shop/getPet/200.json,line=1,endLine=1,col=10,endColumn=11,\
          title=resp.body.schema · GET /pets/{id} 200::expected string, found number 7
          checked: 3 in 1 case; not validated: 0; found: 1 error, 0 warnings, 0 notes
          verdict: failed: 1 error

          """)
      #expect(result.code == 1)
      let summary = try String(contentsOfFile: folder + "/summary.md", encoding: .utf8)
      #expect(summary.hasPrefix("# Before\n## understudy verify fixtures: failed\u{3A} 1 error\n"))
    }
  }
}
