import Foundation
import Testing
import UnderstudyTestSupport

/// A session against what was recorded of it.
@Suite(.waitsForProcesses, .enabled(if: PythonServer.path != nil, "skipped: no python3"))
struct RecordedReplayTests {
  /// Hides secrets and personal data, which the files do not have.
  private static func hidingSecrets(_ lines: [String]) -> [String] {
    lines.map { $0.replacing(/"(FCMtoken|phoneNumber|email|nick|birth|matchedNick)": "[^"]*"/, with: "") }
  }

  /// Every second session replaces personal data.
  @Test(arguments: 0..<20) func `every response of a random session comes again`(seed: Int) throws {
    let options = seed % 2 == 0 ? [] : ["--pii", "replace"]
    try withProject(["slp.yaml": SLPSessions.contract()]) { folder in
      let backend = try SLPSessions.start()
      defer { backend.stop() }
      let proxy = try ServedMock(
        ["slp.yaml", "--upstream", "http://127.0.0.1:\(backend.port)"] + options, command: "record", in: folder)
      let live = try SLPSessions.play(seed, with: proxy.port)
      for part in ["-> 401 ", " join partner", " socket partner -> 42", " GET /feed ", " text/event-stream"] {
        #expect(live.contains { $0.contains(part) }, "no \(part) in \(live)")
      }
      let (code, printed) = proxy.end()
      #expect(code == 0 && !printed.contains("responses that a replay does not reproduce"), "\(printed)")
      let isScripted = FileManager.default.fileExists(atPath: folder + "/fixtures/slp/_scenarios/recorded.yaml")
      #expect(isScripted)
      let mock = try ServedMock(["slp.yaml", "--scenario", "recorded"], in: folder)
      let replayed = try SLPSessions.play(seed, with: mock.port)
      let differences = zip(Self.hidingSecrets(live), Self.hidingSecrets(replayed)).filter { $0 != $1 }
      #expect(live.count == replayed.count && differences.isEmpty, "\(differences)\n\(printed)")
    }
  }

  @Test func `the summary names the requests that the mock refuses`() throws {
    try withProject(["slp.yaml": SLPSessions.contract()]) { folder in
      let backend = try SLPSessions.start()
      defer { backend.stop() }
      let proxy = try ServedMock(
        ["slp.yaml", "--upstream", "http://127.0.0.1:\(backend.port)"], command: "record", in: folder)
      _ = try SLPSessions.play(1, with: proxy.port)
      let printed = proxy.end().printed
      #expect(printed.contains("requests that the mock refuses without the scenario"), "\(printed)")
    }
  }
}
