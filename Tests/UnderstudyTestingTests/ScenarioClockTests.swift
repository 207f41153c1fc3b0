import UnderstudyTestSupport
import UnderstudyTesting

@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures")) struct ScenarioClockTests {
  /// The status of the profile.
  private func profile(token: String, of lane: Lane) async throws -> Int {
    try send("/v1/user", fields: "idtoken: \(token)\r\n", to: lane).status
  }

  @Test func `a token of an hour is refreshed once`() async throws {
    let lane = try #require(Lane.current)
    try await lane.play("token-age")
    try await lane.expect(checks: "retry-storm=1")
    _ = try await profile(token: "one", of: lane)
    try await lane.advance(by: .seconds(3600))
    #expect(try await profile(token: "one", of: lane) == 401)
    #expect(try await profile(token: "two", of: lane) == 200)
  }

  @Test func `time that would run backwards fails the test at its line`() async throws {
    let line = #line + 2
    let found = try await failures(of: .understudy("specs/slp.yaml")) {
      try await Lane.current?.advance(by: .seconds(-1))
    }
    #expect(found.count == 1 && found[0].hasPrefix("line \(line): the clock of a mock only moves forward"), "\(found)")
  }

  @Test func `an unknown check, or one of an unknown operation, fails the test with a suggestion`() async throws {
    let found = try await failures(of: .understudy("specs/slp.yaml")) {
      try? await Lane.current?.expect(checks: "retry-strom")
      try? await Lane.current?.expect(checks: "burst:readUsr")
    }
    #expect(found.count == 2 && found[0].contains("did you mean `retry-storm`?"), "\(found)")
    #expect(found.last?.contains("did you mean `readUser`?") == true, "\(found)")
  }

  @Test func `a failing check names both requests, once for all of them`() async throws {
    let found = try await failures(of: .understudy("specs/slp.yaml", fixtures: "fixtures")) {
      let lane = try #require(Lane.current)
      try await lane.reply(to: "readUser", 401)
      try await lane.expect(checks: "retry-after-401")
      for _ in 0..<4 { try send("/v1/user", to: lane) }
    }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("in 3 requests [check.retry-after-401]") == true, "\(found)")
    #expect(found.first?.contains("\n  request 1: GET /v1/user -> 401\n  request 2, ") == true, "\(found)")
  }
}
