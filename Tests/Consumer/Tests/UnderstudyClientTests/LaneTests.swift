import Foundation
import Testing
import UnderstudyClient
import UnderstudyClientTestSupport

@Suite(.needsMock)
struct LaneTests {
  @Test(.lane("slp", force: ["readUser": 406]))
  func `a lane answers with what is forced, below an address of its own`() async throws {
    let lane = try #require(Lane.current)
    #expect(lane.name.hasPrefix("slp-"))
    #expect(lane.baseURL.absoluteString.hasSuffix("/~\(lane.name)"))
    let answer = try await AppClient(lane).get("/v1/user")
    #expect(answer.status == 406)
    try await lane.expect("readUser", times: 1)
  }

  @Test(.lane("slp"))
  func `replies answer in turn, and the last one stays`() async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: "readUser", 401, .response(418, headers: ["X-A": "1"], body: "tea").times(2), .usual)
    var statuses: [Int] = []
    for _ in 0..<5 { statuses.append(try await AppClient(lane).get("/v1/user").status) }
    #expect(statuses == [401, 418, 418, 200, 200])
  }

  @Test(.lane("slp"))
  func `a reply with a predicate leaves other requests alone`() async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: "sendChat", when: .field("chat", "b") && .path("uid", "u2"), .json(["chat": "ok"]))
    let client = AppClient(lane)
    #expect(try await client.send("POST", "/v1/chat/u2", form: "chat=b").text.contains(#""ok""#))
    #expect(try await !client.send("POST", "/v1/chat/u2", form: "chat=a").text.contains(#""ok""#))
    #expect(try await !client.send("POST", "/v1/chat/u3", form: "chat=b").text.contains(#""ok""#))
  }

  @Test(.lane("slp"))
  func `a fault breaks so many answers`() async throws {
    let lane = try #require(Lane.current)
    try await lane.fault("sendChat", .reset, times: 1)
    let client = AppClient(lane, isAlone: true)
    await #expect(throws: (any Error).self) { try await client.send("POST", "/v1/chat/u2", form: "chat=a") }
    #expect(try await client.send("POST", "/v1/chat/u2", form: "chat=a").status == 200)
  }

  @Test(.lane("slp"))
  func `the next request has its decoded values`() async throws {
    let lane = try #require(Lane.current)
    let client = AppClient(lane)
    async let answer = client.send("POST", "/v1/chat/u%202", form: "chat=a%26b+c")
    let sent = try await lane.next("sendChat", within: .seconds(30))
    #expect(sent.field("chat") == "a&b c")
    #expect(sent.parameter("uid") == "u 2" || sent.parameter("to") == "u 2")
    #expect(sent.status == 200 && sent.operation == "sendChat")
    #expect(sent.header("content-type") == "application/x-www-form-urlencoded")
    #expect(try await answer.status == 200)
    try await client.send("POST", "/v1/chat/u2", form: "chat=d")
    #expect(try await lane.next("sendChat", within: .seconds(30)).field("chat") == "d")
    #expect(try await lane.calls("sendChat").map { $0.field("chat") } == ["a&b c", "d"])
  }

  @Test func `a request that breaks the contract fails the test with its exchange`() async throws {
    let found = try await failures(of: .lane()) {
      try await AppClient(try #require(Lane.current)).send("POST", "/v1/queue/studyrequest", form: "uid=u2")
    }
    #expect(found.count == 1 && found[0].hasPrefix("test: POST /v1/queue/studyrequest (requestStudy): "), "\(found)")
    #expect(found.first?.contains("`otheruid`") == true && found.first?.contains("[req.body.schema]") == true)
  }

  @Test func `an allowed finding does not fail the test`() async throws {
    let found = try await failures(of: .lane().allowing("req.body.schema")) {
      try await AppClient(try #require(Lane.current)).send("POST", "/v1/queue/studyrequest", form: "uid=u2")
    }
    #expect(found == [])
  }

  @Test func `a reply that no request has met fails the test at its line`() async throws {
    let found = try await failures(of: .lane()) {
      try await #require(Lane.current).reply(to: "readChat", "200.empty")
    }
    #expect(found.count == 1 && found[0].hasPrefix("line: `readChat` was never called: "), "\(found)")
    #expect(found.first?.contains("[test.reply-unused]\n  help: the client sent nothing") == true)
  }

  @Test func `an unknown operation fails at its line with a suggestion`() async throws {
    let found = try await failures(of: .lane()) {
      let lane = try #require(Lane.current)
      _ = try? await lane.reply(to: "readUsr", 401)
      try? await lane.expect("readuser", times: 0)
    }
    #expect(found.count == 2 && found.allSatisfy { $0.hasPrefix("line: ") && $0.contains("readUser") }, "\(found)")
  }

  @Test func `a silent client is told from what it sent`() async throws {
    let found = try await failures(of: .lane()) {
      let lane = try #require(Lane.current)
      try await AppClient(lane).get("/v1/user")
      try await lane.next("sendChat", within: .milliseconds(100))
    }
    #expect(found == ["line: no request to `sendChat` arrived within 100ms; the client sent readUser (GET /v1/user)"])
  }

  @Test func `a count that is not met shows what was sent`() async throws {
    let found = try await failures(of: .lane()) {
      let lane = try #require(Lane.current)
      try await AppClient(lane).get("/v1/user")
      try await lane.expect("readUser", atLeast: 2)
    }
    #expect(
      found == ["line: expected at least 2 requests to `readUser`, found 1; the client sent readUser (GET /v1/user)"])
  }

  @Test func `a call after the end of the test says to await it`() async throws {
    let lane = try await Lane.open()
    try await lane.close()
    let error = await #expect(throws: UnderstudyError.self) { try await lane.reply(to: "readUser", 401) }
    #expect(error?.description.contains("help: await the task that calls it") == true)
  }

  @Test func `a lane closes although the task of its test is cancelled`() async throws {
    let lane = try await Lane.open()
    try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await lane.close()
    }.value
    #expect(try await !lane.mock.lanes.contains(lane.name))
  }

  @Test func `a test that does not await its client fails`() async throws {
    let found = try await failures(of: .lane()) {
      let lane = try #require(Lane.current)
      try await lane.delay("readUser", by: .seconds(5 * 60))
      Task.detached { _ = try? await AppClient(lane).get("/v1/user") }
      // The request is under way.
      #expect(try await lane.next("readUser").status == 0)
    }
    #expect(
      found == [
        "test: GET /v1/user (readUser): the test ended before the response, which is delayed by 300.0 seconds "
          + "[test.request-pending]\n  help: await the client, or cancel it, before the test ends"
      ])
  }

  @Test func `checks and the clock direct a lane`() async throws {
    let lane = try await Lane.open()
    try await lane.stopClock()
    try await lane.expect(checks: "retry-storm=2")
    try await lane.advance(by: .seconds(1 * 3_600))
    try await lane.force(["readUser": 500])
    for _ in 0..<5 { try await AppClient(lane).get("/v1/user") }
    let error = await #expect(throws: UnderstudyError.self) { try await lane.close() }
    #expect(error?.kind == .failed && error?.description.contains("check.retry-storm") == true, "\(error as Any)")
  }
}
