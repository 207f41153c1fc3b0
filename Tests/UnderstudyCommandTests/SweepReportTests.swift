import Foundation
import Testing
import UnderstudyTestSupport

/// The reports of a sweep, and the options that select its variants.
@Suite(.waitsForProcesses)
struct SweepReportTests {
  private static let hostile = [
    "required-null /name", "required-missing /name", "additional-member", "wrong-type", "wrong-type /name",
    "long-text /name", "html", "truncated-body", "empty-body", "byte-order-mark", "utf-16", "undocumented-status 299",
    "redirect 302", "slow", "drip", "stall", "invalid-utf8", "duplicate-headers", "conflicting-headers", "cut", "reset",
    "reset head", "close", "close head", "garbage", "reset after-head", "reset body", "close after-head",
    "wrong-length 1", "bad-chunk",
  ]

  /// With these a client should not have ended with 0.
  private static let swallowed = ["html", "truncated-body", "empty-body", "close head"]

  /// The reports of one sweep by their formats, with an expectation that is not met.
  private static let reports = Result { () throws -> [String: String] in
    try withProject(Shop.files.merging(["sweep.yaml": "readPet: {status 404: passes}"]) { _, new in new }) { folder in
      let result = try Command.run(
        Command.path,
        [
          "sweep", "shop.yaml", "--jobs", "4", "--seed", "of this test", "--expect-file", "sweep.yaml", "--format",
          "junit", "--report", "json=report.json", "--report", "html=report.html", "--", "sh", "-c",
          SweepCommandTests.curl,
        ],
        in: folder, environment: ["GITHUB_WORKSPACE": "", "CI_PROJECT_DIR": ""])
      #expect(result.code == 1, "\(result)")
      func text(_ file: String) throws -> String { try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8) }
      return ["junit": result.output, "json": try text("report.json"), "html": try text("report.html")]
    }
  }

  private static func report(_ format: String) throws -> String { try reports.get()[format] ?? "" }

  @Test func `JUnit has a case for each variant, and the findings of each`() throws {
    func testcase(_ name: String, _ inner: String = "") -> String {
      let start = "    <testcase name=\"\(name)\" classname=\"shop.GET /pets/{id}\" time=\"N\""
      return inner.isEmpty ? "\(start)/>\n" : "\(start)>\n      \(inner)\n    </testcase>\n"
    }
    let unexpected = "status 404: expected exit code 0, found exit 22"
    let failure = "<failure message=\"\(unexpected)\" type=\"sweep.unexpected\">error: \(unexpected) [sweep.unexpected]"
    var cases = testcase("200 status 200 found") + testcase("404 status 404", failure + "</failure>")
    for name in Self.hostile {
      let warning = "warning: \(name): expected a failure, found exit 0 [sweep.swallowed]"
      cases += testcase(name, Self.swallowed.contains(name) ? "<system-out>\(warning)</system-out>" : "")
    }
    let found = try Self.report("junit").replacing(/time="[0-9.]+"/, with: "time=\"N\"")
      .replacing(/timestamp="[^"]+"/, with: "timestamp=\"TIME\"")
      .replacing(/"version" value="[^"]+"/, with: "\"version\" value=\"V\"")
    #expect(
      found == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="understudy sweep" tests="32" failures="1" errors="0" time="N">
          <testsuite name="GET /pets/{id}" tests="32" failures="1" errors="0" skipped="0" time="N" timestamp="TIME" id="0" \
        file="shop.yaml">
            <properties>
              <property name="target" value="sh -c &#39;curl -sf &quot;$UNDERSTUDY_BASE_URL/pets/1&quot; &gt; /dev/null&#39;"/>
              <property name="seed" value="of this test"/>
              <property name="version" value="V"/>
            </properties>
        \(cases)  </testsuite>
        </testsuites>

        """)
  }

  @Test func `JSON has the run, a case for each variant, and the coverage`() throws {
    let text = try Self.report("json")
    #expect(try SchemaText.failures(Project.text("specs/report.schema.json"), text) == [])
    let report = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let run = report["run"] as? [String: Any] ?? [:]
    let (command, seed) = (run["command"] as? String, run["seed"] as? String)
    #expect(command == "sweep" && seed == "of this test")
    let cases = report["cases"] as? [[String: Any]] ?? []
    let names = cases.map { $0["name"] as? String ?? "" }
    #expect(names == ["status 200 found", "status 404"] + Self.hostile)
    // Only documented statuses are cells.
    let statuses = cases.compactMap { $0["status"] as? String }
    #expect(statuses == ["200", "404"])
    let findings = cases.flatMap { $0["findings"] as? [[String: Any]] ?? [] }
    let rules = findings.map { $0["rule"] as? String ?? "" }
    #expect(rules == ["sweep.unexpected"] + Self.swallowed.map { _ in "sweep.swallowed" })
    let rows = (report["coverage"] as? [String: Any])?["rows"] as? [[String: Any]] ?? []
    let marks = rows.map { $0["marks"] as? [String] ?? [] }
    #expect(marks == [["served"], ["served"]])
  }

  @Test func `HTML has the findings and the matrix of coverage`() throws {
    let page = try Self.report("html")
    #expect(page.contains("<h1>understudy sweep</h1>\n<p class=\"verdict failed\">failed: 1 error</p>"))
    for text in [
      "<code>sweep.unexpected</code>", "<p>status 404: expected exit code 0, found exit 22</p>",
      "<code>sweep.swallowed</code>", "<p>html: expected a failure, found exit 0</p>", "<h2>Coverage</h2>",
      "<li><b>100 %</b> served<br><small>2 of 2</small></li>", "seed <code>of this test</code>",
    ] { #expect(page.contains(text), "\(text)") }
    #expect(page.hasSuffix("</html>\n"))
  }

  // MARK: - Options

  /// An object with more members than a sweep changes.
  private static let wide = """
    openapi: 3.1.0
    info: {title: Wide, version: "1"}
    paths:
      /wide:
        get:
          operationId: readWide
          responses:
            "200":
              description: Wide.
              content:
                application/json:
                  schema: {type: object, additionalProperties: {type: integer}}
                  example: {\((10..<34).map { "m\($0): 1" }.joined(separator: ", "))}

    """

  /// The members that a sweep takes away, one after the other.
  private static func missing(_ options: String...) throws -> [String] {
    try withProject(["wide.yaml": wide]) { folder in
      let client = "curl -s \"$UNDERSTUDY_BASE_URL/wide\" > /dev/null"
      let result = try Command.run(
        Command.path, ["sweep", "wide.yaml", "--jobs", "8"] + options + ["--", "sh", "-c", client], in: folder)
      return result.output.matches(of: #/optional-missing /(m\d+) /#).map { String($0.1) }
    }
  }

  @Test func `another seed selects other members`() throws {
    let first = try Self.missing()
    #expect(first == (10..<22).map { "m\($0)" })
    let other = try Self.missing("--seed", "b")
    #expect(other.count == 12 && other != first)
  }

  @Test func `an unknown operation is refused with a suggestion, before the command runs`() throws {
    let result = try SweepCommandTests.sweep("echo ran", "--operation", "readPte")
    #expect(
      result.error == """
        error: `--operation readPte` names no operation of the contract
          help: did you mean `readPet`?

        """)
    #expect(result.output == "" && result.code == 2)
  }

  // MARK: - Statuses without a number

  @Test func `a range and the default are rows of the table, and of a file of expectations`() throws {
    let contract = Shop.contract.replacing(
      "\"404\": {description: No such pet.}",
      with: """
        "404": {description: No such pet.}
                "4XX": {description: Refused.}
                default: {description: Broken.}
        """)
    let result = try SweepCommandTests.sweep(
      SweepCommandTests.curl, "--expect-file", "sweep.yaml",
      files: ["shop.yaml": contract, "sweep.yaml": "readPet: {status 4XX: fails, status 5XX: passes}"])
    #expect(
      result.output.hasPrefix(
        """
        readPet
          status 200 found         exit 0
          status 404               exit 22
          status 4XX               exit 22
          status default           exit 22
          required-null /name      exit 0

        """), "\(result)")
    let found = result.output.split(separator: "\n").filter { $0.contains("[sweep.unexpected]") }
    #expect(found == ["error: status default: expected exit code 0, found exit 22 [sweep.unexpected]"])
    #expect(result.output.contains("coverage: of 4 documented answers served 4 (100 %)"), "\(result)")
  }
}
