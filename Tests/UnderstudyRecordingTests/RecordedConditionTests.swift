import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// Conditions that a recording writes, read as the mock reads them.
struct RecordedConditionTests {
  private static let contract = ContractFixture.text(
    paths: """
        /queue:
          post:
            operationId: joinQueue
            requestBody: {content: {application/json: {schema: {type: object}}}}
            responses:
              "200": {description: Joined., content: {text/plain: {}}}
              "203": {description: Penalty., content: {text/plain: {}}}

      """)

  /// A request with its status, and a body for each status.
  private static func joined(_ body: String, _ status: Int) -> RecordedSession.ShortExchange {
    ("POST /queue \(body)", "\(status) text/plain; charset=utf-8: \(status == 200 ? "success" : "penalty")")
  }

  /// The statuses of a session that is played against what was recorded of it, without a scenario.
  private func replayed(
    _ session: [RecordedSession.ShortExchange], _ result: RecordedSession.Result
  ) throws -> [Int] {
    try ContractFixture(Self.contract, fixtures: result.written).withMock { mock in
      let lane = LaneClient(mock)
      return session.map { request, _ in
        let body = String(request.split(separator: " ", maxSplits: 2)[2])
        return lane.send(.post, "/queue", ["Content-Type": "application/json"], body: body).status
      }
    }
  }

  @Test func `a list that other lists include is compared as a whole`() throws {
    let session = [
      Self.joined(#"{"lat":"37.5","studylist":["Swift","a"]}"#, 200),
      Self.joined(#"{"lat":"37.5","studylist":["Swift","b"]}"#, 200),
      Self.joined(#"{"lat":"37.5","studylist":["Swift"]}"#, 203),
    ]
    let result = try RecordedSession(contract: Self.contract).record(session)
    #expect(
      result.files["joinQueue/203.other.yaml"]
        == "when:\n  body:\n    studylist: {equals: [\"Swift\"]}\nbodyFile: 203.txt\n", "\(result.files)")
    #expect(try replayed(session, result) == [200, 200, 203])
  }

  @Test func `three members explain a response that no two of them explain`() throws {
    let session = [
      Self.joined(#"{"a":1,"b":1,"c":2}"#, 200), Self.joined(#"{"a":1,"b":2,"c":1}"#, 200),
      Self.joined(#"{"a":2,"b":1,"c":1}"#, 200), Self.joined(#"{"a":1,"b":1,"c":1}"#, 203),
    ]
    let result = try RecordedSession(contract: Self.contract).record(session)
    #expect(
      result.files["joinQueue/203.other.yaml"]
        == "when:\n  body:\n    a: \"1\"\n    b: \"1\"\n    c: \"1\"\nbodyFile: 203.txt\n", "\(result.files)")
    #expect(try replayed(session, result) == [200, 200, 200, 203])
  }

  @Test func `a value that is hidden is not taken for an absent one`() throws {
    let session = [
      Self.joined(#"{"lat":"1"}"#, 203),
      Self.joined(#"{"after":"7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10","lat":"1"}"#, 203),
      Self.joined(#"{"after":"start","lat":"1"}"#, 200),
    ]
    let result = try RecordedSession(contract: Self.contract).record(session)
    #expect(!result.files.values.contains { $0.contains("present: false") }, "\(result.files)")
  }

  @Test func `a condition that holds for a request with another response is never written`() throws {
    for seed in 0..<200 {
      var generator = SeededGenerator(state: UInt64(seed), isPlain: false, ordinal: 0)
      var known: [String: Int] = [:]
      let session = (0..<(2 + generator.number(below: 8))).map { _ in
        let words = ["Swift", "a", "b"].filter { _ in generator.number(below: 2) == 0 }
        let list = words.map { "\"\($0)\"" }.joined(separator: ",")
        let body = "{\"lat\":\"\(generator.number(below: 2))\",\"studylist\":[\(list)]}"
        let status = known[body] ?? [200, 203][generator.number(below: 2)]
        known[body] = status
        return Self.joined(body, status)
      }
      let result = try RecordedSession(contract: Self.contract).record(session)
      guard result.report.scenarios.isEmpty else { continue }
      let statuses = session.map { Int($0.answer.prefix(3)) ?? 0 }
      #expect(try replayed(session, result) == statuses, "seed \(seed): \(session)\n\(result.files)")
    }
  }
}
