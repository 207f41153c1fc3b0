import Foundation
import Testing
import UnderstudyTestSupport

/// The code blocks of the documentation in JavaScript and XML. Of blocks that need packages only the syntax is checked.
@Suite(.waitsForProcesses)
struct DocumentationSyntaxTests {
  private static let hasNode = ["/usr/bin/node", "/usr/local/bin/node", "/opt/homebrew/bin/node"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private static func blocks(_ language: String) -> [DocumentationTests.Block] {
    DocumentationTests.blocks.filter { $0.info == language }
  }

  @Test(.enabled(if: hasNode), arguments: blocks("js"))
  func `every block of JavaScript is a module that Node can parse`(
    _ block: DocumentationTests.Block
  ) throws {
    try withProject(["block.mjs": block.lines.joined(separator: "\n")]) { folder in
      let result = try Command.run("/usr/bin/env", ["node", "--check", "block.mjs"], in: folder)
      #expect(result.code == 0, "\(result.error)")
    }
  }

  @Test(.enabled(if: hasNode)) func `fetch of Node gets the answer that it prefers`() throws {
    let block = try #require(Self.blocks("js").first { !$0.lines.contains { $0.hasPrefix("import ") } })
    let mock = try ServedMock(["specs/slp.yaml"])
    defer { mock.stop() }
    let program = block.lines.joined(separator: "\n").replacing("http://localhost:4010", with: mock.url)
    let result = try Command.run("/usr/bin/env", ["node", "--input-type=module", "-e", program])
    #expect(result.output == "406 not registered\n", "\(result.error)")
  }

  @Test(.enabled(if: hasNode)) func `a sweep of the module in docs/javascript.md has no error`() throws {
    let block = try #require(
      Self.blocks("js").first { $0.lines.contains { $0 == "const base = process.env.UNDERSTUDY_BASE_URL" } })
    try withProject(["profile.mjs": block.lines.joined(separator: "\n")]) { folder in
      let result = try Command.run(
        "sweep", Project.path("specs/slp.yaml"), "--fixtures", Project.path("fixtures"), "--only", "status 401",
        "--only",
        "required-null", "--only", "html", "--only", "cut", "--", "node", "profile.mjs", in: folder)
      #expect(result.code == 0, "\(result.output)\(result.error)")
      let row = /status 401 firebaseTokenError +exit 1: Error: no profile: 401\n/
      #expect(result.output.contains(row), "\(result.output)")
    }
  }

  @Test(arguments: blocks("xml")) func `every block of XML is a well-formed document`(
    _ block: DocumentationTests.Block
  ) throws {
    try withProject(["block.xml": block.lines.joined(separator: "\n")]) { folder in
      let program = "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])"
      let result = try Command.run("/usr/bin/env", ["python3", "-c", program, "block.xml"], in: folder)
      #expect(result.code == 0, "\(result.error)")
    }
  }

  @Test func `the pages about clients have code`() {
    #expect(!Self.blocks("js").isEmpty && !Self.blocks("xml").isEmpty)
  }
}
