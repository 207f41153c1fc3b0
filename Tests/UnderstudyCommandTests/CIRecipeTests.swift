import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// The recipes of docs/ci.md, run as the CI system runs them. `pip` and `swift` are scripts, and `understudy` is the tested
/// program.
@Suite(.waitsForProcesses)
struct CIRecipeTests {
  private typealias Block = DocumentationTests.Block

  private static let blocks = DocumentationTests.blocks.filter { $0.page == "docs/ci.md" && !$0.info.isEmpty }
  private static let shells = blocks.filter { $0.info == "sh" }
  private static let workflows = blocks.filter { $0.info == "yaml" }

  private static func text(_ block: Block) -> String { block.lines.joined(separator: "\n") }

  private static func holding(_ text: String) -> [Block] { workflows.filter { Self.text($0).contains(text) } }

  @Test func `every block of the page is a recipe that a test runs`() {
    let run =
      Self.shells + Self.holding("actions/verify@v") + Self.holding("component:") + Self.holding("run-client-tests")
      + Self.holding("repos:")
    #expect(Self.blocks.map(\.description).sorted() == run.map(\.description).sorted())
  }

  // MARK: - Shell

  @Test(arguments: shells.map(\.description)) func `the commands of a shell run`(_ recipe: String) throws {
    let block = try #require(Self.shells.first { $0.description == recipe })
    // A baseline is for a project with findings.
    let files = Self.project(isBroken: Self.text(block).contains("--baseline"))
    try Self.withProject(files) { (folder) throws in
      let mock = try ServedMock([], in: folder)
      defer { mock.stop() }
      let text = Self.text(block).replacing("http://127.0.0.1:8080", with: mock.url)
      let result = try Self.run(text, in: folder)
      #expect(result.code == 0, "\(result.output)\(result.error)")
    }
  }

  // MARK: - GitLab

  @Test func `the job of the component of GitLab writes its artifacts`() throws {
    let recipe = try Self.read(try #require(Self.holding("component:").first))
    let use = try #require(recipe["include"]?.elements.first { $0["component"] != nil })
    let documents = try Project.text("templates/understudy.yml").components(separatedBy: "\n---\n")
    #expect(documents.count == 2)
    let inputs = try #require(try Self.read("templates/understudy.yml", documents[0])["spec"]?["inputs"])
    var pipeline = try #require(documents.last)
    for input in inputs.members.map({ $0 }) {
      let value = use["inputs"]?[input.name] ?? input.value["default"]
      pipeline = pipeline.replacing("$[[ inputs.\(input.name) ]]", with: value?.string ?? "")
    }
    for input in use["inputs"]?.members.map({ $0 }) ?? [] { #expect(inputs[input.name] != nil, "\(input.name)") }
    let job = try #require(try Self.read("templates/understudy.yml", pipeline)["contracts"])
    try Self.withProject(Self.project()) { (folder) throws in
      let lines = job["script"]?.elements.compactMap(\.string) ?? []
      let result = try Self.run(lines.joined(separator: "\n"), in: folder)
      #expect(result.code == 0, "\(result.output)\(result.error)")
      let reports = job["artifacts"]?["reports"]?.members.compactMap(\.value.string) ?? []
      #expect(reports.count == 2)
      for report in reports { #expect(FileManager.default.fileExists(atPath: folder + "/" + report)) }
    }
  }

  // MARK: - Hooks

  @Test func `the hooks of pre-commit pass in a clean project and fail in a broken one`() throws {
    let recipe = try Self.read(try #require(Self.holding("repos:").first))
    let offered = try Self.read(".pre-commit-hooks.yaml", try Project.text(".pre-commit-hooks.yaml"))
    let used = recipe["repos"]?.elements.flatMap { $0["hooks"]?.elements.map { $0 } ?? [] } ?? []
    #expect(!used.isEmpty)
    for hook in used + offered.elements {
      let entry = try #require(hook["entry"]?.string)
      // It needs a repository, as in DiffDocumentationTests.
      guard entry != "understudy diff" else { continue }
      let files = hook["pass_filenames"]?.bool == false ? "" : " shop.yaml"
      try Self.withProject(Self.project()) { (folder) throws in
        #expect(try Self.run(entry + files, in: folder).code == 0, "\(entry)")
      }
      guard entry == "understudy verify" else { continue }
      try Self.withProject(Self.project(isBroken: true)) { (folder) throws in
        #expect(try Self.run(entry + files, in: folder).code == 1, "\(entry)")
      }
    }
  }

  // MARK: - GitHub

  @Test func `the workflow of GitHub writes the SARIF file that it uploads`() throws {
    let block = try #require(Self.holding("upload-sarif").first)
    let steps = try Self.steps(try Self.read(block), job: "verify")
    let upload = steps.compactMap { $0["with"]?["sarif_file"]?.string }.first
    try ActionTests().withJob(Self.project()) { (job) throws in
      let result = try job.run("verify", inputs: try Self.inputs(steps))
      #expect(result.code == 0, "\(result.output)\(result.error)")
      #expect(job.holds(try #require(upload)))
    }
  }

  @Test func `the shards of a live run are merged to a whole`() throws {
    let block = try #require(Self.holding("--shard").first)
    let workflow = try Self.read(block)
    let part = try Self.steps(workflow, job: "part")
    let parts = workflow["jobs"]?["part"]?["strategy"]?["matrix"]?["part"]?.elements.compactMap(\.int) ?? []
    #expect(parts == [1, 2, 3, 4])
    try ActionTests().withJob(Self.project()) { (job) throws in
      let mock = try ServedMock([], in: job.folder)
      defer { mock.stop() }
      let artifacts = part.compactMap { $0["with"]?["path"]?.string }
      let artifact = try #require(artifacts.first)
      for number in parts {
        var inputs = try Self.inputs(part)
        inputs["arguments"] = inputs["arguments"]?.replacing("${{ vars.STAGING_URL }}", with: mock.url)
          .replacing("${{ matrix.part }}", with: "\(number)")
        // A part without operations has nothing to check; the job goes on.
        let result = try job.run("verify", inputs: inputs)
        #expect([0, 4].contains(result.code), "\(result.output)\(result.error)")
        let place = job.folder + "/parts/part-\(number)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: job.folder + "/" + artifact, toPath: place + "/report.json")
      }
      let whole = try job.run("verify", inputs: try Self.inputs(try Self.steps(workflow, job: "whole")))
      #expect(whole.code == 0, "\(whole.output)\(whole.error)")
      #expect(job.holds("understudy-report/report.json"))
    }
  }

  /// Asks a mock for every cell of the contract.
  private static let client = #"""
    #!/usr/bin/env python3
    import json, os, re, subprocess, urllib.error, urllib.request
    routes = json.loads(subprocess.check_output(["understudy", "routes", "specs/slp.yaml", "--format", "json"]))
    for operation in routes["contracts"][0]["operations"]:
        path = operation["basePaths"][0] + re.sub(r"\{.*?\}", "x", operation["path"])
        for cell in operation["cells"]:
            request = urllib.request.Request(os.environ["UNDERSTUDY_BASE_URL"].removesuffix("/v1") + path,
                method=operation["method"], headers={"Prefer": "code=" + cell["status"]})
            try: urllib.request.urlopen(request).read()
            except urllib.error.HTTPError as error: error.read()
    """#

  @Test func `the gates of client tests are passed by a client that meets every cell`() throws {
    let summary = "summary.md"
    for block in Self.holding("run-client-tests") {
      try Self.withProject(["specs/slp.yaml": try Project.text("specs/slp.yaml"), "run-client-tests": Self.client]) {
        (folder) throws in
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/run-client-tests")
        for step in try Self.read(block).elements {
          let command = try #require(step["run"]?.string).replacing("${{ matrix.part }}", with: "1")
          let result = try Self.run(command, in: folder, environment: ["GITHUB_STEP_SUMMARY": folder + "/" + summary])
          #expect(result.code == 0, "\(command)\n\(result.output)\(result.error)")
        }
        guard Self.text(block).contains("GITHUB_STEP_SUMMARY") else { return }
        let text = try String(contentsOfFile: folder + "/" + summary, encoding: .utf8)
        #expect(text.contains("| `GET /user` |"), "\(text)")
      }
    }
  }

  // MARK: - Running

  private static func read(_ block: Block) throws -> JSON { try read(block.page + ".yaml", text(block)) }

  private static func read(_ path: String, _ text: String) throws -> JSON {
    try TextDocument.read(SourceFile(path: path, text: text)).root
  }

  private static func steps(_ workflow: JSON, job: String) throws -> [JSON] {
    Array(try #require(workflow["jobs"]?[job]?["steps"]).elements)
  }

  /// The inputs of the step that uses our action.
  private static func inputs(_ steps: [JSON]) throws -> [String: String] {
    let step = try #require(steps.first { $0["uses"]?.string?.contains("/.github/actions/verify@v") == true })
    var inputs: [String: String] = [:]
    for member in step["with"]?.members.map({ $0 }) ?? [] { inputs[member.name] = member.value.string }
    return inputs
  }

  private static func project(isBroken: Bool = false) -> [String: String] {
    [
      "understudy.yaml": "contracts: [shop.yaml]\n", "shop.yaml": Shop.contract,
      "fixtures/shop/readPet/200.json": isBroken ? "{}" : #"{"name": "Tom"}"#,
    ]
  }

  /// A project with the stand-ins for the tools of a runner, while `body` runs.
  private static func withProject(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let tools = [
      "pip": "exit 0",
      // `swift package [options] understudy arguments...`
      "swift": "while [ \"$1\" != understudy ]; do shift; done; shift; exec '\(Command.path)' \"$@\"",
      "understudy": "exec '\(Command.path)' \"$@\"",
    ]
    var all = files
    for (name, text) in tools { all["tools/\(name)"] = "#!/bin/sh\n\(text)\n" }
    try UnderstudyTestSupport.withProject(all) { (folder) throws in
      for name in tools.keys {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/tools/\(name)")
      }
      try body(folder)
    }
  }

  private static func run(
    _ script: String, in folder: String, environment: [String: String] = [:]
  ) throws -> Command.Result {
    let path = "\(folder)/tools:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    return try Command.run(
      "/bin/bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], in: folder,
      environment: environment.merging(["PATH": path]) { $1 })
  }
}
