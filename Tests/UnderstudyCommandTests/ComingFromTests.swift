import Foundation
import Testing
import UnderstudyTestSupport

/// The commands of docs/coming-from.md, in the last column of its tables.
@Suite(.waitsForProcesses)
struct ComingFromTests {
  static let commands: [String] = {
    let page = (try? Project.text("docs/coming-from.md")) ?? ""
    let cells = page.split(separator: "\n").filter { $0.hasPrefix("|") }.compactMap { row in
      row.split(separator: "|").dropFirst().last.map(String.init)
    }
    let spans = cells.flatMap { cell in
      cell.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    }
    return Set(spans.filter { $0.hasPrefix("understudy ") }).sorted()
  }()

  @Test func `the page has commands for nine tools`() throws {
    let tools = try Project.text("docs/coming-from.md").split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(tools.count == 9)
    #expect(Self.commands.count > 40)
  }

  @Test(arguments: commands) func `a command beside the command of another tool runs`(_ command: String) throws {
    try withTemporaryFolder { folder in
      for path in ["specs", "docs/examples"] {
        let target = URL(filePath: folder).appending(path: path)
        try FileManager.default.createDirectory(
          at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: URL(filePath: Project.path(path)), to: target)
      }
      let words = Array(DocumentationTests.words(of: command).dropFirst()).map { $0 == "0.0.0.0" ? "127.0.0.1" : $0 }
      if ["serve", "mock", "record"].contains(words[0]) {
        // The port of the page may be taken.
        let options = words.dropFirst().enumerated().filter { offset, word in
          word != "-p" && (offset == 0 || words[offset] != "-p")
        }.map(\.element)
        let mock = try ServedMock(options, command: words[0], in: folder)
        mock.stop()
        #expect(mock.url.hasPrefix("http://"))
      } else {
        let mock = try ServedMock(["specs/petstore.yaml", "--quiet"], in: folder)
        defer { mock.stop() }
        let program = URL(filePath: Command.path).deletingLastPathComponent().path + "/understudy "
        let text = command.replacing("understudy ", with: program)
          .replacing("localhost:4010", with: mock.url.dropFirst("http://".count))
        let result = try Command.run(
          "/bin/sh", ["-c", text], in: folder,
          environment: words[0] == "run" ? [:] : ["UNDERSTUDY_BASE_URL": mock.url])
        #expect(result.code < 2, "\(result.output)\(result.error)")
      }
    }
  }
}
