import Foundation
import Testing
import UnderstudyTestSupport

/// Statements of the sources about releases.
struct ReleaseTests {
  /// An archive of the sources has no history.
  private static let isRepository = FileManager.default.fileExists(atPath: Project.path(".git"))

  @Test(.enabled(if: isRepository, "these sources are no repository"))
  func `one script names the owner of the repository`() throws {
    let found = try Command.run("/usr/bin/env", ["git", "grep", "-l", "your-" + "organisation"], in: Project.root)
    #expect(found.output == "Scripts/repository\n", "\(found)")
  }

  @Test func `packages name the repository of the workflow that makes them`() throws {
    let formula = Project.path("Scripts/packaging/formula.py")
    let made = try Command.run(
      formula, ["--version", "1.2.3", "--sources", Project.path("LICENSE")],
      environment: ["GITHUB_REPOSITORY": "owner/name"])
    #expect(made.code == 0, "\(made)")
    #expect(made.output.contains("https://github.com/owner/name/releases/download/v1.2.3/understudy-1.2.3.tar.gz"))
  }

  @Test func `the first commands of the README need no release`() throws {
    let block = try #require(DocumentationTests.blocks.first { $0.page == "README.md" })
    #expect(block.info == "sh")
    for line in block.lines {
      let isLocal = ["make ", "understudy ", "pip install Clients/", "Scripts/"].contains { line.hasPrefix($0) }
      #expect(isLocal, "\(line)")
    }
  }
}
