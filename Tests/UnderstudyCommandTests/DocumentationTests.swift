import Foundation
import Testing
import UnderstudyTestSupport

/// The code blocks of the documentation.
///
/// Every `$ command` of a `console` block is run and must print the lines below it; a line `...` stands for any lines.
/// `$ understudy serve ...` starts a mock for the rest of the block, and `localhost:4010` is that mock. A line that starts
/// with `#` is a comment. A `swift` block is a part of `Tests/Consumer` or `Examples`, which are built and run, or of the
/// tutorial, whose files `TutorialTests` compares with `Examples`.
@Suite(.waitsForProcesses)
struct DocumentationTests {
  struct Block: Sendable, CustomStringConvertible {
    var page: String
    var line: Int
    /// The text behind the opening backticks.
    var info: String
    var lines: [String] = []

    var description: String { "\(page):\(line)" }
  }

  @Test(arguments: blocks.filter { $0.info == "console" })
  func `every command prints the lines below it`(_ block: Block) throws {
    var mock: ServedMock?
    defer { mock?.stop() }
    let folder = URL(filePath: Command.path).deletingLastPathComponent().path
    for (command, shown) in Self.steps(of: block) {
      if command.hasPrefix("understudy serve ") {
        mock?.stop()
        mock = try ServedMock(Array(Self.words(of: command).dropFirst(2)))
        continue
      }
      var text = command.replacing("understudy ", with: "\(folder)/understudy ")
      if let mock { text = text.replacing("localhost:4010", with: mock.url.dropFirst("http://".count)) }
      var environment = ["NO_COLOR": "1"]
      environment["UNDERSTUDY_BASE_URL"] = mock?.url
      let result = try Command.run("/bin/sh", ["-c", "(\(text)) 2>&1"], environment: environment)
      let printed = result.output.replacing("\r\n", with: "\n")
      #expect(Self.matches(printed, shown), "`\(command)` printed\n\(printed)\nthe page shows\n\(shown)")
    }
  }

  @Test(arguments: blocks.filter { $0.info == "swift" })
  func `every line of Swift is built and run by the consumer`(_ block: Block) throws {
    let imports = block.lines.filter { $0.hasPrefix("import ") }
    let code = block.lines.drop { $0.isEmpty || $0.hasPrefix("import ") }
    let folders = [
      "Tests/Consumer", "Tests/UnderstudyTestingTests", "Tests/TLSConsumer", "Examples",
      "Sources/UnderstudyTesting/UnderstudyTesting.docc/Resources",
    ]
    let isBuilt = try folders.contains { folder in
      let files = try FileManager.default.subpathsOfDirectory(atPath: Project.path(folder)).sorted()
      return try files.contains { file in
        guard file.hasSuffix(".swift") else { return false }
        let lines = try Project.text("\(folder)/\(file)").components(separatedBy: "\n")
        return imports.allSatisfy { lines.contains($0) } && Self.contains(lines, code)
      }
    }
    #expect(isBuilt, "no file of \(folders) has these lines:\n\(block.lines.joined(separator: "\n"))")
  }

  @Test func `no block hides options behind the name of its language`() {
    #expect(Self.blocks.filter { $0.info.contains(" ") }.map(\.description) == [])
  }

  @Test func `the README has blocks of both kinds, and every module's documentation has Swift`() {
    let pages = Set(Self.blocks.map { "\($0.info) \($0.page)" })
    #expect(pages.isSuperset(of: ["console README.md", "swift README.md"]))
    for module in [
      "UnderstudySchema", "UnderstudyMock", "UnderstudyServer", "UnderstudyTesting", "UnderstudyVerification",
      "UnderstudyClient",
    ] {
      #expect(pages.contains("swift Sources/\(module)/\(module).docc/\(module).md"))
    }
  }

  // MARK: - Reading

  static let blocks: [Block] = {
    let pages = ["docs", "Sources", "fixtures"].flatMap { folder in
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: Project.path(folder))) ?? []
      return paths.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }
    return (["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] + pages).flatMap(blocks)
  }()

  private static func blocks(of page: String) -> [Block] {
    let text = (try? Project.text(page)) ?? ""
    var blocks: [Block] = []
    var open: Block?
    for (number, line) in text.components(separatedBy: "\n").enumerated() {
      if line == "```", let block = open {
        blocks.append(block)
        open = nil
      } else if open != nil {
        open?.lines.append(line)
      } else if line.hasPrefix("```") {
        open = Block(page: page, line: number + 1, info: String(line.dropFirst(3)))
      }
    }
    return blocks
  }

  private static func steps(of block: Block) -> [(command: String, output: String)] {
    var steps: [(command: String, output: String)] = []
    for line in block.lines where !line.hasPrefix("#") {
      if line.hasPrefix("$ ") {
        steps.append((String(line.dropFirst(2)), ""))
      } else if !steps.isEmpty {
        steps[steps.count - 1].output += line + "\n"
      }
    }
    return steps
  }

  /// Splits a command at spaces outside single quotes.
  static func words(of command: String) -> [String] {
    command.split(separator: "'", omittingEmptySubsequences: false).enumerated().reduce(into: [""]) { words, part in
      let pieces =
        part.offset.isMultiple(of: 2)
        ? part.element.split(separator: " ", omittingEmptySubsequences: false) : [part.element]
      words[words.count - 1] += pieces[0]
      words += pieces.dropFirst().map(String.init)
    }.filter { !$0.isEmpty }
  }

  // MARK: - Comparing

  /// Whether the lines hold a part in one piece, however far it is indented there.
  private static func contains(_ lines: [String], _ part: ArraySlice<String>) -> Bool {
    guard let first = part.first, !first.isEmpty else { return false }
    return lines.indices.contains { start in
      guard lines[start].hasSuffix(first), lines.count - start >= part.count else { return false }
      let indent = String(lines[start].dropLast(first.count))
      return indent.allSatisfy { $0 == " " }
        && zip(lines[start...], part).allSatisfy { $0 == ($1.isEmpty ? "" : indent + $1) }
    }
  }

  /// Whether printed text is what the page shows; a Date header may be any date.
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
