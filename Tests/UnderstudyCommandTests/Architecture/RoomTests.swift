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
}
