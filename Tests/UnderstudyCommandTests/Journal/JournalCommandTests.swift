import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// `serve --journal` and `understudy journal`, as a user runs them.
@Suite(.waitsForProcesses)
struct JournalCommandTests {
  private static let contract = Project.path("specs/slp.yaml")

  private func curl(_ url: String, _ arguments: String...) throws {
    _ = try Command.run("/usr/bin/curl", ["-s", "-o", "/dev/null"] + arguments + [url])
  }

  /// A journal of three requests.
  private func withJournal(_ body: (_ file: String, _ mock: ServedMock) throws -> Void) throws {
    try withProject([:]) { folder in
      let file = folder + "/day.sqlite"
      let mock = try ServedMock([Self.contract, "--quiet", "--no-watch", "--journal", file])
      try curl(mock.url + "/v1/user", "-H", "idtoken: a-secret-token")
      try curl(mock.url + "/v1/user", "-H", "idtoken: a-secret-token")
      try curl(mock.url + "/v1/usr")
      try body(file, mock)
    }
  }

  @Test func `requests are listed, filtered and shown, also of a second run`() throws {
    try withJournal { file, mock in
      mock.stop()
      let second = try ServedMock([Self.contract, "--quiet", "--no-watch", "--journal", file])
      try curl(second.url + "/v1/user")
      second.stop()
      let lines = try Command.run("journal", file).output.split(separator: "\n").map(String.init)
      #expect(lines.map { $0.prefix(1) } == ["1", "2", "3", "4"], "\(lines)")
      #expect(lines[0].contains(" GET /v1/user 200 ") && lines[3].contains(" GET /v1/user 401 "), "\(lines)")
      func numbers(_ arguments: String...) throws -> [Substring] {
        try Command.run(Command.path, ["journal", file] + arguments).output.split(separator: "\n").map { $0.prefix(1) }
      }
      #expect(try numbers("--unmatched") == ["3"])
      #expect(try numbers("--findings") == ["3", "4"])
      #expect(try numbers("--status", "200", "--limit", "1") == ["2"])
      #expect(try numbers("--operation", "readUser", "--method", "GET", "--lane", "default") == ["1", "2", "4"])
      let shown = try Command.run("journal", file, "--show", "3").output
      #expect(shown.hasPrefix("#3 GET /v1/usr\nanswered "), "\(shown)")
      #expect(shown.contains("nearest operations\n  GET /v1/user (readUser): `usr` stands in the place of `user`\n"))
    }
  }

  @Test func `the file and its log are readable by their owner alone`() throws {
    try withJournal { file, _ in
      // The log exists while the mock runs.
      for path in [file, file + "-wal", file + "-shm"] {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600, "\(path)")
      }
    }
  }

  @Test func `no secret is in the file, and the report of a bug is one line of curl and an answer`() throws {
    try withJournal { file, mock in
      mock.stop()
      #expect(try !Data(contentsOf: URL(filePath: file)).contains(Data("a-secret-token".utf8)))
      let report = try Command.run("journal", file, "--show", "1", "--format", "markdown").output
      #expect(report.hasPrefix("# `GET /v1/user`: 200\n\n- time: "), "\(report)")
      #expect(report.contains("```sh\ncurl -i \(mock.url)/v1/user -H 'idtoken: [redacted 1]'\n```"), "\(report)")
      #expect(report.contains("- `decided: default: fixture readUser/200`"), "\(report)")
    }
  }

  @Test func `its HAR is verified, and fixtures are recorded from the file itself`() throws {
    try withJournal { file, mock in
      mock.stop()
      let har = try Command.run("journal", file, "--format", "har").output
      try withProject(["traffic.har": har]) { folder in
        let verified = try Command.run("verify", Self.contract, "--har", folder + "/traffic.har")
        #expect((verified.output + verified.error).contains("no path of the contract"), "\(verified)")
        let recorded = try Command.run(
          "record", Self.contract, "--from", file, "--fixtures", folder + "/new", "--record-in-ci")
        #expect(recorded.code == 0 && recorded.output.contains("new/slp/readUser/200.json"), "\(recorded)")
      }
    }
  }

  @Test func `after a clean stop it is one file, which can be copied`() throws {
    try withJournal { file, mock in
      mock.stop()
      #expect(try FileManager.default.contentsOfDirectory(atPath: Path.folder(of: file)) == [Path.name(of: file)])
      try FileManager.default.copyItem(atPath: file, toPath: file + ".copy.sqlite")
      #expect(try Command.run("journal", file + ".copy.sqlite").output.split(separator: "\n").count == 3)
    }
  }

  @Test func `a file that is removed while the mock runs is a failure`() throws {
    try withJournal { file, mock in
      try FileManager.default.removeItem(atPath: file)
      let (code, printed) = mock.end()
      #expect(
        printed.contains("recorded 0 exchanges in \(file)\n3 exchanges missing in \(file): the file was removed\n"),
        "\(printed)")
      #expect(code == 2)
    }
  }

  @Test func `another program's database stays as it is`() throws {
    try withProject([:]) { folder in
      let file = folder + "/app.sqlite"
      let made = try Command.run(
        try #require(PythonServer.path),
        ["-c", "import sqlite3; c = sqlite3.connect('\(file)'); c.execute('create table t (a)'); c.commit()"])
      #expect(made.code == 0, "\(made)")
      let before = try Data(contentsOf: URL(filePath: file))
      let result = try Command.run("serve", Self.contract, "--port", "0", "--journal", file)
      #expect(result.code == 2 && result.error.contains("it is a database, but not a journal"), "\(result)")
      #expect(try Data(contentsOf: URL(filePath: file)) == before)
    }
  }

  @Test func `after a kill the file is whole`() throws {
    try withJournal { file, mock in
      // The last batch is written while the mock waits.
      var count = 0
      for _ in 0..<200 where count < 3 {
        count = try Command.run("journal", file).output.split(separator: "\n").count
      }
      #expect(count == 3)
      _ = mock.end(by: SIGKILL)
      #expect(try Command.run("journal", file).output.split(separator: "\n").count == 3)
    }
  }

  @Test(arguments: [
    (["nothing.sqlite"], "this file does not exist"), (["."], "this is not a file"),
    (["text.sqlite"], "file is not a database"), (["day.sqlite", "--show", "9"], "it has no request 9"),
    (["day.sqlite", "--format", "markdown"], "name it with --show"),
    (["day.sqlite", "--limit", "0"], "invalid for `--limit <number>`: expected a number from 1\n"),
  ])
  func `what cannot be shown is a message`(_ arguments: [String], _ message: String) throws {
    try withProject(["text.sqlite": "this is plain text, and long enough to be a header of a database or so"]) {
      folder in
      let mock = try ServedMock([Self.contract, "--quiet", "--no-watch", "--journal", folder + "/day.sqlite"])
      mock.stop()
      let result = try Command.run(Command.path, ["journal"] + arguments, in: folder)
      #expect(result.code != 0 && result.error.contains(message), "\(result)")
    }
  }

  @Test func `a file that is not a journal, or cannot be made, ends serve with a message`() throws {
    try withProject(["text.sqlite": String(repeating: "no database ", count: 20)]) { folder in
      for (file, message) in [("text.sqlite", "file is not a database"), ("no/day.sqlite", "unable to open")] {
        let result = try Command.run(
          Command.path, ["serve", Self.contract, "--port", "0", "--journal", file], in: folder)
        #expect(result.code == 2 && result.error.contains("--journal \(file): \(message)"), "\(result)")
      }
    }
  }
}
