import Foundation
import HoursDraft
import UnderstudyTesting

/// The first draft of the client in docs/testing.md, and what its tests print.
@Suite(.understudy("specs/hours.yaml"))
struct DraftTests {
  @Test func `the hours of a day are read`() async throws {
    let lane = try #require(Lane.current)
    #expect(try await HoursClient(baseURL: lane.baseURL).hours(on: "tuesday")?.opens == "09:30")
  }

  /// Fails; runs only in a process of its own.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["UNDERSTUDY_FAILING_TESTS"] != nil))
  func `no answer is taken for a day off`() async throws {
    let lane = try #require(Lane.current)
    let sweep = try await lane.sweep { try await HoursClient(baseURL: $0.baseURL).hours(on: "monday") }
    try sweep.expect(.throwsFor(500...599), .throwsFor("html", "empty-body", "required-missing"), .returnsFor("drip"))
  }

  @Test func `the sweep fails as docs/testing.md shows it`() throws {
    let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let page = try String(contentsOf: root.appending(path: "docs/testing.md"), encoding: .utf8)
    let shown = Self.failures(in: page).filter { $0.contains("Test \"no answer is taken for a day off\"") }
    #expect(try Self.failures(in: Self.printed()) == shown)
    #expect(shown.count == 1)
  }

  /// The failures that Swift Testing prints, without the lines that they are at.
  private static func failures(in text: String) -> [String] {
    var failures: [String] = []
    var isOpen = false
    for line in text.components(separatedBy: "\n") {
      if line.contains(" recorded an issue at ") {
        failures.append(line.replacing(/at [^ ]+:\d+:\d+:/, with: "at FILE:"))
        isOpen = true
      } else if isOpen, line.hasPrefix("↳ ") || line.hasPrefix("  ") {
        failures[failures.count - 1] += "\n\(line)"
      } else {
        isOpen = false
      }
    }
    return failures
  }

  /// What a process prints that runs the failing test alone.
  private static func printed() throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "hours-\(UUID().uuidString).txt")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let output = try FileHandle(forWritingTo: file)
    let arguments = CommandLine.arguments
    // On macOS a helper loads the bundle of the tests.
    let bundle = arguments.firstIndex(of: "--test-bundle-path").map { Array(arguments[$0...].prefix(2)) } ?? []
    let process = Process()
    process.executableURL = URL(filePath: arguments[0])
    process.arguments = bundle + ["--testing-library", "swift-testing", "--filter", "DraftTests/.?no answer"]
    let variables = ["UNDERSTUDY_FAILING_TESTS": "1", "NO_COLOR": "1"]
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { _, new in new }
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    return try String(contentsOf: file, encoding: .utf8)
  }
}
