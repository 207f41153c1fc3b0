import HTTPTypes
import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// A session that is played against the files that it leads to, before they are written.
struct PlayedSessionTests {
  private static let contract = ContractFixture.text(
    paths: """
        /pets/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          get:
            operationId: readPet
            responses:
              "200": {description: A pet., content: {application/json: {}}}
              "404": {description: No such pet., content: {application/json: {}}}

      """)

  private func played(
    _ exchanges: [RecordedSession.ShortExchange], by player: PlanPlayer? = nil
  ) throws -> (plan: RecordingPlan, report: RecordingReport) {
    try RecordedSession(contract: Self.contract).played(exchanges, by: player)
  }

  private static func response(_ status: Int, _ body: String) -> Exchange.Response {
    Exchange.Response(status: status, fields: [.contentType: "application/json"], body: .bytes(Array(body.utf8)))
  }

  private static let session: [RecordedSession.ShortExchange] = [
    ("GET /pets/1", #"200 {"name":"a"}"#), ("GET /pets/2", #"404 {"code":4}"#),
  ]
  private static let answers = [response(200, #"{"name":"a"}"#), response(404, #"{"code":4}"#)]

  private static let reversed = PlayedSession.Outcome(responses: answers.reversed())

  private func line(_ item: (what: String, count: Int)) -> String { "\(item.what) (\(item.count))" }

  @Test func `a session that is replayed equal has no remark and no scenario`() throws {
    let (plan, report) = try played(Self.session)
    #expect(report.unequal.isEmpty, "\(report.unequal)")
    #expect(plan.files.map(\.path).contains("api/readPet/404.forId2.yaml") && report.scenarios == [])
  }

  @Test func `an operation whose conditions do not give its responses again is ordered by the scenario`() throws {
    let (plan, report) = try played(Self.session) { _, scenario, _ in
      scenario == nil ? Self.reversed : .init(responses: Self.answers)
    }
    let scenario = try #require(plan.files.first { $0.path == "api/_scenarios/recorded.yaml" })
    #expect(String(decoding: scenario.bytes, as: UTF8.self).contains("readPet: [200, 404]"))
    #expect(report.unequal.isEmpty && report.scenarios == ["recorded"])
  }

  @Test func `responses that no order gives again are named with its operation and count, without a scenario`() throws {
    let (_, report) = try played(Self.session) { _, _, _ in Self.reversed }
    #expect(report.scenarios == [])
    #expect(
      report.unequal.map(line) == ["readPet: expected 200, found 404 (1)", "readPet: expected 404, found 200 (1)"])
  }

  @Test func `more values of one shape than a cell keeps, and a path that the contract lacks, are named`() throws {
    let values = (0..<12).map { number -> RecordedSession.ShortExchange in
      ("GET /pets/1", #"200 {"name":"\#(number)"}"#)
    }
    let (plan, report) = try played(values + [("GET /dogs/7", "200 {}")])
    #expect(
      report.unequal.map(line) == [
        "readPet 200: expected another body; --keep all keeps every body (11)",
        "GET /dogs/{}: not in the contract, so the mock sends a problem document (1)",
      ])
    #expect(plan.files.map(\.path) == ["api/readPet/200.json", "api/_recorded.yaml"])
  }

  @Test(arguments: [
    (#"200 {"id":"7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10"}"#, #"{"id":"0e984725-c51c-4bf4-9960-e1c80e27aba0"}"#, ""),
    (#"200 {"id": 1}"#, #"{"id":1}"#, ""), (#"200 {"id":1}"#, #"{"id":2}"#, "readPet 200: expected another body"),
  ]) func `generated values and the layout of JSON make no difference`(
    _ recorded: String, _ found: String, _ difference: String
  ) throws {
    let (_, report) = try played([("GET /pets/1", recorded)]) { _, _, _ in
      .init(responses: [Self.response(200, found)])
    }
    #expect(report.unequal.first?.what.hasPrefix(difference) ?? difference.isEmpty, "\(report.unequal)")
    #expect(report.unequal.isEmpty == difference.isEmpty)
  }

  @Test func `files that cannot be played are named`() throws {
    let (_, report) = try played(Self.session) { _, _, _ in nil }
    #expect(report.unequal.map(line) == ["the files cannot be played before they are written (2)"])
  }
}
