import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// `--twice`: what differs in a second pass over a session makes no fixture, no `when` and no difference.
struct SecondPassTests {
  private static let contract = ContractFixture.text(
    paths: """
        /status:
          get:
            operationId: readStatus
            parameters: [{name: nonce, in: query, schema: {type: string}}]
            responses:
              "200":
                description: The status.
                content: {application/json: {schema: {properties: {mode: {enum: [idle, busy]}}}}}
              "409": {description: Conflict.}
        /log:
          get:
            operationId: readLog
            responses: {"200": {description: Text., content: {text/plain: {}}}}

      """)

  private func record(
    _ session: [RecordedSession.ShortExchange], again: [RecordedSession.ShortExchange] = [],
    fixtures: [String: String] = [:], _ configure: (inout RecordingSettings) -> Void = { _ in }
  ) throws -> RecordedSession.Result {
    var recording = RecordedSession(contract: Self.contract, fixtures: fixtures)
    configure(&recording.settings)
    return try recording.record(session, again: again)
  }

  private static let status = "GET /status"
  private static let first: [RecordedSession.ShortExchange] = [
    (status, #"200 {"up": 1, "mode": "idle", "jobs": {"a_1": 1}, "error": null}"#),
    (status, #"200 {"up": 2, "mode": "busy", "jobs": {"b_2": 1}}"#),
  ]
  private static let second: [RecordedSession.ShortExchange] = [
    (status, #"200 {"up": 7, "mode": "busy", "jobs": {"c_3": 1}}"#),
    (status, #"200 {"up": 9, "mode": "idle", "jobs": {"d_4": 1}, "error": "x"}"#),
  ]

  @Test func `without a second pass every volatile difference is a variant`() throws {
    let files = try record(Self.first).files
    #expect(files.keys.contains("readStatus/200.modeBusy.json"), "\(files.keys)")
    #expect(files.keys.contains("_scenarios/recorded.yaml"))
  }

  @Test func `volatile places make no variant and no scenario, and are listed`() throws {
    let result = try record(Self.first, again: Self.second)
    #expect(result.files.keys.sorted() == ["readStatus/200.json"], "\(result.files)")
    #expect(result.report.volatile == ["readStatus 200: /error, /jobs, /mode, /up"])
    #expect(result.report.comparison.compared == 2)
  }

  @Test func `what stays the same still makes a variant`() throws {
    let more: RecordedSession.ShortExchange = (Self.status, #"200 {"up": 3, "mode": "idle", "jobs": {}, "list": []}"#)
    let files = try record(Self.first + [more], again: Self.second + [more]).files
    #expect(files.keys.contains("readStatus/200.withList.json"), "\(files.keys)")
  }

  @Test func `with all answers kept, those that differ only in volatile places are one`() throws {
    let result = try record(Self.first, again: Self.second) { $0.keep = .all }
    #expect(result.files.keys.sorted() == ["readStatus/200.json"], "\(result.files)")
  }

  @Test func `what was found is kept with the fixtures, for later recordings and comparisons`() throws {
    let index = try record(Self.first, again: Self.second).plan.files.first { $0.path.hasSuffix("_recorded.yaml") }
    let text = String(decoding: try #require(index).bytes, as: UTF8.self)
    #expect(
      text.hasSuffix(
        """
        volatile:
          readStatus:
            "200":
              /error: shape
              /jobs: names
              /mode: value
              /up: value

        """), "\(text)")
    let fixtures = ["_recorded.yaml": text, "readStatus/200.json": #"{"up": 1, "mode": "idle", "jobs": {"a_1": 1}}"#]
    #expect(try record(Self.second, fixtures: fixtures).files == [:])
    let drifts = try record(Self.second, fixtures: fixtures, { $0.mode = .diff }).report.drifts
    #expect(drifts.isEmpty, "\(drifts)")
  }

  @Test func `a value of the request that differs in the second pass explains no answer`() throws {
    let answers = ["200 {}", "409"]
    let session = answers.map { (request: "GET /status?nonce=\($0.count)a", answer: $0) }
    let again = answers.map { (request: "GET /status?nonce=\($0.count)b", answer: $0) }
    #expect(try record(session).files.values.contains { $0.contains("nonce") })
    let files = try record(session, again: again).files
    #expect(files.values.allSatisfy { !$0.contains("nonce") }, "\(files)")
    #expect(files["_scenarios/recorded.yaml"]?.contains("readStatus: [200, 409]") == true, "\(files)")
  }

  @Test func `an answer with another status, and a recording with other requests, are not compared`() throws {
    let result = try record(
      [(Self.status, "200 {}"), ("GET /status?nonce=1", "200 {}"), ("GET /log", "200 text/plain: a")],
      again: [(Self.status, "409"), ("GET /log", "200 text/plain: b")])
    #expect(
      result.report.comparison.notCompared.map(\.reason).sorted() == [
        "readStatus answered 200, and then 409", "the second recording has other requests to readStatus",
      ])
    #expect(result.report.volatile == ["readLog 200: the body"])
  }

  @Test func `a place whose name is a secret is not shown`() throws {
    let token = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
    func exchanges(_ time: Int) -> [RecordedSession.ShortExchange] {
      [(Self.status, #"200 {"password": "\#(token)", "\#(token)": {"used": \#(time)}}"#)]
    }
    let result = try record(exchanges(1), again: exchanges(2))
    #expect(result.report.volatile.allSatisfy { !$0.contains(token) })
    #expect(result.plan.files.allSatisfy { !String(decoding: $0.bytes, as: UTF8.self).contains(token) })
  }
}
