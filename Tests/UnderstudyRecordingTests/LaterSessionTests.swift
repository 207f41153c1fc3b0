import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// A recording into fixtures that an earlier recording wrote.
struct LaterSessionTests {
  private static let contract = ContractFixture.text(
    paths: """
        /pets:
          get:
            operationId: listPets
            responses: {"200": {description: Pets., content: {application/json: {}}}}
          post:
            operationId: addPet
            responses: {"201": {description: Added., content: {application/json: {}}}}
        /pets/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          get:
            operationId: readPet
            responses:
              "200": {description: A pet., content: {application/json: {}}}
              "404": {description: No such pet., content: {application/json: {}}}

      """)

  private func record(
    _ exchanges: [(String, String)], after earlier: [String: String] = [:],
    _ configure: (inout RecordingSettings) -> Void = { _ in }
  ) throws -> RecordedSession.Result {
    var session = RecordedSession(contract: Self.contract, fixtures: earlier)
    configure(&session.settings)
    return try session.record(exchanges.map { (request: $0.0, answer: $0.1) })
  }

  private static let found = ("GET /pets/1", #"200 {"name": "a"}"#)
  private static func missing(_ id: Int) -> (String, String) { ("GET /pets/\(id)", #"404 {"code": 4}"#) }

  // MARK: - Conditions

  @Test(arguments: [[found, missing(8)], [missing(8)]])
  func `a request that no condition of an earlier session covers gets its own, with the body that is there`(
    _ session: [(String, String)]
  ) throws {
    let first = try record([Self.found, Self.missing(9)]).written
    #expect(first["readPet/404.forId9.yaml"] != nil && first["_scenarios/recorded.yaml"] == nil)
    let second = try record(session, after: first)
    #expect(second.files == ["readPet/404.forId8.yaml": "when:\n  path:\n    id: \"8\"\nbodyFile: 404.json\n"])
    let third = try record(session, after: first.merging(second.written) { $1 })
    #expect(third.files == [:])
  }

  @Test func `a request with another body than that of the fixture has a file of its own`() throws {
    let first = try record([Self.found, Self.missing(9)]).written
    let second = try record([Self.found, ("GET /pets/8", #"404 {"code": 5}"#)], after: first)
    #expect(second.files["readPet/bodies/404.forId8.json"] == "{\n  \"code\": 5\n}\n", "\(second.files)")
  }

  @Test func `a request that an earlier condition would answer otherwise goes to a scenario`() throws {
    let first = try record([Self.found, Self.missing(9)]).written
    let second = try record([("GET /pets/9", #"200 {"name": "a"}"#)], after: first)
    #expect(second.files.keys.sorted() == ["_scenarios/recorded.yaml"])
  }

  @Test(arguments: [
    ("7", "8"), ("7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10", "0e984725-c51c-4bf4-9960-e1c80e27aba0"),
  ])
  func `an id that a server creates in every session needs no further condition`(_ old: String, _ new: String) throws {
    func session(_ id: String) -> [(String, String)] {
      [Self.found, ("POST /pets", #"201 {"id": "\#(id)"}"#), ("GET /pets/\(id)", #"404 {"code": 4}"#)]
    }
    let first = try record(session(old)).written
    #expect(first.keys.contains { $0.hasPrefix("readPet/404.forId") }, "\(first)")
    #expect(try record(session(new), after: first).files == [:])
  }

  // MARK: - Scenarios

  @Test func `a scenario of an earlier session stays while it has answers that the later one lacks`() throws {
    let sold = ("GET /pets/1", #"200 {"name": "a", "sold": true}"#)
    let first = try record([Self.found, sold]).written
    #expect(first["_scenarios/recorded.yaml"]?.contains("readPet: [200, 200.withSold]") == true, "\(first)")
    let second = try record([Self.found, Self.missing(1)], after: first)
    #expect(second.files["_scenarios/recorded.yaml"] == nil)
    #expect(second.files["_scenarios/recorded2.yaml"]?.contains("readPet: [200, 404]") == true, "\(second.files)")
    #expect(second.report.scenarios == ["recorded2"])
    let both = first.merging(second.written) { $1 }
    for session in [[Self.found, Self.missing(1)], [Self.found, sold]] {
      #expect(try record(session, after: both).written == [:])
    }
  }

  @Test func `a scenario of a later session does not have the sequences of an earlier one for what it recorded itself`()
    throws
  {
    let sold = ("GET /pets/1", #"200 {"name": "a", "sold": true}"#)
    let first = try record([Self.found, sold]).written
    let second = try record([("GET /pets", "200 []"), ("GET /pets", "200 [1]"), Self.found], after: first)
    #expect(
      second.files["_scenarios/recorded2.yaml"]
        == "summary: The answers of a recording, in its order.\nsequence:\n  listPets: [200, 200.filled]\n",
      "\(second.files)")
  }

  @Test func `the first answer of a later session stands for the first of the earlier one`() throws {
    func session(_ name: String) -> [(String, String)] {
      [Self.missing(1), ("POST /pets", "201 {}"), ("GET /pets/1", #"200 {"name": "\#(name)"}"#)]
    }
    let first = try record(session("Dia")).written
    #expect(first["_scenarios/recorded.yaml"]?.contains("readPet: [404, 200]") == true, "\(first)")
    #expect(try record(session("Autonoe"), after: first).written == [:])
  }

  // MARK: - Values

  private static func dated(_ day: String, _ time: String, _ epoch: String, born: String) -> (String, String) {
    let address = "http://127.0.0.1:\(epoch.utf8.count)00"
    let type = "multipart/form-data; boundary=-----\(epoch)"
    return (
      "GET /pets/1",
      """
      200 {"day": "\(day)", "at": "\(time)", "epoch": \(epoch), "born": "\(born)", "from": "\(address)/x", "type": "\(type)", \
      "cookie": "user-127-0-0-1-\(epoch.utf8.count)00"}
      """
    )
  }

  @Test(arguments: [("2020-01-01", 0), ("2020-01-02", 2)])
  func `times, addresses and boundaries change no file, and a birthday does`(_ born: String, _ count: Int) throws {
    let first = try record(
      [Self.dated("2026-11-20", "2026-11-21 09:40:00", "1795254060.25", born: "2020-01-01")]
    ).written
    let second = try record(
      [Self.dated("2026-11-21", "2026-11-21 09:44:10", "1795254361.5", born: born)], after: first
    ) { $0.mode = .all }
    #expect(second.plan.files.count == count, "\(second.written)")
  }

  @Test func `the order of requests decides which answer is the default, and rewriting keeps it`() throws {
    let session = [Self.found, ("GET /pets/2", #"200 {"name": "a", "owner": null}"#), Self.missing(9)]
    let first = try record(session).written
    #expect(first["readPet/200.nullOwner.yaml"]?.contains("id: \"2\"") == true, "\(first)")
    let second = try record(session.reversed(), after: first) { $0.mode = .all }
    #expect(second.written == [:] && second.plan.removed == [])
  }

  @Test func `the order of requests numbers secrets otherwise, and changes no file`() throws {
    let session = [
      ("GET /pets?token=f1rst-secret-aa", #"200 [{"seen": "f1rst-secret-aa"}]"#),
      ("GET /pets/1?token=s2cond-secret-b", #"200 {"seen": "s2cond-secret-b"}"#),
    ]
    let first = try record(session).written
    #expect(first["listPets/200.json"]?.contains("redacted") == true, "\(first)")
    let second = try record(session.reversed(), after: first) { $0.mode = .all }
    #expect(second.written == [:])
  }
}
