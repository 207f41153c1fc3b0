import Foundation
import Testing
import UnderstudyTestSupport

/// `Scripts/prose-check` over the changes of a small repository.
struct ProseTests {
  private static let hasTools = PythonServer.path != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/git")

  @Test(.enabled(if: hasTools, "skipped: no git or no Python"))
  func `prose-check reports the phrases that changed lines add, and accepts plain ones and moved ones`() throws {
    let old = "/// What was moved.\nlet moved = 1\n"
    try withProject(["Sources/Old.swift": old, "Scripts/prose-check.allow": "# none\n"]) { folder in
      func git(_ arguments: String...) throws -> String {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        let result = try Command.run("/usr/bin/env", ["git"] + identity + arguments, in: folder)
        try #require(result.code == 0, "\(result.error)")
        return result.output
      }
      _ = try git("init", "-q")
      _ = try git("add", "-A")
      _ = try git("commit", "-q", "-m", "Begin")
      try git("rev-parse", "HEAD").write(
        toFile: folder + "/Scripts/prose-check.base", atomically: true, encoding: .utf8)
      try FileManager.default.copyItem(
        atPath: Project.path("Scripts/prose-check"), toPath: folder + "/Scripts/prose-check")
      let new = """
        /// How it works.
        let wrong = "the port is refused, else the answer is sent to those of others"
        /// Returns the port that a test listens on.
        let right = "port 0 chooses a free port"
        /// What was moved.
        func `the answer is late`() {}

        """
      try new.write(toFile: folder + "/Sources/New.swift", atomically: true, encoding: .utf8)
      try "".write(toFile: folder + "/Sources/Old.swift", atomically: true, encoding: .utf8)
      _ = try git("add", "-A")
      let result = try Command.run("/usr/bin/env", ["python3", "Scripts/prose-check"], in: folder)
      let found = result.output.split(separator: "\n").dropLast().map { line in
        line.split(separator: ": ").prefix(2).joined(separator: ": ")
      }
      #expect(
        found == [
          "Sources/New.swift:1: a sentence that opens with `How`",
          "Sources/New.swift:2: name the noun again in place of `those of` and `that of`",
          "Sources/New.swift:2: write `or ... if`, `otherwise` or a new sentence in place of `, else`",
          "Sources/New.swift:2: `response` is what HTTP carries, `reply` what the mock decides",
          "Sources/New.swift:6: `response` is what HTTP carries, `reply` what the mock decides",
        ], "\(result.output)\(result.error)")
      #expect(result.code == 1)
    }
  }
}
