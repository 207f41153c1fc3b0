import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// Sessions whose requests explain their responses by something else than a declared value, or not at all: a replay gives
/// every response again.
struct SharpenedSessionTests {
  private static let contract = ContractFixture.text(
    paths: """
        /pets:
          get:
            operationId: listPets
            parameters: [{name: Accept-Language, in: header, schema: {type: string}}]
            responses: {"200": {description: Pets., content: {application/json: {}}}}
          post:
            operationId: addPets
            requestBody: {content: {application/json: {}}}
            responses:
              "200": {description: Added., content: {application/json: {}, text/plain: {}}}
              "201": {description: Added.}

      """)

  private func played(
    _ exchanges: [RecordedSession.ShortExchange], fields: [Int: HTTPFields] = [:],
    _ configure: (inout RecordedSession) -> Void = { _ in }
  ) throws -> (files: [String: String], report: RecordingReport) {
    var session = RecordedSession(contract: Self.contract)
    configure(&session)
    let (plan, report) = try session.played(exchanges, fields: fields)
    let files = plan.files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }
    return (Dictionary(uniqueKeysWithValues: files), report)
  }

  @Test func `a header that the contract declares is a condition`() throws {
    let (files, report) = try played(
      [("GET /pets", #"200 ["cat"]"#), ("GET /pets", #"200 ["Katze"]"#), ("GET /pets", #"200 ["cat"]"#)],
      fields: [1: [.acceptLanguage: "de"]])
    #expect(report.unequal.isEmpty && report.scenarios == [], "\(report.unequal)")
    #expect(
      files["api/listPets/200.forAcceptLanguageDe.yaml"] == """
        when:
          header:
            Accept-Language: de
        bodyFile: bodies/200.forAcceptLanguageDe.json

        """, "\(files)")
  }

  @Test(arguments: [
    // The same request with responses that alternate, of one shape.
    [("GET /pets", #"200 ["a"]"#), ("GET /pets", #"200 ["b"]"#), ("GET /pets", #"200 ["a"]"#)],
    // A query parameter that the contract lacks.
    [("GET /pets?page=1", #"200 ["a"]"#), ("GET /pets?page=2", #"200 ["b"]"#), ("GET /pets?page=1", #"200 ["a"]"#)],
    // The order of a body without names, of its members, and of objects in a list.
    [
      ("POST /pets [1,2]", #"200 {"n":1}"#), ("POST /pets [2,1]", #"200 {"n":2}"#),
      ("POST /pets [1,2]", #"200 {"n":1}"#),
    ],
    [(#"POST /pets {"a":1,"b":2}"#, #"200 {"n":1}"#), (#"POST /pets {"b":2,"a":1}"#, #"200 {"n":2}"#)],
    [(#"POST /pets {"l":[{"a":1}]}"#, #"200 {"n":1}"#), (#"POST /pets {"l":[{"a":2}]}"#, #"200 {"n":2}"#)],
    // A list that has grown by an element equal to one before, without a change by the client.
    [("GET /pets", #"200 ["a"]"#), ("GET /pets", #"200 ["a","a"]"#), ("GET /pets", #"200 ["a","a"]"#)],
    // A 401 that nothing documents in the middle, with two bodies.
    [("GET /pets", #"401 {"why":"none"}"#), ("GET /pets", #"200 ["a"]"#), ("GET /pets", #"401 {"why":"expired"}"#)],
    // Types: without a charset, with another one than the extension has, of an empty body.
    [("POST /pets 1", "200 text/plain: a"), ("POST /pets 2", "200 text/plain; charset=utf-8: b")],
    [("POST /pets 1", "200 text/plain: a"), ("POST /pets 2", "200 text/plain; charset=utf-8: a")],
  ]) func `a replay gives every response again`(_ session: [RecordedSession.ShortExchange]) throws {
    let (files, report) = try played(session)
    #expect(report.unequal.isEmpty, "\(report.unequal) \(files)")
  }

  @Test func `responses that differ by a kept header alone are kept`() throws {
    for (number, place) in ["/pets/1", "/pets/2"].enumerated() {
      let other = number == 0 ? "/pets/2" : "/pets/1"
      let session = RecordedSession(contract: Self.contract)
      let entries: [RecordedSession.ShortExchange] = [("POST /pets [1]", "201"), ("POST /pets [2]", "201")]
      let (plan, report) = try session.played(entries, responses: [0: [.location: place], 1: [.location: other]])
      #expect(report.unequal.isEmpty, "\(report.unequal)")
      let all = plan.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
      #expect(all.contains("Location: /pets/1") && all.contains("Location: /pets/2"), "\(all)")
    }
  }

  @Test func `the type of an empty body is kept`() throws {
    let session = RecordedSession(contract: Self.contract)
    let (plan, report) = try session.played(
      [("POST /pets [1]", "201")], responses: [0: [.contentType: "application/octet-stream"]])
    #expect(report.unequal.isEmpty, "\(report.unequal)")
    let file = plan.files.first { $0.path == "api/addPets/201.yaml" }
    #expect(
      file.map { String(decoding: $0.bytes, as: UTF8.self) }
        == "summary: Added.\ncontentType: application/octet-stream\n")
  }

  @Test func `requests without a recorded response take their step, and a status that no fixture has is named`() throws
  {
    let (_, report) = try RecordedSession(contract: Self.contract).played(
      [
        ("HEAD /pets", "200"), ("GET /pets", #"200 ["a"]"#), ("HEAD /pets", "200"), ("GET /pets", "304"),
        ("GET /pets", ""),
        ("GET /pets", #"200 ["b"]"#), ("GET /pets", #"200 ["c"]"#),
      ], responses: [0: [.contentType: "application/json"], 2: [.contentType: "application/json"]])
    #expect(report.unequal.map { "\($0.what) (\($0.count))" } == ["listPets: expected 304, found 200 (1)"])
  }

  @Test func `the summary names a body in another charset than UTF-8`() throws {
    let (_, report) = try played([("POST /pets 1", "200 text/plain; charset=latin1: a")])
    #expect(
      report.unequal.map(\.what) == [
        "addPets 200: expected the Content-Type `text/plain; charset=latin1`, found `text/plain; charset=utf-8`"
      ])
  }

  @Test func `fields that the contract does not document are named`() throws {
    let (_, report) = try played([("GET /pets", "200 []"), ("GET /pets", "200 []")]) {
      $0.headers = [
        .init("X-Total-Count")!: "2", .date: "today", .server: "a", .retryAfter: "1", .accessControlAllowOrigin: "*",
      ]
    }
    #expect(report.unequal.isEmpty && report.lostFields.map { "\($0.what) \($0.count)" } == ["x-total-count 2"])
  }

  @Test func `recorded alternatives represent the alternatives of a later recording`() throws {
    let first = try played([("GET /pets", #"200 ["a"]"#), ("GET /pets", #"200 ["b"]"#)]).files
    let second = try played([("GET /pets", #"200 ["c"]"#), ("GET /pets", #"200 ["d"]"#)]) { session in
      session.fixtures = first.reduce(into: [:]) { $0[String($1.key.dropFirst("api/".count))] = $1.value }
    }.files
    #expect(first.keys.contains("api/listPets/200.other.json"), "\(first)")
    #expect(second == [:], "\(second)")
  }

  @Test func `a later session writes no condition that also holds for a request with another response`() throws {
    let contract = ContractFixture.text(
      paths: """
          /pets/{id}:
            parameters: [{name: id, in: path, required: true, schema: {type: string}}]
            get:
              operationId: readPet
              responses: {"200": {description: A pet., content: {application/json: {}}}, "404": {description: None.}}

        """)
    // Another user has no such pet.
    let session: [RecordedSession.ShortExchange] = [
      ("GET /pets/1", "404"), ("GET /pets/2", "404 text/plain; charset=utf-8: no"), ("GET /pets/3", "404 {}"),
      ("GET /pets/2", #"200 {"name":"a"}"#),
    ]
    let fields: [Int: HTTPFields] = [3: [.authorization: "Bearer of-another-user"]]
    let first = try RecordedSession(contract: contract).played(session, fields: fields)
    let files = first.plan.files.map { file in
      (String(file.path.dropFirst("api/".count)), String(decoding: file.bytes, as: UTF8.self))
    }
    let second = try RecordedSession(contract: contract, fixtures: Dictionary(uniqueKeysWithValues: files))
      .played(session, fields: fields)
    #expect(first.report.unequal.isEmpty && second.report.unequal.isEmpty)
    #expect(second.plan.files.map(\.path) == [])
  }
}
