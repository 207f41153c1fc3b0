import Foundation
import Synchronization
import UnderstudyFixtures
import UnderstudyTestSupport
import UnderstudyTesting

@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures"))
struct SweepTests {
  let lane: Lane

  init() throws { lane = try #require(Lane.current) }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Decodes the account strictly.
  private static func nick(_ lane: Lane, retries: Int = 0) throws -> String {
    let answer: RawClient.Response
    do {
      answer = try send("/v1/user", to: lane)
    } catch {
      throw Failure(description: "no connection")
    }
    if answer.status == 401, retries > 0 { return try nick(lane, retries: retries - 1) }
    guard answer.status == 200 else { throw Failure(description: "\(answer.status)") }
    guard let object = try? JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any],
      let nick = object["nick"] as? String
    else { throw Failure(description: "no nick") }
    return nick
  }

  @Test func `a sweep has every documented status and every hostile variant of what the client calls`() async throws {
    let sweep = try await lane.sweep { try Self.nick($0) }
    #expect(Set(sweep.rows.map(\.operation)) == ["readUser"])
    #expect(sweep.rows.filter { $0.kind == "status" }.compactMap(\.status) == [200, 401, 406, 500, 501])
    #expect(try sweep["readUser", "fixture 200.garbage"].outcome == .threw("no connection"))
    #expect(!sweep.rows.contains { $0.variant == "fixture 200.hanging" })
    let kinds = Set(sweep.rows.map(\.kind))
    #expect(
      kinds == [
        "status", "fixture", "unknown-enum", "required-null", "required-missing", "additional-member", "wrong-type",
        "huge-number", "empty-list", "duplicate-items", "long-list", "long-text", "other-date", "html",
        "truncated-body", "empty-body", "byte-order-mark", "utf-16", "undocumented-status", "redirect", "slow", "drip",
        "stall", "invalid-utf8", "duplicate-headers", "conflicting-headers", "cut", "reset", "close", "garbage",
        "wrong-length", "bad-chunk",
      ])
    #expect(try sweep["readUser", "status 401 firebaseTokenError"].outcome == .threw("401"))
    #expect(try sweep["readUser", "additional-member"].outcome == .returned("도토리"), "\(sweep)")
    #expect(try sweep["readUser", "html"].outcome == .threw("no nick"))
    #expect(try sweep["readUser", "reset"].outcome == .threw("no connection"))
    try sweep.expect(
      .noHang, .nothingSwallowed, .throwsFor(400...599), .returnsFor("additional-member", "slow", "drip", "stall"))
    #expect(try await lane.calls().isEmpty)
  }

  /// FoundationNetworking ends its process when a connection closes within the head.
  @Test func `the current lane is the lane of a run while its client runs`() async throws {
    let sweep = try await lane.sweep { run in
      guard Lane.current?.name == run.name, run.name != lane.name else { throw Failure(description: "another lane") }
      return try Self.nick(Lane.current ?? run)
    }
    #expect(try sweep["readUser", "slow"].outcome == .returned("도토리"))
  }

  @Test func `a connection that closes within the head is left out where it would end the tests`() async throws {
    let sweep = try await lane.sweep { try Self.nick($0) }
    #if canImport(Darwin)
    #expect(sweep.rows.contains { $0.variant == "close head" })
    #else
    #expect(!sweep.rows.contains { $0.variant == "close head" })
    #endif
    for variant in ["reset", "reset head", "cut", "close"] { _ = try sweep["readUser", variant] }
  }

  @Test func `the cells of a sweep are in the matrix of coverage`() async throws {
    let sweep = try await lane.sweep { try Self.nick($0) }
    #expect(sweep.coverage.contains(/\nGET \/user +··S· +! +! +··S· ··S· ··S· ··S·\n/), "\(sweep.coverage)")
    #expect(sweep.coverage.contains(/S served +5 of 111\b/))
    let report = try JSONSerialization.jsonObject(with: Data(sweep.coverageReport.utf8)) as? [String: Any]
    let run = report?["run"] as? [String: Any]
    let (command, seed) = (run?["command"] as? String, run?["seed"] as? String)
    #expect(command == "sweep" && seed == "0")
    let rows = (report?["coverage"] as? [String: Any])?["rows"] as? [[String: Any]] ?? []
    let served = rows.filter { ($0["marks"] as? [String])?.contains("served") == true }
    let cells = served.map { row in "\(row["operation"] ?? "") \(row["status"] ?? "")" }
    #expect(cells == ["200", "401", "406", "500", "501"].map { "readUser \($0)" })
  }

  @Test func `a range and the default are swept with a code that nothing else documents`() async throws {
    let folder = try TemporaryFolder([
      "api.yaml": """
      openapi: 3.1.0
      info: {title: Ranges, version: "1"}
      paths:
        /a:
          get:
            operationId: readA
            responses:
              "200": {description: Done}
              "400": {description: Bad}
              4XX: {description: No}
              default: {description: Broken}

      """
    ])
    let found = try await failures(of: .understudy("\(folder.path)/api.yaml")) {
      let lane = try #require(Lane.current)
      let sweep = try await lane.sweep { lane in
        let status = try send("/a", fields: "", to: lane).status
        if status >= 400 { throw Failure(description: "\(status)") }
        return status
      }
      #expect(sweep.rows.compactMap(\.status) == [200, 400, 401, 500])
      #expect(try sweep["readA", "status 4XX"].outcome == .threw("401"))
      #expect(try sweep["readA", "status default"].outcome == .threw("500"))
      #expect(sweep.coverage.contains(/S served +4 of 4\b/), "\(sweep.coverage)")
      try sweep.expect(.throwsFor(400...599))
      for (status, code) in [("4XX", 401), ("default", 500)] {
        try await lane.reply(with: Cell(operation: "readA", status: code, key: status))
        #expect(try send("/a", fields: "").status == code)
      }
    }
    #expect(found == [])
  }

  @Test func `two sweeps with one seed are the same`() async throws {
    let first = try await lane.sweep(seed: "a") { try Self.nick($0) }
    let second = try await lane.sweep(seed: "a") { try Self.nick($0) }
    #expect(first.description == second.description)
  }

  @Test func `the table shows what the client sent next`() async throws {
    let sweep = try await lane.sweep { try Self.nick($0, retries: 3) }
    #expect(try sweep["readUser", "status 401 firebaseTokenError"].next == ["readUser x3"])
    #expect(sweep.description.contains("status 401 firebaseTokenError"))
    #expect(sweep.description.contains("threw 401, then sent readUser x3\n"), "\(sweep)")
    try sweep.expect(.callsAtMost(3))
    let found = Mutex("")
    withKnownIssue {
      #expect(throws: UnderstudyError.self) { try sweep.expect(.callsAtMost(2)) }
    } matching: { issue in
      found.withLock { $0 = issue.comments.map(\.rawValue).joined() }
      return true
    }
    let message = found.withLock { $0 }
    #expect(
      message.hasSuffix(
        "  readUser status 401 firebaseTokenError: expected at most 2 further requests, but it threw 401, "
          + "then sent readUser x3"), "\(message)")
  }

  @Test func `a sweep can vary the answers of one operation alone`() async throws {
    let sweep = try await lane.sweep("withdraw") { lane in
      try send("/v1/user", to: lane)
      return try send("POST", "/v1/user/withdraw", to: lane).status
    }
    #expect(Set(sweep.rows.map(\.operation)) == ["withdraw"])
    #expect(sweep.rows.first?.description == "withdraw status 200 success")
  }

  @Test func `an unknown operation is not swept, with a suggestion`() async throws {
    let found = try await failures(of: .understudy("specs/slp.yaml")) {
      _ = try await Lane.current?.sweep("withdrw") { _ in }
    }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasSuffix(": the mock has no operation `withdrw`\n  help: it has withdraw") == true)
  }

  @Test func `a client that waits for ever hangs, and the sweep goes on`() async throws {
    let sweep = try await lane.sweep(within: .milliseconds(200)) { lane in
      guard try send("/v1/user", to: lane).status == 406 else { return }
      // A stream without an element ends only with its task.
      let never = AsyncStream<Void> { _ in }
      for await _ in never {}
    }
    #expect(try sweep["readUser", "status 406 notRegistered"].outcome == .hung)
    #expect(try sweep["readUser", "status 500 serverError"].outcome == .returned(""))
  }

  @Test func `a run that hangs once is repeated before it counts as hung`() async throws {
    let runs = Mutex(0)
    let sweep = try await lane.sweep(within: .seconds(2)) { lane in
      guard try send("/v1/user", to: lane).status == 406 else { return }
      let isFirst = runs.withLock { count in
        count += 1
        return count == 1
      }
      guard isFirst else { return }
      let never = AsyncStream<Void> { _ in }
      for await _ in never {}
    }
    #expect(try sweep["readUser", "status 406 notRegistered"].outcome == .returned(""))
    #expect(runs.withLock { $0 } == 2)
  }

  @Test func `an expectation names the rows that fail it`() async throws {
    let found = try await failures(of: .understudy("specs/slp.yaml", fixtures: "fixtures")) {
      let lane = try #require(Lane.current)
      let sweep = try await lane.sweep { _ = try send("/v1/user", to: $0) }
      try sweep.expect(.throwsFor(401...406))
    }
    #expect(found.count == 1)
    #expect(
      found.first?.hasSuffix(
        """
        : 2 rows of the sweep fail:
          readUser status 401 firebaseTokenError: expected an error, but it returned
          readUser status 406 notRegistered: expected an error, but it returned
        """) == true, "\(found)")
  }

  @Test(arguments: [("htlm", "html"), ("additional-members", "additional-member")])
  func `an unknown kind of variant fails the test at its line, with a suggestion`(
    kind: String, known: String
  ) async throws {
    let found = try await failures(of: .understudy("specs/slp.yaml", fixtures: "fixtures")) {
      let lane = try #require(Lane.current)
      let sweep = try await lane.sweep { _ = try send("POST", "/v1/user/withdraw", to: $0) }
      try sweep.expect(.throwsFor(Sweep.Kind(stringLiteral: kind)))
    }
    #expect(found.count == 1, "\(found)")
    #expect(
      found.first?.hasSuffix(": a sweep has no variant `\(kind)`\n  help: did you mean `\(known)`?") == true, "\(found)"
    )
  }

  @Test func `a row is found by its whole name, and a part of it names the row`() async throws {
    let sweep = try await lane.sweep("withdraw") { _ = try send("POST", "/v1/user/withdraw", to: $0) }
    #expect(try sweep["withdraw", "status 401 firebaseTokenError"].status == 401)
    for name in ["status 401", "status 401 firebaseTokenEror"] {
      let error = #expect(throws: UnderstudyError.self) { _ = try sweep["withdraw", name] }
      #expect(
        error?.description
          == "the sweep has no row `withdraw \(name)`\n  help: did you mean `withdraw status 401 firebaseTokenError`?")
    }
  }

  @Test func `the limit of a test ends no row of its sweep`() async throws {
    let found = try await failures(of: .understudy("specs/slp.yaml", fixtures: "fixtures", limit: .milliseconds(100))) {
      let lane = try #require(Lane.current)
      let sweep = try await lane.sweep("withdraw") { try send("POST", "/v1/user/withdraw", to: $0).status }
      #expect(try sweep["withdraw", "slow"].outcome == .returned("200"))
    }
    #expect(found == [])
  }

  @Test func `a violation that the test allows is no row's`() async throws {
    let found = try await failures(of: .understudy("specs/slp.yaml", fixtures: "fixtures")) {
      let lane = try #require(Lane.current)
      lane.allow("req.security.missing")
      let sweep = try await lane.sweep("withdraw") { _ = try send("POST", "/v1/user/withdraw", "", to: $0) }
      #expect(sweep.rows.flatMap(\.violations) == [])
    }
    #expect(found == [])
  }

  @Test func `a reply that is chosen by method and path is met by the runs of a sweep`() async throws {
    try await lane.reply(to: "GET /user", 200)
    _ = try await lane.sweep { try Self.nick($0) }
  }

  @Test func `the runs of a sweep have the replies and the forced responses of their test`() async throws {
    try await lane.reply(to: "readUser", .json("{\"nick\": \"Ann\"}"))
    try await lane.force(["withdraw": 406])
    let sweep = try await lane.sweep("readUser") { lane in
      "\(try Self.nick(lane)) \(try send("POST", "/v1/user/withdraw", to: lane).status)"
    }
    for variant in ["slow", "drip", "additional-member"] {
      #expect(try sweep["readUser", variant].outcome == .returned("Ann 406"), "\(variant)")
    }
    #expect(try sweep["readUser", "required-missing /nick"].outcome == .threw("no nick"))
    #expect(try Self.nick(lane) == "Ann")
  }

  @Test(arguments: [false, true])
  func `a request that breaks the contract after an answer is named`(inChildProcesses: Bool) async throws {
    let sweep = try await lane.sweep(inChildProcesses: inChildProcesses) { lane in
      // No signature after a 401; and the page of a redirect is asked for.
      switch try send("POST", "/v1/user/withdraw", to: lane).status {
      case 401: try send("POST", "/v1/user/withdraw", "", to: lane)
      case 302: try send("/understudy-redirect", to: lane)
      default: break
      }
    }
    let broken = sweep.rows.filter { !$0.violations.isEmpty }
    #expect(broken.map(\.variant) == ["status 401 firebaseTokenError"])
    #expect(broken.first?.violations.count == 1, "\(broken)")
    #expect(broken.first?.violations.first?.hasPrefix("withdraw: ") == true, "\(broken)")
    let found = Mutex<String>("")
    withKnownIssue {
      #expect(throws: UnderstudyError.self) { try sweep.expect(.requestsObeyTheContract) }
    } matching: { issue in
      found.withLock { $0 = issue.comments.map(\.rawValue).joined() }
      return true
    }
    #expect(
      found.withLock(\.self).contains(
        "  withdraw status 401 firebaseTokenError: expected valid requests, but it returned, then sent withdraw; withdraw: "
      ))
  }

  @Test func `a known weakness does not fail again, and a mended one is reported`() async throws {
    let folder = try TemporaryFolder(["known.txt": "readUser status 401 firebaseTokenError\nreadUser html\n"])
    let found = try await failures(of: .understudy("specs/slp.yaml", fixtures: "fixtures")) {
      let lane = try #require(Lane.current)
      let sweep = try await lane.sweep { _ = try send("/v1/user", to: $0) }
      try sweep.expect(.throwsFor(401...401), baseline: "\(folder.path)/known.txt")
    }
    #expect(found.count == 1)
    #expect(
      found.first?.hasSuffix(
        ": 1 row of the sweep fails:\n  readUser html: is in the baseline, but no longer fails") == true, "\(found)")
  }

  @Test func `a client that fails with default responses is not swept`() async throws {
    let found = try await failures(of: .understudy("specs/slp.yaml", fixtures: "fixtures")) {
      _ = try await Lane.current?.sweep { _ in throw Failure(description: "no luck") }
    }
    #expect(
      found.first?.hasSuffix(": a sweep needs a client that works with default responses, but it threw no luck")
        == true,
      "\(found)")
  }
}
