import Foundation
import Testing
import UnderstudyTestSupport

/// Runs over many contracts: by what changed, and with the verdicts of earlier runs.
struct VerifyEstateTests {
  private static func contract(_ name: String) -> String {
    """
    openapi: 3.1.0
    info: {title: \(name), version: "1"}
    paths:
      /x:
        get:
          operationId: read\(name)
          responses:
            "200": {description: OK, content: {application/json: {schema: {$ref: "../common/\(name) types.yaml#/X"}}}}
    """
  }

  /// Two contracts: `a` refers to `base.yaml` by a file with a space in its name, `b` to `other.yaml`.
  private static let files = [
    "a/a.yaml": contract("a"), "b/b.yaml": contract("b"), "common/a types.yaml": "X: {$ref: \"base.yaml#/Y\"}",
    "common/b types.yaml": "X: {$ref: \"./other.yaml#/Y\"}", "common/base.yaml": "Y: {type: integer}",
    "common/other.yaml": "Y: {type: integer}", "fixtures/a/reada/200.json": "1", "fixtures/b/readb/200.json": "2",
    "understudy.yaml": "contracts: [a/a.yaml, b/b.yaml]",
  ]

  /// The cases of a run by contract, and its remarks.
  private func verify(_ project: GitProject, _ arguments: String...) throws -> (cases: [String], remarks: [String]) {
    let result = try Command.run(Command.path, ["verify", "--format", "json"] + arguments, in: project.folder)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.error)")
    let cases = try #require(report["cases"] as? [[String: Any]]).compactMap { item in
      (item["contract"] as? String).map { "\($0) \(item["name"] as? String ?? "")" }
    }
    return (cases, report["remarks"] as? [String] ?? [])
  }

  private static let both = ["a contract", "a fixture 200.json", "b contract", "b fixture 200.json"]

  @Test func `a change of a referenced file concerns the contracts that lead to it`() throws {
    try withGitProject(Self.files) { project in
      try project.write("Y: {type: integer, minimum: 0}", to: "common/base.yaml")
      let result = try verify(project, "--changed-since", "HEAD")
      #expect(result.cases == ["a contract", "a fixture 200.json"])
      #expect(result.remarks == ["1 of 2 contracts changed since `HEAD`"])
    }
  }

  @Test func `a change of a fixture concerns its contract, and a change of the settings all`() throws {
    try withGitProject(Self.files) { project in
      try project.write("3", to: "fixtures/b/readb/200.json")
      #expect(try verify(project, "--changed-since", "main").cases == ["b contract", "b fixture 200.json"])
      try project.write("contracts: [a/a.yaml, b/b.yaml]\nrules: {}", to: "understudy.yaml")
      #expect(try verify(project, "--changed-since", "main").cases == Self.both)
    }
  }

  @Test func `a change of the branch that work comes from concerns no contract`() throws {
    try withGitProject(Self.files) { project in
      try project.git("checkout", "-qb", "work")
      try project.git("checkout", "-q", "main")
      try project.write("Y: {type: string}", to: "common/base.yaml")
      try project.commit()
      try project.git("checkout", "-q", "work")
      let result = try Command.run("verify", "--changed-since", "main", in: project.folder)
      #expect(result.code == 4)
      #expect(result.output.contains("remark: 0 of 2 contracts changed since `main`"))
      #expect(try Command.run("verify", "--changed-since", "main", "--allow-empty", in: project.folder).code == 0)
    }
  }

  @Test func `verdicts are taken from the folder until a file of the contract changes`() throws {
    try withGitProject(Self.files) { project in
      let first = try verify(project, "--cache", ".verdicts")
      #expect(first.cases == Self.both)
      #expect(first.remarks == [])
      let second = try verify(project, "--cache", ".verdicts")
      #expect(second.cases == Self.both)
      #expect(second.remarks == ["2 of 2 contracts: verdicts of .verdicts"])
      try project.write("Y: {type: string}", to: "common/base.yaml")
      let third = try Command.run("verify", "--cache", ".verdicts", in: project.folder)
      #expect(third.code == 1)
      #expect(third.output.contains("fixtures/a/reada/200.json:1:1: error: expected string, found number 1"))
      #expect(third.output.contains("remark: 1 of 2 contracts: verdicts of .verdicts"))
    }
  }

  @Test func `a verdict with findings is printed alike from the folder`() throws {
    try withGitProject(Self.files) { project in
      try project.write("\"text\"", to: "fixtures/a/reada/200.json")
      func lines() throws -> [String] {
        try Command.run("verify", "--cache", ".verdicts", in: project.folder).output.split(separator: "\n")
          .filter { !$0.hasPrefix("checked: ") && !$0.hasPrefix("remark: ") }.map(String.init)
      }
      #expect(try lines() == lines())
    }
  }

  @Test func `a new fixture and a new rule make a verdict out of date`() throws {
    try withGitProject(Self.files) { project in
      _ = try verify(project, "--cache", ".verdicts")
      try project.write("4", to: "fixtures/a/reada/200.four.json")
      let more = try verify(project, "--cache", ".verdicts")
      #expect(more.cases.contains("a fixture 200.four.json"))
      #expect(more.remarks == ["1 of 2 contracts: verdicts of .verdicts"])
      try project.write(
        "contracts: [a/a.yaml, b/b.yaml]\nrules: {resp.body.schema: warning}", to: "understudy.yaml")
      #expect(try verify(project, "--cache", ".verdicts").remarks == [])
    }
  }

  @Test func `a damaged verdict is not used`() throws {
    try withGitProject(Self.files) { project in
      _ = try verify(project, "--cache", ".verdicts")
      for name in try FileManager.default.contentsOfDirectory(atPath: project.path(".verdicts")) {
        try project.write("{\"format\": 1, \"contents\": {}, \"report\": \"{}\"}", to: ".verdicts/\(name)")
      }
      let result = try verify(project, "--cache", ".verdicts")
      #expect(result.cases == Self.both)
      #expect(result.remarks == [])
    }
  }

  @Test func `a folder without git and a file in place of the folder of verdicts are errors with a next step`() throws {
    try withProject(Self.files) { folder in
      let outside = try Command.run("verify", "--changed-since", "main", in: folder)
      #expect(outside.code == 2)
      #expect(outside.error.contains("error: `--changed-since` needs a git repository: not a git repository"))
      #expect(outside.error.contains("help: run the command in a working tree of git"))
      let file = try Command.run("verify", "--cache", "understudy.yaml", in: folder)
      #expect(file.code == 2)
      #expect(file.error == "error: `--cache understudy.yaml` names a file; expected a folder\n")
    }
  }

  @Test func `a revision that git does not know is an error with a suggestion`() throws {
    try withGitProject(Self.files) { project in
      let result = try Command.run("verify", "--changed-since", "mian", in: project.folder)
      #expect(result.code == 2)
      #expect(result.error.contains("git has no revision `mian`"))
      #expect(result.error.contains("did you mean `main`?"))
    }
  }
}
