import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy ctl` beside a running mock, as a user runs it.
@Suite(.waitsForProcesses)
struct ControlTests {
  private static let contract = Project.path("specs/slp.yaml")

  private func ctl(_ mock: ServedMock, _ arguments: String...) throws -> Command.Result {
    try Command.run(Command.path, ["ctl"] + arguments + ["--url", mock.url])
  }

  private func status(_ mock: ServedMock, _ path: String) throws -> String {
    try Command.run(
      "/usr/bin/curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "idtoken: a", mock.url + path]
    ).output
  }

  @Test func `an answer is forced for a number of requests, or until it is released`() throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch"])
    let forced = try ctl(mock, "force", "readUser=500", "--times", "1")
    #expect(forced.output == "lane      default\nforced    readUser=500 for 1 request\n", "\(forced.error)")
    #expect(try status(mock, "/v1/user") == "500")
    #expect(try status(mock, "/v1/user") == "200")
    _ = try ctl(mock, "force", "readUser=notRegistered")
    #expect(try status(mock, "/v1/user") == "406")
    #expect(try ctl(mock, "release").output == "lane      default\n")
    #expect(try status(mock, "/v1/user") == "200")
  }

  @Test(arguments: [
    ["force", "readUser=401"], ["fault", "readUser=delay:1ms"], ["reply", "readUser", "--status", "401"],
  ])
  func `the verdict of the lane without a name counts every request, whatever directs it`(_ command: [String]) throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch"])
    _ = try status(mock, "/v1/usr")
    #expect(try Command.run(Command.path, ["ctl"] + command + ["--url", mock.url]).code == 0)
    _ = try status(mock, "/v1/user")
    _ = try status(mock, "/v1/usr")
    let verdict = try ctl(mock, "verdict")
    #expect(verdict.code == 1)
    #expect(verdict.output.hasPrefix("failed: 3 requests in the lane `default`\n"), "\(verdict.output)")
  }

  @Test func `a mock without an admin API is named as one`() throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch", "--no-admin"])
    let result = try ctl(mock, "lanes")
    #expect(result.code == 4)
    #expect(
      result.error.contains("has no admin API at /__admin\n  help: it was started with --no-admin"), "\(result.error)")
  }

  @Test func `the verdict of the lane without a name counts every request`() throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch"])
    let none = try ctl(mock, "verdict")
    #expect(
      none.output == "" && none.error.hasPrefix("no request has reached the lane `default`: nothing was checked\n"))
    #expect(none.code == 4)
    #expect(try status(mock, "/v1/user") == "200")
    #expect(try ctl(mock, "verdict").output == "passed: 1 request in the lane `default`\n")
    #expect(try Command.run("/usr/bin/curl", ["-s", "-o", "/dev/null", mock.url + "/v1/user"]).code == 0)
    let failed = try ctl(mock, "verdict")
    #expect(
      failed.output.hasPrefix("failed: 2 requests in the lane `default`\nerror: ")
        && failed.output.contains("  request 2: GET /v1/user -> 401\n"), "\(failed.output)")
    #expect(failed.code == 1)
  }

  @Test func `what a lane forces takes precedence over what is forced at the start`() throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch", "--force", "readUser=500"])
    #expect(try status(mock, "/v1/user") == "500")
    _ = try ctl(mock, "force", "readUser=200", "--times", "1")
    #expect(try status(mock, "/v1/user") == "200")
    #expect(try status(mock, "/v1/user") == "500")
  }

  @Test func `answers are delayed and broken, until they are released`() throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch"])
    #expect(try ctl(mock, "fault", "readUser=reset").output == "lane      default\nfault     readUser=reset\n")
    #expect(try status(mock, "/v1/user") == "000")
    #expect(
      try ctl(mock, "fault", "--delay", "readUser=1ms").output
        == "lane      default\nfault     readUser=reset\ndelay     readUser=1ms\n")
    #expect(try ctl(mock, "release").output == "lane      default\n")
    #expect(try status(mock, "/v1/user") == "200")
  }

  @Test(arguments: ["-1h", "-5", "-1.5s"]) func `a clock does not move back`(time: String) throws {
    let result = try Command.run(Command.path, ["ctl", "advance", time])
    #expect(result.output == "")
    #expect(
      result.error == """
        error: `\(time)` is not a valid time: the clock of a lane only moves forward
          help: reset the lane, and advance it from the beginning

        """)
    #expect(result.code == 2)
  }

  @Test(arguments: ["5", "0s", "soon"]) func `a time has a unit`(time: String) throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch"])
    let result = try ctl(mock, "advance", time)
    #expect(result.code == 2)
    #expect(
      result.error.hasPrefix("error: expected a time for `advance`, such as `500ms`, `5s`, `3m` or `1h`"),
      "\(result.error)")
  }

  @Test func `files are loaded again without a watcher`() throws {
    let contract = """
      openapi: 3.1.0
      info: {title: Notes, version: "1"}
      paths:
        /notes/1:
          get:
            operationId: readNote
            responses:
              "200": {description: One, content: {application/json: {schema: {type: object}}}}
      """
    try withProject(["api.yaml": contract, "fixtures/api/readNote/200.json": #"{"id": 1}"#]) { folder in
      let mock = try ServedMock(["api.yaml", "--quiet", "--no-watch"], in: folder)
      func note() throws -> String { try Command.run("/usr/bin/curl", ["-s", mock.url + "/notes/1"]).output }
      let before = try note()
      try #"{"id": 2}"#.write(toFile: folder + "/fixtures/api/readNote/200.json", atomically: true, encoding: .utf8)
      #expect(try note() == before)
      #expect(try ctl(mock, "reload").output == "reloaded\n")
      #expect(try note() != before)
      try "openapi: [".write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
      let refused = try ctl(mock, "reload")
      #expect(refused.code == 2 && refused.error.contains("the last valid state is served"), "\(refused)")
    }
  }

  @Test func `a scenario is played, its clock is moved, and the mock begins anew`() throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch"])
    #expect(try ctl(mock, "play", "token-expires").output == "lane      default\nscenario  token-expires\n")
    #expect(try status(mock, "/v1/user") == "401")
    #expect(try ctl(mock, "advance", "1h").code == 0)
    #expect(try ctl(mock, "reset").output == "the mock begins anew\n")
    #expect(try status(mock, "/v1/user") == "200")
    #expect(try ctl(mock, "lanes").output == "default  \(mock.url)\n")
  }

  @Test func `a scenario is played from a state`() throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch"])
    let played = try ctl(mock, "play", "token-expires", "--state", "refreshed")
    #expect(played.output == "lane      default\nscenario  token-expires\nstate     refreshed\n", "\(played.error)")
    #expect(try status(mock, "/v1/user") == "200")
    let unknown = try ctl(mock, "play", "token-expires", "--state", "refresht")
    #expect(unknown.code == 2)
    #expect(
      unknown.error.contains("has no state `refresht`")
        && unknown.error.contains("did you mean `refreshed`? known: valid, expired, refreshed"), "\(unknown.error)")
  }

  @Test func `a status is forced at random, as often as its chance says`() throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch"])
    let forced = try ctl(mock, "force", "readUser=500@50%")
    #expect(forced.output == "lane      default\nforced    readUser=500@50%\n", "\(forced.error)")
    #expect(Set(try (0..<20).map { _ in try status(mock, "/v1/user") }) == ["200", "500"])
    let refused = try ctl(mock, "force", "readUser=500@half")
    #expect(refused.code == 2 && refused.error.contains("`@half` is not a condition"), "\(refused.error)")
  }

  @Test func `the log shows requests with their answers, as text, JSON and HAR`() throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch"])
    _ = try status(mock, "/v1/user")
    _ = try status(mock, "/nowhere")
    let lines = try ctl(mock, "log").output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("GET /v1/user 200"), "\(lines)")
    #expect(try ctl(mock, "log", "--unmatched").output.split(separator: "\n").count == 1)
    #expect(try ctl(mock, "log", "--format", "ndjson", "--limit", "1").output.hasPrefix("{\"id\":2,"))
    let har = try ctl(mock, "log", "--format", "har").output
    try withProject(["traffic.har": har]) { folder in
      let result = try Command.run("verify", Self.contract, "--har", folder + "/traffic.har")
      #expect((result.output + result.error).contains("no path of the contract"), "\(result.output)\(result.error)")
    }
    #expect(try ctl(mock, "show", "1", "--format", "json").output.contains("\"operation\": \"readUser\""))
  }

  @Test(arguments: [
    (["force", "readUser"], "`readUser` is incomplete"),
    (["force", "readUser=200", "--times", "0"], "`--times <number>`: expected a number from 1 to "),
    (["force", "readUsr=200"], "no operation is called `readUsr`"),
    (["force", "readUser=299"], "`readUser` has no status, meaning or fixture `299`"),
    (["play", "nothing"], "unknown scenario `nothing`"), (["advance", "soon"], "expected a time for `advance`"),
    (["show", "99"], "the journal holds no request `99`"),
    (["release", "--lane", "nobody"], "no lane `nobody` is open"),
    (["log", "--limit", "0"], "`--limit <number>`: expected a number from 1 to 10000"),
    (["log", "--follow", "--format", "har"], "--follow"),
    (["release", "--lane", "a/b"], "is not the name of a lane"),
  ]) func `a mistake is refused with a reason`(arguments: [String], message: String) throws {
    let mock = try ServedMock([Self.contract, "--quiet", "--no-watch"])
    let result = try Command.run(Command.path, ["ctl"] + arguments + ["--url", mock.url])
    #expect(result.code == 2 && result.error.contains(message), "\(result.output)\(result.error)")
  }

  @Test func `a server that is not there, or is another one, is named`() throws {
    let gone = try Command.run("ctl", "lanes", "--url", "http://127.0.0.1:1")
    #expect(gone.code == 4 && gone.error.contains("no mock answers at http://127.0.0.1:1"), "\(gone.error)")
    let other = try RawServer { connection, _ in
      _ = try connection.head()
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
      return ""
    }
    defer { other.stop() }
    let result = try Command.run("ctl", "lanes", "--url", "http://127.0.0.1:\(other.port)")
    #expect(result.code == 4 && result.error.contains("has no admin API of Understudy"), "\(result.error)")
  }

  /// The run saves fixtures, so the mock gets a copy of them. It waits for requests as shortly as possible.
  @Test func `the admin API keeps its own contract`() throws {
    try withTemporaryFolder { folder in
      let fixtures = folder + "/fixtures"
      try FileManager.default.copyItem(atPath: Project.path("fixtures"), toPath: fixtures)
      let mock = try ServedMock([Self.contract, "--fixtures", fixtures, "--quiet", "--no-watch"])
      _ = try status(mock, "/v1/user")
      _ = try status(mock, "/nowhere")
      let contract = try Project.text("specs/admin.yaml")
      let short = contract.replacing(/pattern: .*60s.*\|1m\)\$'/, with: "pattern: '^[1-9]ms$'")
      #expect(short != contract)
      try short.write(toFile: folder + "/admin.yaml", atomically: true, encoding: .utf8)
      let result = try Command.run(
        "verify", "--live", mock.url, "--allow-unsafe", "--exclude-operation", "followRequests",
        folder + "/admin.yaml")
      #expect(result.code == 0, "\(result.output)\(result.error)")
    }
  }
}
