import UnderstudyTestSupport
import UnderstudyTesting

struct ScenarioReplyTests {
  private static func folder() throws -> TemporaryFolder {
    try TemporaryFolder([
      "api.yaml": """
      openapi: 3.1.0
      info: {title: Jobs, version: "1"}
      paths:
        /job:
          get:
            operationId: readJob
            responses: {"200": {description: Done}, "202": {description: Later}, "503": {description: No}}
      """,
      "fixtures/api/_scenarios/slow.yaml": "sequence: {readJob: [202*2, 200]}",
      "fixtures/api/_scenarios/down.yaml": "sequence: {readJob: [503]}",
    ])
  }

  private static func trait(_ folder: TemporaryFolder, scenario: String? = nil) -> LaneTrait {
    .understudy("\(folder.path)/api.yaml", fixtures: "\(folder.path)/fixtures", scenario: scenario)
  }

  private static func statuses(_ count: Int) throws -> [Int] {
    try (0..<count).map { _ in try send("/job", fields: "").status }
  }

  @Test func `a scenario answers from its beginning, and replies take precedence`() async throws {
    let folder = try Self.folder()
    let found = try await failures(of: Self.trait(folder)) {
      let lane = try #require(Lane.current)
      #expect(try Self.statuses(1) == [200])
      try await lane.play("slow")
      #expect(try Self.statuses(4) == [202, 202, 200, 200])
      try await lane.play("slow")
      try await lane.reply(to: "readJob", 503, times: 1)
      #expect(try Self.statuses(3) == [503, 202, 202])
    }
    #expect(found == [])
  }

  @Test func `the checks, the clock and the requests of a test stay when a scenario begins`() async throws {
    let folder = try Self.folder()
    let found = try await failures(of: Self.trait(folder)) {
      let lane = try #require(Lane.current)
      try await lane.stopClock()
      try await lane.expect(checks: "poll-interval=5s")
      #expect(try Self.statuses(1) == [200])
      try await lane.play("slow")
      try await lane.advance(by: .seconds(4))
      #expect(try Self.statuses(1) == [202])
      // The clock stands still.
      try await lane.advance(by: .milliseconds(4499))
      #expect(try Self.statuses(1) == [202])
    }
    #expect(found.count == 1, "\(found)")
    let proof = "[check.poll-interval]\n  request 1: GET /job -> 200\n  request 2, 4s later: GET /job -> 202\n"
    #expect(found.first?.contains(", in 2 requests " + proof) == true, "\(found)")
  }

  @Test func `a scenario of the trait gives way to that of the test`() async throws {
    let folder = try Self.folder()
    let found = try await failures(of: Self.trait(folder, scenario: "down")) {
      let statuses = try Self.statuses(2)
      try await Lane.current?.play("slow")
      #expect(try statuses + Self.statuses(1) == [503, 503, 202])
    }
    #expect(found == [])
  }

  @Test func `an unknown scenario fails the test at its line, with a suggestion`() async throws {
    let folder = try Self.folder()
    let line = #line + 2
    let found = try await failures(of: Self.trait(folder)) {
      try await Lane.current?.play("slwo")
      try send("/job", fields: "")
    }
    #expect(found == ["line \(line): unknown scenario `slwo`\n  help: did you mean `slow`?"])
  }

  @Test func `an unknown scenario of the trait fails the test at the trait`() async throws {
    let folder = try Self.folder()
    let line = #line + 1
    let trait = LaneTrait.understudy(
      "\(folder.path)/api.yaml", fixtures: "\(folder.path)/fixtures", scenario: "dwon")
    let found = try await failures(of: trait) { Issue.record("the test ran") }
    #expect(found == ["line \(line): unknown scenario `dwon`\n  help: did you mean `down`?"])
  }
}
