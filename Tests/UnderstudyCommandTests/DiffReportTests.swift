import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// The severities, baselines and formats of `understudy diff`.
@Suite(.waitsForProcesses)
struct DiffReportTests {
  private static let changed = Shop.contract.replacing("name: {type: string}", with: "name: {type: integer}")
  private static let files = ["old.yaml": Shop.contract, "new.yaml": changed]

  // MARK: - Severities

  @Test func `levels and --fail-on choose what fails`() throws {
    let levels = ["levels.yaml": "diff.response.type: warning\n", "off.yaml": "diff.response.type: off\n"]
    try withProject(Self.files.merging(levels) { $1 }) { (folder) throws in
      func code(_ arguments: String...) throws -> Int32 {
        try Command.run(Command.path, ["diff", "old.yaml", "new.yaml"] + arguments, in: folder).code
      }
      #expect(try code() == 1)
      #expect(try code("--levels", "levels.yaml") == 0)
      #expect(try code("--levels", "levels.yaml", "--fail-on", "warning") == 1)
      #expect(try code("--levels", "levels.yaml", "--fail-on", "any") == 1)
      #expect(try code("--levels", "off.yaml", "--fail-on", "any") == 0)
    }
  }

  @Test func `mistakes in a file of levels are reported with their places`() throws {
    let levels = """
      diff.response.tpye: error
      diff.response.type: high
      diff.param.added: off
      diff.param.added: info
      resp.body.schema: error
      """
    try withProject(Self.files.merging(["levels.yaml": levels, "list.yaml": "- a\n"]) { $1 }) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", "--levels", "levels.yaml", in: folder)
      #expect(
        result.error == """
          levels.yaml:1:1: error: unknown rule `diff.response.tpye` [config.unknown-key]
            1 | diff.response.tpye: error
              | ^^^^^^^^^^^^^^^^^^
            help: did you mean `diff.response.type`?
          levels.yaml:2:21: error: unknown severity `high`: expected `error`, `warning`, `info` or `off` [config.invalid]
            2 | diff.response.type: high
              |                     ^^^^
          levels.yaml:4:1: error: the rule `diff.param.added` has a severity already: expected each rule once [config.invalid]
            4 | diff.param.added: info
              | ^^^^^^^^^^^^^^^^
          levels.yaml:5:1: error: unknown rule `resp.body.schema` [config.unknown-key]
            5 | resp.body.schema: error
              | ^^^^^^^^^^^^^^^^
            help: `understudy explain 'diff.*'` lists them

          """)
      #expect(result.code == 2)
      let list = try Command.run("diff", "old.yaml", "new.yaml", "--levels", "list.yaml", in: folder)
      #expect(
        list.error.hasPrefix(
          "list.yaml:1:1: error: expected a rule and its severity on each line, as in `diff.param.removed: error`"),
        "\(list.error)")
      #expect(list.code == 2)
      let missing = try Command.run("diff", "old.yaml", "new.yaml", "--levels", "none.yaml", in: folder)
      #expect(missing.error.hasPrefix("error: none.yaml: no such file or folder\n"), "\(missing.error)")
      #expect(missing.code == 2)
    }
  }

  @Test func `policies protect readers that ignore new values, and generated code`() throws {
    let old = Shop.contract.replacing("{type: string}", with: "{type: string, enum: [a]}")
    let files = [
      "old.yaml": old, "values.yaml": old.replacing("enum: [a]", with: "enum: [a, b]"),
      "names.yaml": old.replacing("readPet", with: "readAnimal"),
    ]
    try withProject(files) { folder in
      func code(_ new: String, _ policy: String) throws -> Int32 {
        try Command.run("diff", "old.yaml", new, "--policy", policy, "--fail-on", "warning", in: folder).code
      }
      #expect(try code("values.yaml", "contract") == 1)
      #expect(try code("values.yaml", "tolerant-reader") == 0)
      #expect(try code("names.yaml", "contract") == 0)
      #expect(try code("names.yaml", "codegen") == 1)
      let unknown = try Command.run("diff", "old.yaml", "names.yaml", "--policy", "code", in: folder)
      #expect(unknown.code == 2)
    }
  }

  // MARK: - Baselines

  @Test func `a baseline accepts findings until a day`() throws {
    try withProject(Self.files) { folder in
      let arguments = ["diff", "old.yaml", "new.yaml", "--baseline", "known.yaml"]
      func baseline() throws -> String { try String(contentsOfFile: folder + "/known.yaml", encoding: .utf8) }
      func accept(_ day: String) throws {
        let text = try baseline().replacing(/(, until: "[^"]*")?}\n$/, with: ", until: \"\(day)\"}\n")
        try text.write(toFile: folder + "/known.yaml", atomically: true, encoding: .utf8)
      }
      let update = try Command.run(Command.path, arguments + ["--update-baseline"], in: folder)
      let known = """
        remark: the changes call for a new major version: `info.version` was 1, is 1
        checked: 2 in 2 cases, N ms
        not validated: 0
        found: 0 errors, 0 warnings, 0 notes; known from the baseline: 1
        target: old.yaml
        verdict: passed

        """
      #expect(steady(update.output) == known)
      #expect(update.code == 0)
      try accept("2999-01-31")
      let accepted = try Command.run(Command.path, arguments, in: folder)
      #expect(steady(accepted.output) == known)
      #expect(accepted.code == 0)
      try accept("2020-01-31")
      let expired = try Command.run(Command.path, arguments, in: folder)
      #expect(
        steady(expired.output).hasSuffix(
          """
          remark: the changes call for a new major version: `info.version` was 1, is 1
          remark: known.yaml has 1 expired finding, such as diff.response.type at GET /pets/{id} 200, accepted until 2020-01-31: fix it, or write a later day there
          checked: 2 in 2 cases, N ms
          not validated: 0
          found: 1 error, 0 warnings, 0 notes
          target: old.yaml
          verdict: failed: 1 error

          """), "\(expired.output)")
      #expect(expired.code == 1)
      // An update accepts nothing for longer.
      #expect(try Command.run(Command.path, arguments + ["--update-baseline"], in: folder).code == 1)
      #expect(try baseline().contains(#"until: "2020-01-31"}"#))
      try accept("soon")
      let wrong = try Command.run(Command.path, arguments, in: folder)
      #expect(wrong.error.contains("error: `until` is not a day: expected one such as `2027-01-31`"), "\(wrong.error)")
      #expect(wrong.code == 2)
    }
  }

  @Test func `a report does not replace an input`() throws {
    try withProject(Self.files) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", "--report", "json=./new.yaml", in: folder)
      #expect(result.error == "error: `--report json=./new.yaml` would replace new.yaml, which this run reads\n")
      #expect(result.code == 2)
    }
  }

  // MARK: - Formats

  @Test func `annotations name lines of the new file, also for what it lacks`() throws {
    let old =
      Shop.contract + """
          /toys:
            get: {responses: {"200": {description: OK}}}

        """
    try withGitProject(["shop.yaml": old]) { project in
      try project.write(Self.changed, to: "shop.yaml")
      let github = try project.diff("HEAD:shop.yaml", "shop.yaml", "--format", "github")
      #expect(
        github.output == """
          ::error file=shop.yaml,line=15,endLine=15,col=82,endColumn=89,title=diff.response.type · GET /pets/{id} 200::response body `/name`: the type is now `integer`, was `string`%0AHEAD:shop.yaml:15:82: before%0Afor example, `{"name":1}` is valid now, and was not before
          ::error file=shop.yaml,line=3,endLine=3,col=1,endColumn=6,title=diff.operation.removed · GET /toys::`GET /toys` was removed%0AHEAD:shop.yaml:20:5: before
          checked: 3 in 3 cases; not validated: 0; found: 2 errors, 0 warnings, 0 notes
          verdict: failed: 2 errors

          """, "\(github.error)")
      let gitlab = try project.diff("HEAD:shop.yaml", "shop.yaml", "--format", "gitlab")
      let issues = try #require(
        try JSONSerialization.jsonObject(with: Data(gitlab.output.utf8)) as? [[String: Any]], "\(gitlab.output)")
      let lines = issues.map { issue -> String in
        let location = issue["location"] as? [String: Any]
        let start =
          (location?["lines"] as? [String: Any])?["begin"]
          ?? ((location?["positions"] as? [String: Any])?["begin"] as? [String: Any])?["line"]
        return "\(location?["path"] ?? ""):\(start ?? "")"
      }
      #expect(lines.sorted() == ["shop.yaml:15", "shop.yaml:3"], "\(gitlab.output)")
      let sarif = try project.diff("HEAD:shop.yaml", "shop.yaml", "--format", "sarif")
      let log = try JSONParser.parse(Array(sarif.output.utf8)).root
      let results = log["runs"]?.elements.first { _ in true }?["results"]?.elements.map { result -> String in
        let place = result["locations"]?.elements.first { _ in true }?["physicalLocation"]
        return "\(place?["artifactLocation"]?["uri"]?.text ?? ""):\(place?["region"]?["startLine"]?.text ?? "")"
      }
      #expect(results?.sorted() == ["shop.yaml:15", "shop.yaml:3"], "\(sarif.output)")
    }
  }

  @Test(arguments: ReportFormat.allCases.map(\.rawValue)) func `every format shows the break`(_ format: String) throws {
    try withProject(Self.files) { folder in
      let result = try Command.run(
        "diff", "old.yaml", "new.yaml", "--format", format, "--report", "\(format)=file", in: folder)
      #expect(result.output.contains("diff.response.type"), "\(result.output)")
      #expect(result.code == 1)
      let file = try String(contentsOfFile: folder + "/file", encoding: .utf8)
      #expect(file.contains("diff.response.type"), "\(file)")
    }
  }

  @Test func `a report of a comparison is merged with others`() throws {
    try withProject(Self.files) { folder in
      #expect(try Command.run("diff", "old.yaml", "new.yaml", "--report", "json=a.json", in: folder).code == 1)
      #expect(try Command.run("diff", "old.yaml", "old.yaml", "--report", "json=b.json", in: folder).code == 0)
      let merged = try Command.run("report", "merge", "a.json", "b.json", in: folder)
      #expect(merged.output.contains("found: 1 error, 0 warnings, 0 notes\n"), "\(merged.output)\(merged.error)")
      #expect(merged.code == 1)
    }
  }

  // MARK: - Changelogs

  @Test func `the changelog is Markdown by operation, with breaking changes first`() throws {
    let old =
      Shop.contract + """
          /toys:
            get: {responses: {"200": {description: OK}}}

        """
    let new = Shop.contract.replacing(
      "        \"404\":", with: "        \"410\": {description: Gone.}\n        \"404\":")
    try withProject(["old.yaml": old, "new.yaml": new]) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", "--changelog", in: folder)
      #expect(
        result.output == """
          **1 breaking change**, 1 other

          ### `GET /toys`

          - **breaking:** `GET /toys` was removed

          ### `GET /pets/{id}`

          - `410`: the response `410` was added

          """)
      #expect(result.error == "exit 1: failed: 1 error, by `--fail-on error`\n")
      #expect(result.code == 1)
      let equal = try Command.run("diff", "old.yaml", "old.yaml", "--changelog", in: folder)
      #expect(equal.output == "No changes.\n")
      #expect(equal.code == 0)
      let format = try Command.run("diff", "old.yaml", "new.yaml", "--changelog", "--format", "html", in: folder)
      #expect(format.error.contains("remove `--format html`"), "\(format.error)")
      #expect(format.code == 2)
    }
  }

  @Test func `a changelog of thousands of changes fits a comment, and counts the rest`() throws {
    let properties = (0..<50).map { "p\($0): {type: string}" }.joined(separator: ", ")
    let paths = (0..<80).map { number in
      """
        /toys/\(number):
          get:
            responses:
              "200":
                description: A toy.
                content: {application/json: {schema: {type: object, properties: {\(properties)}}}}

      """
    }
    let old = Shop.contract + paths.joined()
    let new = old.replacing("{type: string}", with: "{type: integer}").replacing(
      "        \"404\":", with: "        \"410\": {description: Gone.}\n        \"404\":")
    try withProject(["old.yaml": old, "new.yaml": new]) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", "--changelog", in: folder)
      let text = result.output
      #expect(text.hasPrefix("**4001 breaking changes**, 1 other\n\n### `GET /pets/{id}`\n\n- **breaking:** `200`: "))
      #expect(text.unicodeScalars.count < 65_536)
      #expect(text.utf8.count > 50_000)
      let lines = text.split(separator: "\n").count { $0.hasPrefix("- ") }
      #expect(text.hasSuffix("\n\n... and \(4_002 - lines) more changes\n"), "\(text.suffix(200))")
      let markdown = try Command.run("diff", "old.yaml", "new.yaml", "--format", "markdown", in: folder)
      #expect(markdown.output.unicodeScalars.count < 65_536)
    }
  }

  @Test func `names in a changelog make no markup`() throws {
    let old = Shop.contract.replacing(
      "name: {type: string}", with: "name: {type: string}, \"@all <b>#1\": {type: string}")
    let new = old.replacing("#1\": {type: string}", with: "#1\": {type: integer}")
    try withProject(["old.yaml": old, "new.yaml": new]) { folder in
      let text = try Command.run("diff", "old.yaml", "new.yaml", "--changelog", in: folder).output
      #expect(text.contains("response body `/@all <b>#1`: the type is now `integer`, was `string`"), "\(text)")
    }
  }

  // MARK: - Versions

  @Test(arguments: [
    ("1.4.0", "1.5.0", "major"), ("1.4.0", "2.0.0", nil), ("0.4.0", "0.5.0", nil), ("0.4.0", "0.4.0", "major"),
    ("v1", "v1", "major"), ("1.0", "1.0.0", "major"), ("2024-01-31", "2024-02-29", nil), ("2024.1", "2024.2", nil),
    ("1.0.0-rc1", "1.0.0-rc1", nil), ("", "", nil),
  ]) func `a version that does not follow from a break is remarked`(
    _ old: String, _ new: String, _ step: String?
  ) throws {
    func versioned(_ contract: String, _ version: String) -> String {
      contract.replacing("version: \"1\"", with: "version: \"\(version)\"")
    }
    try withProject(["old.yaml": versioned(Shop.contract, old), "new.yaml": versioned(Self.changed, new)]) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", in: folder)
      let remark = step.map {
        "remark: the changes call for a new \($0) version: `info.version` was \(old), is \(new)\n"
      }
      #expect(result.output.contains("info.version") == (remark != nil), "\(result.output)")
      if let remark { #expect(result.output.contains(remark), "\(result.output)") }
    }
  }
}
