import Foundation
import TestSupport
import Testing

/// The `console` blocks of the documentation: every `$ command` is run and must print the shown output.
///
/// A block's info line may start a mock (`console serve specs/slp.yaml`); `localhost:4010` in its commands is that mock. A
/// line `...` in the output stands for any lines.
struct DocumentationTests {
  struct Block: Sendable, CustomStringConvertible {
    var page: String
    var line: Int
    var served: [String]?
    var steps: [(command: String, output: String)]

    var description: String { "\(page):\(line)" }
  }

  @Test(arguments: blocks) func `the documented output is the real output`(_ block: Block) throws {
    let mock = try block.served.map { try ServedMock($0) }
    defer { mock?.stop() }
    let folder = URL(filePath: Command.path).deletingLastPathComponent().path
    for (command, shown) in block.steps {
      var text = command.replacing("understudy ", with: "\(folder)/understudy ")
      if let mock { text = text.replacing("localhost:4010", with: mock.url.dropFirst("http://".count)) }
      let result = try Command.run("/bin/sh", ["-c", "(\(text)) 2>&1"], environment: ["NO_COLOR": "1"])
      let printed = result.output.replacing("\r\n", with: "\n")
      #expect(Self.matches(printed, shown), "`\(command)` printed\n\(printed)\nthe page shows\n\(shown)")
    }
  }

  @Test func `the README has tested blocks`() {
    #expect(Self.blocks.contains { $0.page == "README.md" })
  }

  // MARK: - Reading

  static let blocks: [Block] = {
    let docs = (try? FileManager.default.subpathsOfDirectory(atPath: Project.path("docs"))) ?? []
    let pages = ["README.md", "CONTRIBUTING.md"] + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    return pages.flatMap(blocks)
  }()

  private static func blocks(of page: String) -> [Block] {
    let text = (try? Project.text(page)) ?? ""
    var blocks: [Block] = []
    var isOpen = false
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).enumerated() {
      if isOpen, line == "```" {
        isOpen = false
      } else if isOpen, line.hasPrefix("$ ") {
        blocks[blocks.count - 1].steps.append((String(line.dropFirst(2)), ""))
      } else if isOpen, !blocks[blocks.count - 1].steps.isEmpty {
        blocks[blocks.count - 1].steps[blocks[blocks.count - 1].steps.count - 1].output += line + "\n"
      } else if line.hasPrefix("```console") {
        isOpen = true
        let info = line.dropFirst("```console".count).split(separator: " ").map(String.init)
        blocks.append(
          Block(page: page, line: number + 1, served: info.first == "serve" ? Array(info.dropFirst()) : nil, steps: []))
      }
    }
    return blocks
  }

  /// Whether the output equals the page, apart from Date headers.
  private static func matches(_ text: String, _ shown: String) -> Bool {
    func lines(_ text: String) -> ArraySlice<String> {
      text.trimmingCharacters(in: .newlines).replacing(/Date: [^\n]*/, with: "Date: ...").components(separatedBy: "\n")[
        ...]
    }
    return matches(lines(text), lines(shown))
  }

  private static func matches(_ lines: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
    guard let wanted = pattern.first else { return lines.isEmpty }
    if wanted == "..." {
      return (lines.startIndex...lines.endIndex).contains { matches(lines[$0...], pattern.dropFirst()) }
    }
    return lines.first == wanted && matches(lines.dropFirst(), pattern.dropFirst())
  }
}
