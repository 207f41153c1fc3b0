import Foundation
import UnderstudyTestSupport
import UnderstudyTesting

struct VerdictTests {
  private static let slp: LaneTrait = .understudy("specs/slp.yaml", fixtures: "fixtures")

  @Test func `a request that breaks the contract fails the test`() async throws {
    let found = try await failures(of: Self.slp) {
      try send("POST", "/v1/queue/studyrequest", form, body: "uid=u2")
      try send("POST", "/v1/queue/studyrequest", form, body: "uid=u2")
    }
    #expect(
      found == [
        "test: POST /v1/queue/studyrequest (requestStudy): the property `otheruid` is missing, in 2 requests "
          + "[req.body.schema]"
      ])
  }

  @Test func `a request that reaches no operation fails the test`() async throws {
    let found = try await failures(of: Self.slp) { try send("/v1/users") }
    #expect(
      found == [
        "test: GET /v1/users: no path of the contract matches `/v1/users` [req.path.unknown]\n  help: did you mean `/v1/user`?"
      ])
  }

  @Test func `a rule that is allowed does not fail the test`() async throws {
    let found = try await failures(of: Self.slp.allowing("req.body.schema", "req.path.unknown")) {
      Lane.current?.allow("req.security.missing")
      try send("/v1/user", fields: "")
    }
    #expect(found == [])
  }

  @Test func `a reply that no request has met fails the test at its line`() async throws {
    let line = #line + 2
    let found = try await failures(of: Self.slp) {
      try await Lane.current?.reply(to: "readUser", 401, 200)
      try await Lane.current?.reply(to: "readChat", .hang)
      try send("/v1/user")
    }
    #expect(
      found == [
        "line \(line): `readUser` was called 1 time: the reply 200 was not sent [test.reply-unused]\n"
          + "  help: the client sent readUser (GET /v1/user)",
        "line \(line + 1): `readChat` was never called: the reply hang was not sent [test.reply-unused]\n"
          + "  help: the client sent readUser (GET /v1/user)",
      ])
  }

  @Test func `each reply that no request has met fails the test at its own line`() async throws {
    let line = #line + 5
    let found = try await failures(of: Self.slp) {
      let lane = try #require(Lane.current)
      try await lane.reply(to: "readUser", 401)
      try send("/v1/user")
      try await lane.reply(to: "readUser", when: .header("idtoken", "old"), 200)
      try await lane.reply(to: "GET /chat/{uid}", .hang)
    }
    #expect(
      found == [
        "line \(line): no request to `readUser` matched the condition: the reply 200 was not sent [test.reply-unused]\n"
          + "  help: the client sent readUser (GET /v1/user)",
        "line \(line + 1): `readChat` was never called: the reply hang was not sent [test.reply-unused]\n"
          + "  help: the client sent readUser (GET /v1/user)",
      ])
  }

  @Test func `unknown names fail the test at their line, with a suggestion`() async throws {
    let line = #line + 3
    let found = try await failures(of: Self.slp) {
      guard let lane = Lane.current else { return }
      _ = try? await lane.reply(to: "readUsr", 401)
      _ = try? await lane.reply(to: "readChat", .fixture("200.emty"))
      _ = try? await lane.reply(to: "joinQueue", .meaning("penaltyFrist"))
      _ = try? await lane.reply(to: "withdraw", 418)
      _ = try? await lane.reply(to: "readUser", .response(1000))
      _ = try? await lane.calls("sendChats")
    }
    #expect(
      found == [
        "line \(line): no operation is called `readUsr`\n  help: did you mean `readUser`?",
        "line \(line + 1): `readChat` has no status, meaning or fixture `200.emty`\n  help: did you mean `200.empty`?",
        "line \(line + 2): `joinQueue` has no status, meaning or fixture `penaltyFrist`\n"
          + "  help: did you mean `penaltyFirst`?",
        "line \(line + 3): `withdraw` has no status, meaning or fixture `418`\n  help: it has 200 success, "
          + "401 firebaseTokenError, 406 notRegistered, 500 serverError, 501 clientError, 200.empty, 200.plain, "
          + "200.quoted; with `text`, `json` or `base64` a status is sent that the contract does not document",
        "line \(line + 4): expected a status from 200 to 599\n  help: a reply takes operation, when, times, steps, and for "
          + "an answer status, meaning, fixture, variant, headers, json, text, base64, template, events, delay, fault",
        "line \(line + 5): no operation is called `sendChats`\n  help: did you mean `sendChat`?",
      ])
  }

  @Test func `an unmet expectation fails the test at its line`() async throws {
    let line = #line + 3
    let found = try await failures(of: Self.slp) {
      try send("/v1/user")
      try await Lane.current?.expect("readUser", times: 2)
    }
    #expect(
      found == ["line \(line): expected 2 requests to `readUser`, found 1; the client sent readUser (GET /v1/user)"])
  }

  @Test func `counts can have a lower and an upper limit`() async throws {
    let line = #line + 6
    let found = try await failures(of: Self.slp) {
      let lane = try #require(Lane.current)
      try send("/v1/user")
      try await lane.expect("readUser", atLeast: 1)
      try await lane.expect("readUser", atMost: 1)
      await #expect(throws: UnderstudyError.self) { try await lane.expect("readUser", atLeast: 2) }
      await #expect(throws: UnderstudyError.self) { try await lane.expect("readUser", atMost: 0) }
      await #expect(throws: UnderstudyError.self) { try await lane.expect("readUsr", times: 0) }
    }
    #expect(
      found == [
        "line \(line): expected at least 2 requests to `readUser`, found 1; the client sent readUser (GET /v1/user)",
        "line \(line + 1): expected at most 0 requests to `readUser`, found 1; the client sent readUser (GET /v1/user)",
        "line \(line + 2): no operation is called `readUsr`\n  help: did you mean `readUser`?",
      ])
  }

  @Test func `replies that can never be sent fail the test at their line`() async throws {
    let line = #line + 3
    let found = try await failures(of: Self.slp) {
      guard let lane = Lane.current else { return }
      _ = try? await lane.reply(to: "readUser")
      _ = try? await lane.reply(to: "readUser", 401, times: 0)
      _ = try? await lane.reply(to: "readUser", .status(401).times(0))
      _ = try? await lane.reply(to: "readUser", .fault("rest:body"))
      _ = try? await lane.reply(to: "readUser", .fault("reset@20%"))
    }
    let members =
      "a reply takes operation, when, times, steps, and for an answer status, meaning, fixture, variant, headers, json, "
      + "text, base64, template, events, delay, fault"
    #expect(
      found == [
        "line \(line): no reply is given for `readUser`",
        "line \(line + 1): expected a number of requests from 1 to 1000000 for `times`\n  help: \(members)",
        "line \(line + 2): expected a number of requests from 1 to 1000000 for `times`\n  help: \(members)",
        "line \(line + 3): `rest` is not a fault\n  help: did you mean `reset`?",
        "line \(line + 4): `reset@20%` depends on chance or on other requests\n"
          + "  help: leave the condition out, or use `fault` of the lane",
      ])
  }

  @Test func `a request that does not arrive fails the test at its line`() async throws {
    let line = #line + 3
    let found = try await failures(of: Self.slp) {
      try send("/v1/user")
      try await Lane.current?.next("sendChat", within: .milliseconds(1))
    }
    #expect(
      found == [
        "line \(line): no request to `sendChat` arrived within 1ms; the client sent readUser (GET /v1/user)"
      ])
  }

  @Test func `an error of the test stays an error of the test`() async throws {
    struct Broken: Error {}
    let found = try await failures(of: Self.slp) { throw Broken() }
    #expect(found.count == 1 && found.first?.hasSuffix(": Broken()") == true)
  }

  @Test func `a contract that does not load fails the test at the trait`() async throws {
    let line = #line + 1
    let found = try await failures(of: .understudy("specs/nothing.yaml")) { Issue.record("the test ran") }
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix(
        "line \(line): the contract `specs/nothing.yaml` does not exist\n  help: it is searched in the folders above ")
        == true, "\(found)")
  }

  @Test func `a contract with mistakes fails the test at the trait, with their places`() async throws {
    let folder = try TemporaryFolder(["api.yaml": "openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: ["])
    let line = #line + 1
    let found = try await failures(of: .understudy("\(folder.path)/api.yaml")) { Issue.record("the test ran") }
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("line \(line): `\(folder.path)/api.yaml` does not load\n\(folder.path)/api.yaml:3:")
        == true,
      "\(found)")
  }

  @Test func `a folder of fixtures that is missing fails the test at the trait`() async throws {
    let line = #line + 1
    let found = try await failures(of: .understudy("specs/slp.yaml", fixtures: "fixtrues")) {
      Issue.record("the test ran")
    }
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("line \(line): the folder of fixtures `fixtrues` does not exist\n") == true, "\(found)")
  }

  @Test func `the operation of cells must exist`() async throws {
    let cells = Cell.all(of: "specs/slp.yaml", operation: "joinQeue")
    let line = #line + 1
    let found = try await failures(of: Self.slp) { for cell in cells { try await Lane.current?.reply(with: cell) } }
    #expect(
      found == ["line \(line): `specs/slp.yaml` has no operation `joinQeue`\n  help: did you mean `joinQueue`?"])
  }

  /// Sends a request without reading its answer, by a client that stays.
  private static func leaveARequest(to operation: String, _ request: String) async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: operation, operation == "readUser" ? .hang : .delayed(.seconds(3_600)))
    let client = try RawClient(port: try #require(lane.baseURL.port))
    try client.send("\(request) HTTP/1.1\r\nHost: a\r\nidtoken: t\r\n\r\n")
    try await lane.next(operation)
    Self.clients.keep(client)
  }

  /// Clients that outlive their tests.
  private static let clients = KeptClients()

  @Test func `a request that waits for its answer at the end fails the test`() async throws {
    let found = try await failures(of: Self.slp) {
      try await Self.leaveARequest(to: "withdraw", "POST /v1/user/withdraw")
      try await Self.leaveARequest(to: "readUser", "GET /v1/user")
    }
    // A reply that hangs is not awaited.
    #expect(
      found == [
        "test: POST /v1/user/withdraw (withdraw): the test ended before the response, which is delayed by 3600.0 seconds "
          + "[test.request-pending]\n  help: await the client, or cancel it, before the test ends"
      ])
  }

  @Test func `a client that has given up when the test ends does not fail it`() async throws {
    let found = try await failures(of: Self.slp) {
      try await Lane.current?.reply(to: "readUser", .hang)
      try await Lane.current?.reply(to: "withdraw", .delayed(.seconds(3_600)))
      let client = try RawClient(port: try #require(Lane.current?.baseURL.port))
      try client.get("/v1/user", "idtoken: t\r\n")
      let other = try RawClient(port: try #require(Lane.current?.baseURL.port))
      try other.send("POST /v1/user/withdraw HTTP/1.1\r\nHost: a\r\nidtoken: t\r\n\r\n")
      try await Lane.current?.next("readUser")
      try await Lane.current?.next("withdraw")
    }
    #expect(found == [])
  }
}
