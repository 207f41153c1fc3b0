import Foundation
import Testing
import UnderstudyTestSupport

/// `record --upstream` between curl and a server of another kind.
@Suite(.waitsForProcesses, .enabled(if: PythonServer.path != nil, "skipped: no python3"))
struct RecordTests {
  /// Records a session with the backend in a folder; returns the output.
  private func record(_ folder: String, _ arguments: String..., session: (String) throws -> Void) throws -> String {
    let backend = try SLPBackend.start()
    defer { backend.stop() }
    let proxy = try ServedMock(
      ["slp.yaml", "--upstream", "http://127.0.0.1:\(backend.port)"] + arguments, command: "record", in: folder)
    try session(proxy.url)
    let (code, printed) = proxy.end()
    #expect(code == 0, "\(printed)")
    return printed
  }

  /// The files of a folder with their contents, without the index, which has times.
  private func files(_ folder: String) throws -> [String: String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
    var files: [String: String] = [:]
    for path in paths where !path.hasSuffix("_recorded.yaml") {
      files[path] = try? String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    }
    return files
  }

  @Test func `an evening with the SLP backend becomes cells and variants that replay it`() throws {
    try withProject(["slp.yaml": Project.text("specs/slp.yaml")]) { folder in
      var live: [String] = []
      let printed = try record(folder) { live = try SLPBackend.session($0) }
      let files = try files(folder + "/fixtures/slp")
      #expect(
        files.keys.sorted() == [
          "_scenarios/recorded.yaml", "acceptStudy/200.html", "joinQueue/200.html", "joinQueue/201.html",
          "joinQueue/201.other.yaml", "joinQueue/203.html", "joinQueue/203.other.yaml", "readChat/200.empty.yaml",
          "readChat/200.yaml", "readChat/bodies/200.empty.json", "readChat/bodies/200.json",
          "readQueueState/200.matched1.yaml", "readQueueState/200.yaml", "readQueueState/201.html",
          "readQueueState/bodies/200.json", "readQueueState/bodies/200.matched1.json", "readShopInfo/200.yaml",
          "readShopInfo/bodies/200.json", "readUser/200.yaml", "readUser/401.html", "readUser/bodies/200.json",
          "wearItems/200.html", "wearItems/201.html", "wearItems/201.other.yaml",
        ], "\(printed)")
      #expect(
        files["readChat/200.empty.yaml"] == """
          contentType: "application/json; charset=utf-8"
          when:
            path:
              uid: empty
          bodyFile: bodies/200.empty.json

          """)
      #expect(
        files["_scenarios/recorded.yaml"] == """
          summary: The answers of a recording, in its order.
          sequence:
            readQueueState: [201, 200*2, 200.matched1]

          """)
      #expect(printed.hasSuffix("next: understudy serve slp.yaml --scenario recorded; understudy verify slp.yaml\n"))

      let mock = try ServedMock(["slp.yaml", "--scenario", "recorded"], in: folder)
      let secret = /"FCMtoken":"[^"]*"/
      #expect(
        try SLPBackend.session(mock.url).map { $0.replacing(secret, with: "") }
          == live.map { $0.replacing(secret, with: "") })
      #expect(files.values.allSatisfy { !$0.contains(SLPBackend.token) })
      mock.stop()
      let verified = try Command.run("verify", "slp.yaml", in: folder)
      #expect(verified.code == 0, "\(verified.output)\(verified.error)")
    }
  }

  @Test func `recording twice changes no file`() throws {
    try withProject(["slp.yaml": Project.text("specs/slp.yaml")]) { folder in
      _ = try record(folder) { _ = try SLPBackend.session($0) }
      let git = "git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm 1"
      _ = try Command.run("/bin/sh", ["-c", git], in: folder)
      for mode in ["missing", "all"] {
        let printed = try record(folder, "--mode", mode) { _ = try SLPBackend.session($0) }
        let status = try Command.run("/usr/bin/git", ["status", "--porcelain"], in: folder)
        let changes = try Command.run("/usr/bin/git", ["diff"], in: folder).output
        #expect(status.output == "", "--mode \(mode): \(printed)\(changes)")
      }
    }
  }
}
