import Foundation
import UnderstudyTestSupport
import UnderstudyTesting

/// Sweeps in a process whose environment names a folder for their coverage.
@Suite(
  .enabled(if: ProcessInfo.processInfo.environment["UNDERSTUDY_COVERED_TESTS"] != nil),
  .understudy("specs/slp.yaml", fixtures: "fixtures"))
struct CoveredTests {
  @Test(arguments: [("GET", "/v1/user"), ("POST", "/v1/user/withdraw")])
  func `a request is swept`(method: String, target: String) async throws {
    let lane = try #require(Lane.current)
    _ = try await lane.sweep { try send(method, target, to: $0).status }
  }
}

/// The files that `UNDERSTUDY_COVERAGE` asks for.
struct CoverageFileTests {
  @Test func `the coverage of sweeps in Swift and of the command is joined`() throws {
    let folder = try TemporaryFolder()
    let tests = try runTests(
      "CoveredTests", environment: ["UNDERSTUDY_COVERED_TESTS": "1", "UNDERSTUDY_COVERAGE": "\(folder.path)/out"])
    #expect(tests.code == 0, "\(tests.output)\(tests.error)")
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/out").sorted()
    let isExpected = names.allSatisfy { $0.contains(/^CoverageFileTests-[0-9]+-[0-9a-f]+\.json$/) }
    #expect(names.count == 2 && isExpected, "\(names)")

    let client = "curl -sf -H 'idtoken: t' \"$UNDERSTUDY_BASE_URL/v1/queue/myQueueState\" > /dev/null"
    let report = "\(folder.path)/command.json"
    let swept = try Command.run(
      "sweep", "specs/slp.yaml", "--jobs", "8", "--report", "json=\(report)", "--", "sh", "-c", client)
    #expect(swept.code == 0, "\(swept.output)\(swept.error)")

    let files = names.map { "\(folder.path)/out/\($0)" } + [report]
    let merged = try Command.run(
      Command.path, ["coverage", "merge"] + files + ["--require", "readUser:*", "--require", "queue/myQueueState:*"])
    #expect(merged.code == 0, "\(merged.output)\(merged.error)")
    // Five statuses of two operations, and six of the third.
    #expect(merged.output.contains(/S served +16 of 111\b/), "\(merged.output)")
    #expect(!merged.error.contains("different"), "\(merged.error)")
  }
}
