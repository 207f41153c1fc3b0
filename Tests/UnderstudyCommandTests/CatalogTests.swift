import Foundation
import Testing
import UnderstudyTestSupport

/// The DocC catalogs of the libraries.
@Suite(.waitsForProcesses)
struct CatalogTests {
  private static let hasDocC = (try? Command.run("/usr/bin/env", ["docc", "--help"]))?.code == 0

  @Test(.enabled(if: hasDocC, "skipped: no docc"))
  func `the documentation of every library converts without a warning, and has the tutorial`() throws {
    let folder = try TemporaryFolder([:])
    let result = try Command.run(Project.path("Scripts/check-documentation"), [folder.path])
    #expect(result.code == 0, "\(result.output)\(result.error)")
    for module in [
      "UnderstudyText", "UnderstudySchema", "UnderstudyMock", "UnderstudyServer", "UnderstudyVerification",
    ] {
      let page = "\(module).doccarchive/data/documentation/\(module.lowercased()).json"
      #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(page)"), "\(page)")
    }
    let tutorial = "UnderstudyTesting.doccarchive/data/tutorials/understudytesting/testaclient.json"
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(tutorial)"), "\(tutorial)")
  }
}
