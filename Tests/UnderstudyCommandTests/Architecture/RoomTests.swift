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

  @Test(.enabled(if: PythonServer.path != nil, "skipped: no Python"))
  func `no cycle between folders is larger than ten`() throws {
    let result = try Command.run("/usr/bin/env", ["python3", Project.path("Scripts/references")])
    #expect(result.code == 0, "\(result.output)\(result.error)")
    let size = try #require(result.output.firstMatch(of: /largest cycle between folders of one module: (\d+)/)?.1)
    #expect((Int(size) ?? .max) <= 10, "\(result.output)")
  }

  @Test func `no folder has more than 25 files, and no module more than 18,000 lines`() throws {
    let root = Project.path("Sources")
    var files: [Substring: Int] = [:]
    var lines: [Substring: Int] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root) where path.hasSuffix(".swift") {
      let (folder, module) = (path[..<(path.lastIndex(of: "/") ?? path.startIndex)], path.prefix { $0 != "/" })
      files[folder, default: 0] += 1
      lines[module, default: 0] += try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8).utf8.count {
        $0 == 10
      }
    }
    for (folder, count) in files where !folder.hasPrefix("UnderstudySchema") { #expect(count <= 25, "\(folder)") }
    for (module, count) in lines { #expect(count <= 18_000, "\(module)") }
  }
}
