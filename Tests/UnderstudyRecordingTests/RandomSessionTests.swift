import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// Random sessions that are recorded again: an unchanged server changes no file.
struct RandomSessionTests {
  private static let contract = ContractFixture.text(
    paths: """
        /pets:
          get:
            operationId: listPets
            parameters: [{name: owner, in: query, schema: {type: string}}]
            responses: {"200": {description: Pets., content: {application/json: {}}}}
          post:
            operationId: addPet
            requestBody: {content: {application/json: {schema: {properties: {name: {type: string}}}}}}
            responses:
              "201": {description: Added., content: {application/json: {}}}
              "400": {description: Wrong., content: {application/json: {}}}
              "409": {description: Taken., content: {text/plain: {}}}
        /pets/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          get:
            operationId: readPet
            responses:
              "200": {description: A pet., content: {application/json: {schema: {properties: {state: {enum: [new, old]}}}}}}
              "404": {description: No such pet., content: {application/json: {}}}
          delete:
            operationId: removePet
            responses: {"204": {description: Gone.}}

      """)

  /// No path has an id that an answer creates: such an id stands for that of an earlier session.
  private static let exchanges: [(request: [String], answers: [String])] = [
    (
      ["GET /pets/1", "GET /pets/2", "GET /pets/3", "GET /pets/tom"],
      [
        #"200 {"name": "a", "state": "new"}"#, #"200 {"name": "b", "state": "old"}"#, #"200 {"name": null}"#,
        #"200 {"name": "a-s3cret-77", "at": "2026-11-21T09:40:00Z"}"#, #"404 {"code": 4}"#, #"404 {"code": 5}"#,
        "200 text/html: <p>a-s3cret-77</p>", #"404 {"reason": "a-s3cret-77"}"#, "418 text/plain: teapot",
      ]
    ),
    (
      ["GET /pets", "GET /pets?owner=ann", "GET /pets?owner=bob", "GET /pets?token=a-s3cret-77"],
      ["200 []", #"200 [{"name": "a"}]"#, #"200 [{"name": "b"}, {"name": null}]"#, #"200 [{"seen": "a-s3cret-77"}]"#]
    ),
    (
      [#"POST /pets {"name":"a"}"#, #"POST /pets {"name":"b"}"#, #"POST /pets {"id":"7","name":"c"}"#],
      [
        #"201 {"id": "31"}"#, #"201 {"id": "7", "name": "c"}"#, "409 text/plain: taken",
        #"201 {"id": "7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10"}"#,
      ]
    ), (["DELETE /pets/1", "DELETE /pets/2"], ["204", "404 {}"]),
  ]

  /// Requests that break the contract, which the mock answers with 400 by itself.
  private static let invalid: [(request: [String], answers: [String])] = [
    (
      [#"POST /pets {"name":7}"#, #"POST /pets {"name":[]}"#],
      [#"400 {"code": 1}"#, #"400 {"code": 1}"#, #"400 {"code": 1}"#, #"201 {"id": "9"}"#, "409 text/plain: taken"]
    )
  ]

  private static func session(
    _ generator: inout SeededGenerator, among exchanges: [(request: [String], answers: [String])] = exchanges
  ) -> [RecordedSession.ShortExchange] {
    (0..<(1 + generator.number(below: 14))).map { _ in
      let kind = exchanges[generator.number(below: exchanges.count)]
      return (
        kind.request[generator.number(below: kind.request.count)],
        kind.answers[generator.number(below: kind.answers.count)]
      )
    }
  }

  @Test(arguments: [RecordingSettings.Keep.shapes, .first, .all], [false, true])
  func `a session that is recorded again changes no file`(_ keep: RecordingSettings.Keep, _ templates: Bool) throws {
    for seed in 0..<40 {
      var generator = SeededGenerator(state: UInt64(seed), isPlain: false, ordinal: 0)
      let exchanges = Self.session(&generator)
      func record(_ mode: RecordingSettings.Mode, after earlier: [String: String]) throws -> RecordedSession.Result {
        var session = RecordedSession(contract: Self.contract, fixtures: earlier)
        (session.settings.keep, session.settings.writesTemplates, session.settings.mode) = (keep, templates, mode)
        return try session.record(exchanges)
      }
      let first = try record(.missing, after: [:]).written
      for mode in [RecordingSettings.Mode.missing, .all] {
        let again = try record(mode, after: first)
        #expect(again.files == [:] && again.plan.removed == [], "seed \(seed), \(mode): \(exchanges)")
        #expect(again.plan.kept.isEmpty && again.plan.leaks == [], "seed \(seed), \(mode)")
      }
    }
  }

  /// What differs between a session and what its fixtures answer, by status and media type.
  private func differences(
    _ session: [RecordedSession.ShortExchange], _ result: RecordedSession.Result, _ files: [String: String]
  ) throws -> [String] {
    try ContractFixture(Self.contract, fixtures: files).withMock(configure: {
      $0.scenario = result.report.scenarios.first
    }) { mock in
      let lane = LaneClient(mock)
      return try session.enumerated().compactMap { index, exchange -> String? in
        let entry = try RecordedSession.entry(exchange.request, exchange.answer)
        guard let method = HTTPRequest.Method(entry.method) else { return nil }
        let reply = lane.send(
          method, String(exchange.request.split(separator: " ")[1]), ["Content-Type": "application/json"],
          body: String(decoding: entry.requestBody.bytes, as: UTF8.self))
        let type =
          reply.body.isEmpty ? nil : reply.response.headerFields[.contentType].flatMap { MediaRange($0)?.essence }
        let wanted =
          entry.responseBody.isEmpty ? nil : entry.response?.fields[.contentType].flatMap { MediaRange($0)?.essence }
        guard reply.status != entry.status || type != wanted else { return nil }
        return "\(index) \(exchange.request): \(reply.status) \(type ?? ""), not \(exchange.answer)"
      }
    }
  }

  @Test func `requests that break the contract get what they got, and take no step of the valid ones`() throws {
    var scenarios: Set<Bool> = []
    for seed in 0..<100 {
      var generator = SeededGenerator(state: UInt64(seed), isPlain: false, ordinal: 0)
      let session = Self.session(&generator, among: [Self.exchanges[2]] + Self.invalid)
      let result = try RecordedSession(contract: Self.contract).record(session)
      #expect(try differences(session, result, result.written) == [], "seed \(seed): \(session)")
      scenarios.insert(result.written["_scenarios/recorded.yaml"]?.contains("\ninvalid:\n  addPet: ") == true)
    }
    #expect(scenarios == [true, false])
  }

  @Test func `fixtures answer the session that they were recorded from, and a later one`() throws {
    for seed in 0..<100 {
      var generator = SeededGenerator(state: UInt64(seed), isPlain: false, ordinal: 0)
      let sessions = [Self.session(&generator), Self.session(&generator)]
      let first = try RecordedSession(contract: Self.contract).record(sessions[0])
      #expect(try differences(sessions[0], first, first.written) == [], "seed \(seed): \(sessions[0])")
      let second = try RecordedSession(contract: Self.contract, fixtures: first.written).record(sessions[1])
      let both = first.written.merging(second.written) { $1 }
      #expect(try differences(sessions[1], second, both) == [], "seed \(seed): \(sessions)")
    }
  }
}
