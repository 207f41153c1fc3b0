import Foundation
import Testing
import UnderstudyTestSupport

/// ARCHITECTURE.md as a guide to the sources.
struct RoomTests {
  @Test func `ARCHITECTURE.md names every folder of the sources`() throws {
    let text = try Project.text("ARCHITECTURE.md")
    let root = Project.path("Sources")
    for path in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() where !path.contains(".") {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder)
      let name = path.split(separator: "/").last ?? ""
      // The headers of a C module.
      guard isFolder.boolValue, name != "include" else { continue }
      #expect(text.contains("`\(name)`"), "\(path)")
    }
  }

  @Test func `ARCHITECTURE.md fits on two screens`() throws {
    #expect(try Project.text("ARCHITECTURE.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 92)
  }

  @Test func `a request takes at most 15 steps, each in a file of the sources`() throws {
    let lines = try Project.text("CONTRIBUTING.md").split(separator: "\n", omittingEmptySubsequences: false)
    let table = lines.drop { $0 != "## A request, from bytes to bytes" }.dropFirst().prefix { !$0.hasPrefix("#") }
    let steps = table.filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(1...15 ~= steps.count)
    for step in steps where !step.hasSuffix("| swift-nio |") {
      let file = step.split(separator: "`").dropLast().last ?? ""
      #expect(FileManager.default.fileExists(atPath: Project.path("Sources/\(file)")), "\(step)")
    }
  }
}
