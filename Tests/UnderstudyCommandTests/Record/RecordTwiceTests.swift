import Foundation
import Testing
import UnderstudyTestSupport

/// `record --twice`, and recordings that change nothing, with a server whose answers change in every run.
@Suite(.waitsForProcesses, .enabled(if: PythonServer.path != nil, "skipped: no python3"))
struct RecordTwiceTests {
  /// Records a session with a server; returns the output.
  private func record(_ server: PythonServer, in folder: String, _ arguments: [String]) throws -> String {
    let proxy = try ServedMock(
      ["api.yaml", "--upstream", "http://127.0.0.1:\(server.port)"] + arguments, command: "record", in: folder)
    try VolatileBackend.session(proxy.url)
    let (code, printed) = proxy.end()
    #expect(code == 0, "\(printed)")
    return printed
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder + "/fixtures/api").sorted()
  }

  @Test func `safe requests are sent again at the end, and what they show to change makes no variant`() throws {
    try withProject(["api.yaml": VolatileBackend.contract]) { folder in
      let server = try VolatileBackend.start()
      defer { server.stop() }
      let printed = try record(server, in: folder, ["--twice", "safe"])
      #expect(printed.contains("sends requests again; another Ctrl-C ends without fixtures\n"))
      #expect(
        printed.contains(
          """
          changes from run to run, by 3 comparisons:
            readStatus 200: /error, /hits, /now, /workers
          not compared:
            2 exchanges: it may change something: `--twice all` sends it again as well

          """), "\(printed)")
      // The mode changes with every second request, and so not between these.
      let bodies = try names(folder).filter { $0.hasPrefix("readStatus/bodies/") }
      #expect(bodies == ["readStatus/bodies/200.json", "readStatus/bodies/200.modeIdle.json"])
      // Three times `/status`, three requests of an order, and two requests twice more.
      let hits = try Curl.get("http://127.0.0.1:\(server.port)/requests").body
      #expect(hits == "9")
    }
  }

  @Test func `a session that is sent again uses the ids that the server gives this time`() throws {
    try withProject(["api.yaml": VolatileBackend.contract]) { folder in
      let server = try VolatileBackend.start()
      defer { server.stop() }
      let printed = try record(server, in: folder, ["--twice", "all", "--templates"])
      #expect(
        printed.contains(
          """
          changes from run to run, by 7 comparisons:
            addOrder 201: /createdAt, /id, /trace
            readOrder 200: /createdAt, /id, /trace
            readStatus 200: /error, /hits, /mode, /now, /workers

          """), "\(printed)")
      #expect(!printed.contains("not compared"))
    }
  }

  @Test func `two recordings of a session are compared`() throws {
    try withProject(["api.yaml": VolatileBackend.contract]) { folder in
      let server = try VolatileBackend.start()
      defer { server.stop() }
      for file in ["a.har", "b.har"] {
        let proxy = try ServedMock(
          ["api.yaml", "--upstream", "http://127.0.0.1:\(server.port)", "--har", file], in: folder)
        try VolatileBackend.session(proxy.url)
        #expect(proxy.end().code == 0)
      }
      let result = try Command.run("record", "api.yaml", "--from", "a.har", "--twice", "b.har", in: folder)
      #expect(result.code == 0)
      #expect(
        result.error.contains(
          """
          changes from run to run, by 7 comparisons:
            addOrder 201: /createdAt, /id, /trace
            readOrder 200: /createdAt, /id, /trace
            readStatus 200: /error, /hits, /mode, /now, /workers

          """), "\(result.error)")
      let again = try Command.run("record", "api.yaml", "--from", "b.har", in: folder)
      #expect(again.error.hasPrefix("recorded 7 exchanges of 4 operations: 0 fixtures, 7 seen\n"), "\(again.error)")
    }
  }

  @Test(arguments: [
    [], ["--templates"], ["--session", "evening"], ["--keep", "all"], ["--templates", "--session", "evening"],
  ])
  func `recording a server with volatile answers again changes no file`(_ arguments: [String]) throws {
    try withProject(["api.yaml": VolatileBackend.contract]) { folder in
      let server = try VolatileBackend.start()
      defer { server.stop() }
      _ = try record(server, in: folder, arguments + ["--twice", "all"])
      let git = "git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm 1"
      _ = try Command.run("/bin/sh", ["-c", git], in: folder)
      for more in [[], ["--mode", "all"], ["--mode", "all", "--twice", "all"]] {
        let printed = try record(server, in: folder, arguments + more)
        let status = try Command.run("/usr/bin/git", ["status", "--porcelain"], in: folder)
        #expect(status.output == "", "\(more): \(printed)")
      }
      let verified = try Command.run("verify", "api.yaml", in: folder)
      #expect(verified.code == 0, "\(verified.output)\(verified.error)")
    }
  }

  @Test func `an id that the mock generates is repeated by the answers about it`() throws {
    try withProject(["api.yaml": VolatileBackend.contract]) { folder in
      let server = try VolatileBackend.start()
      let printed = try record(server, in: folder, ["--templates"])
      server.stop()
      #expect(printed.contains("--scenario recorded"), "\(printed)")
      let mock = try ServedMock(["api.yaml", "--scenario", "recorded"], in: folder)
      defer { mock.stop() }
      let order = try Command.run(
        "/usr/bin/curl",
        ["-sS", "-H", "Content-Type: application/json", "-d", #"{"item": "pen"}"#, mock.url + "/orders"])
      #expect(order.output.contains(#""item": "pen""#), "\(order.output)")
      let trace = try #require(order.output.firstMatch(of: /"trace": "([^"]+)"/)?.output.1)
      #expect(try !names(folder).contains { $0.contains(trace) })
      #expect(try Curl.get(mock.url + "/orders/mine").body.contains(#""id": "mine""#))
    }
  }

  @Test(arguments: [
    (["--upstream", "http://127.0.0.1:1", "--twice", "b.har"], "--upstream takes --twice safe or --twice all"),
    (["--from", "a.har", "--twice", "none.har"], "none.har: no such file"),
    (["--from", "a.har", "--draft", "d.yaml", "--twice", "a.har"], "--draft writes"),
  ])
  func `a second pass that cannot be made is an error`(_ arguments: [String], _ message: String) throws {
    let har = #"{"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": []}}"#
    try withProject(["api.yaml": VolatileBackend.contract, "a.har": har]) { folder in
      let contract = arguments.contains("--draft") ? [] : ["api.yaml"]
      let result = try Command.run(Command.path, ["record"] + contract + arguments, in: folder)
      #expect([2, 3].contains(result.code))
      #expect(result.error.contains(message), "\(result.error)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.har", "api.yaml"])
    }
  }
}
