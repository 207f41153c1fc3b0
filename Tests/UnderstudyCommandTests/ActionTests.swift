import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// The steps of `.github/actions/verify`, run by bash as a runner runs them; the program on the PATH is the tests' own.
struct ActionTests {
  @Test func `a clean run writes its reports`() throws {
    try withJob(["shop.yaml": Shop.contract]) { job in
      let result = try job.run("verify", inputs: ["arguments": "shop.yaml"])
      #expect(result.code == 0, "\(result.error)")
      #expect(job.output("exit-code") == "0")
      let reports = try #require(job.output("reports"))
      #expect(reports.hasPrefix("/"))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: reports).sorted()
          == ["junit.xml", "report.html", "report.json", "report.sarif"])
    }
  }

  @Test func `arguments are split as a shell splits words, and nothing in them is run`() throws {
    try withJob(["a shop.yaml": Shop.contract]) { job in
      let arguments = #""a shop.yaml" --report 'json=$(touch ran)'"#
      let result = try job.run("verify", inputs: ["arguments": arguments, "reports": "out/of the way"])
      #expect(result.code == 0, "\(result.error)")
      #expect(job.output("reports")?.hasSuffix("/out/of the way") == true)
      #expect(!job.holds("ran"))
    }
  }

  @Test func `findings fail the job, and the code is an output`() throws {
    let files = ["shop.yaml": Shop.contract, "fixtures/shop/readPet/200.json": #"{"id": "7"}"#]
    try withJob(files) { job in
      let result = try job.run("verify", inputs: ["arguments": "shop.yaml"])
      #expect(result.code == 1)
      #expect(job.output("exit-code") == "1")
      #expect(result.output.contains("::error file=fixtures/shop/readPet/200.json"), "\(result.output)")
    }
  }

  @Test func `a quote that is not closed runs nothing`() throws {
    try withJob(["shop.yaml": Shop.contract]) { job in
      let result = try job.run("verify", inputs: ["arguments": "shop.yaml 'more"])
      #expect(result.code == 2)
      #expect(result.output.contains("::error::unmatched quote"))
      #expect(job.output("exit-code") == nil)
    }
  }

  @Test func `the reports of parts are merged`() throws {
    try withJob(["shop.yaml": Shop.contract]) { job in
      for part in 1...2 {
        let inputs = ["arguments": "shop.yaml --shard \(part)/2 --allow-empty", "reports": "part-\(part)"]
        let part = try job.run("verify", inputs: inputs)
        #expect(part.code == 0, "\(part.error)")
      }
      let inputs = ["command": "report merge", "arguments": "part-1/report.json part-2/report.json"]
      let merged = try job.run("verify", inputs: inputs)
      #expect(merged.code == 0, "\(merged.output)\(merged.error)")
    }
  }

  @Test func `the cache key has the inputs of the build`() throws {
    try withJob([:]) { job in
      let action = Project.root + "/.github/actions/verify"
      let result = try job.run("place", inputs: [:], environment: ["GITHUB_ACTION_PATH": action])
      #expect(result.code == 0)
      #expect(job.output("root") == Project.root)
      #expect(job.output("sources")?.count == 16)
      #expect(job.output("swift")?.isEmpty == false)
    }
  }

  /// A job in a project of its own, while `body` runs.
  func withJob(_ files: [String: String], _ body: (Job) throws -> Void) throws {
    try withProject(files.merging(["tools/.keep": "", "outputs": ""]) { $1 }) { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/tools/understudy", withDestinationPath: Command.path)
      try body(try Job(folder: folder))
    }
  }

  struct Job {
    let folder: String
    let action: JSON

    init(folder: String) throws {
      self.folder = folder
      action = try TextDocument.read(FileSystem.read(Project.root + "/.github/actions/verify/action.yml")).root
    }

    /// Runs the script of the step with that `id`.
    func run(_ id: String, inputs: [String: String], environment: [String: String] = [:]) throws -> Command.Result {
      let steps = try #require(action["runs"]?["steps"]?.elements)
      let step = try #require(steps.first { $0["id"]?.string == id })
      let path = "\(folder)/tools:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
      var values = ["GITHUB_OUTPUT": folder + "/outputs", "PATH": path].merging(environment) { $1 }
      if let members = step["env"]?.members {
        for member in members { values[member.name] = resolved(member.value.string ?? "", inputs) }
      }
      // As `shell: bash` of a runner.
      let options = ["--noprofile", "--norc", "-eo", "pipefail", "-c"]
      return try Command.run("/bin/bash", options + [step["run"]?.string ?? ""], in: folder, environment: values)
    }

    /// What a runner puts in the place of `${{ ... }}`.
    private func resolved(_ value: String, _ inputs: [String: String]) -> String {
      guard value.hasPrefix("${{ inputs."), value.hasSuffix(" }}") else { return value }
      let name = String(value.dropFirst("${{ inputs.".count).dropLast(" }}".count))
      return inputs[name] ?? action["inputs"]?[name]?["default"]?.string ?? ""
    }

    /// The last value that a step gave an output.
    func output(_ name: String) -> String? {
      let lines = (try? String(contentsOfFile: folder + "/outputs", encoding: .utf8)) ?? ""
      return lines.split(separator: "\n").last { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    func holds(_ file: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + file) }
  }
}
