import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// docs/diff.md: its commands and recipes run, and its table names rules with their severities.
@Suite(.waitsForProcesses)
struct DiffDocumentationTests {
  private typealias Block = DocumentationTests.Block

  private static let blocks = DocumentationTests.blocks.filter { $0.page == "docs/diff.md" }

  private static func blocks(_ info: String) -> [Block] { blocks.filter { $0.info == info } }

  private static func text(_ block: Block) -> String { block.lines.joined(separator: "\n") }

  /// The contract of the project, and a break of it.
  private static let changed = Shop.contract.replacing("name: {type: string}", with: "name: {type: integer}")

  /// A repository with a branch that breaks the contract, as a runner checks it out.
  private static func withProject(_ body: (GitProject) throws -> Void) throws {
    let files = ["openapi.yaml": Shop.contract, "specs/shop.yaml": Shop.contract]
    try withGitProject(files) { project in
      try project.git("tag", "v1.4.0")
      try project.git("update-ref", "refs/remotes/origin/main", "HEAD")
      try project.git("checkout", "-qb", "topic")
      try project.write(Self.changed, to: "openapi.yaml")
      try project.write(Self.changed, to: "specs/shop.yaml")
      try body(project)
    }
  }

  private static func run(
    _ script: String, in project: GitProject, environment: [String: String] = [:]
  ) throws -> Command.Result {
    let tools = project.path(".git/tools")
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
    for (name, text) in ["understudy": "exec '\(Command.path)' \"$@\"", "gh": "echo \"gh $*\"; cat changes.md"] {
      try "#!/bin/sh\n\(text)\n".write(toFile: "\(tools)/\(name)", atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(tools)/\(name)")
    }
    let path = "\(tools):" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    return try Command.run(
      "/bin/bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], in: project.folder,
      environment: environment.merging(["PATH": path]) { $1 })
  }

  // MARK: - Commands

  @Test func `every command of the page reports the break`() throws {
    let server = try ContractServer(["/openapi.json": .init(type: "application/yaml", text: Shop.contract)])
    defer { server.stop() }
    try Self.withProject { project in
      let base = try project.git("rev-parse", "main")
      try project.commit()
      let commands = Self.blocks("sh").flatMap(\.lines).filter { $0.hasPrefix("understudy diff ") }
      #expect(commands.count == 7)
      for command in commands {
        // The index is compared with the last commit, which has the break as well.
        let command = command.replacing("HEAD:openapi.yaml :", with: "main:openapi.yaml :")
          .replacing("HEAD:./", with: "main:./").replacing("https://api.example.com", with: server.url)
        let result = try Self.run(command, in: project, environment: ["CI_MERGE_REQUEST_DIFF_BASE_SHA": base])
        #expect(result.output.contains("[diff.response.type]\n"), "\(command)\n\(result.output)\(result.error)")
        #expect(result.code == 1, "\(command)")
      }
    }
  }

  @Test func `the file of levels is read`() throws {
    let levels = try #require(Self.blocks("yaml").first { Self.text($0).hasPrefix("diff.") })
    try Self.withProject { project in
      try project.write(Self.text(levels), to: "levels.yaml")
      let result = try project.diff("HEAD:openapi.yaml", "openapi.yaml", "--levels", "levels.yaml")
      #expect(result.code == 1, "\(result.error)")
    }
  }

  // MARK: - Recipes

  @Test func `the workflow annotates a pull request and writes its comment`() throws {
    let block = try #require(Self.blocks("yaml").first { Self.text($0).contains("pull_request") })
    let workflow = try TextDocument.read(SourceFile(path: "diff.md.yaml", text: Self.text(block))).root
    let steps = Array(try #require(workflow["jobs"]?["diff"]?["steps"]).elements)
    #expect(steps[0]["with"]?["fetch-depth"]?.int == 0)
    let inputs = try #require(steps[1]["with"])
    let arguments = try #require(inputs["arguments"]?.string).replacing("${{ github.base_ref }}", with: "main")
    try ActionTests().withJob([:]) { job in
      let project = GitProject(folder: job.folder)
      try project.git("init", "-q")
      try project.write(Shop.contract, to: "openapi.yaml")
      try project.commit()
      try project.git("update-ref", "refs/remotes/origin/main", "HEAD")
      try project.write(Self.changed, to: "openapi.yaml")
      let action = try job.run("verify", inputs: ["command": inputs["command"]?.string ?? "", "arguments": arguments])
      #expect(action.output.hasPrefix("::error file=openapi.yaml,line=15,"), "\(action.output)\(action.error)")
      #expect(action.code == 1)
      #expect(job.output("exit-code") == "1")
      #expect(job.holds("understudy-report/report.sarif"))
      let script = try #require(steps[2]["run"]?.string)
      let comment = try Self.run(
        script, in: project, environment: ["GITHUB_BASE_REF": "main", "PULL_REQUEST": "7"])
      #expect(
        comment.output == """
          gh pr comment 7 --edit-last --create-if-none --body-file changes.md
          **1 breaking change**

          ### `GET /pets/{id}`

          - **breaking:** `200`: response body `/name`: the type is now `integer`, was `string`

          """, "\(comment.error)")
      #expect(comment.code == 0)
    }
  }

  @Test func `the hook of pre-commit fails for a break and passes without one`() throws {
    let block = try #require(Self.blocks("yaml").first { Self.text($0).contains("repos:") })
    let recipe = try TextDocument.read(SourceFile(path: "diff.md.yaml", text: Self.text(block))).root
    let offered = try TextDocument.read(FileSystem.read(Project.path(".pre-commit-hooks.yaml"))).root
    let hook = try #require(offered.elements.first { $0["id"]?.string == "understudy-diff" })
    let used = try #require(recipe["repos"]?.elements.first { _ in true }?["hooks"]?.elements.first { _ in true })
    #expect(used["id"]?.string == hook["id"]?.string)
    for arguments in [hook["args"], used["args"]] {
      let words = try #require(arguments).elements.compactMap(\.string).joined(separator: " ")
      let command = try #require(hook["entry"]?.string) + " " + words
      try Self.withProject { project in
        #expect(try Self.run(command, in: project).code == 1)
        try project.git("checkout", "-q", "openapi.yaml")
        #expect(try Self.run(command, in: project).code == 0)
      }
    }
  }

  // MARK: - Tables

  @Test func `the table of checks names rules with their severities`() throws {
    let rows = try Project.text("docs/diff.md").split(separator: "\n").compactMap { line -> [String]? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return cells.count == 4 && cells[2].hasPrefix("`diff.") ? cells : nil
    }
    #expect(rows.count > 40)
    for row in rows {
      let id = row[2].replacing("`", with: "")
      let rule = try #require(Rule.diff.first { $0.id == id }, "\(id)")
      #expect(rule.severity.rawValue == row[3], "\(id)")
      #expect(["ERR", "WARN", "INFO"].contains(row[1]), "\(row)")
    }
    #expect(Set(rows.map { $0[2] }).count == rows.count)
  }

  @Test func `every rule on the page exists`() throws {
    let text = try Project.text("docs/diff.md")
    for match in text.matches(of: /`(diff\.[a-z.-]+[a-z])/) {
      let id = String(match.1)
      #expect(Rule.diff.contains { $0.id == id }, "\(id)")
    }
  }
}
