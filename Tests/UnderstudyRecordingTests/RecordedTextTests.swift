import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// Bodies that are a secret as a whole, and bodies with the text of a tag.
struct RecordedTextTests {
  private static let contract = ContractFixture.text(
    paths: """
        /a:
          get:
            operationId: readText
            responses:
              "200": {description: A text., content: {text/plain: {schema: {x-secret: true, enum: [Zq9hunter2secret, b]}}}}
              "201": {description: A text., content: {text/plain: {schema: {x-secret: true, const: b}}}}
              "202": {description: A token., content: {application/jwt: {schema: {x-secret: true, type: string}}}}
        /b:
          get:
            operationId: readObject
            responses:
              "200": {description: An object., content: {application/json: {schema: {type: object}}}}
              "201": {description: A text., content: {text/plain: {schema: {type: string}}}}

      """)

  private func record(
    _ exchanges: (String, String)..., fixtures: [String: String] = [:], mode: RecordingSettings.Mode = .missing
  ) throws -> RecordedSession.Result {
    var session = RecordedSession(contract: Self.contract, fixtures: fixtures)
    session.settings.mode = mode
    return try session.record(exchanges.map { (request: $0.0, answer: $0.1) })
  }

  @Test func `a recording replaces a body that is a secret as a whole, unless the contract lists it`() throws {
    let result = try record(
      ("GET /a", "200 text/plain: Zq9hunter2secret"), ("GET /a", "201 text/plain: Zq9hunter3secret"),
      ("GET /a", "202 application/jwt: Zq9.hunter4.secret"))
    let text = result.files.values.joined(separator: "\n")
    #expect(text.contains("Zq9hunter2secret"), "\(result.files)")
    #expect(!text.contains("hunter3") && !text.contains("hunter4"), "\(result.files)")
  }

  private static let tagged = #"200 {"ok":"{{name}}"}"#
  private static let files = [
    "readObject/200.yaml": "template: false\nbodyFile: bodies/200.json\n",
    "readObject/bodies/200.json": "{\n  \"ok\": \"{{name}}\"\n}\n",
  ]

  @Test func `a body with a tag is described as no template`() throws {
    let result = try record(("GET /b", Self.tagged))
    #expect(result.files == Self.files)
    let again = try record(("GET /b", Self.tagged), fixtures: result.written)
    #expect(again.plan.isEmpty, "\(again.files)")
    let text = try record(("GET /b", "201 text/plain: hello {{name}}"))
    #expect(
      text.files["readObject/201.yaml"]?.contains("template: false") == true && text.files["readObject/201.txt"] == nil,
      "\(text.files)")
    let plain = try record(("GET /b", #"200 {"ok":"{{"}"#))
    #expect(plain.files.keys.sorted() == ["readObject/200.json"])
  }

  @Test(arguments: [
    ("application/json; charset=utf-8", #"{"a":1}"#, "200.yaml"), ("application/json", #"{"a":1}"#, "200.json"),
    ("text/plain; charset=utf-8", "a", "201.txt"),
  ]) func `a response keeps the charset of its Content-Type`(_ type: String, _ body: String, _ file: String) throws {
    let session: RecordedSession.ShortExchange = ("GET /b", "\(file.prefix(3)) \(type): \(body)")
    let files = try record(session).written
    #expect(files["readObject/\(file)"] != nil, "\(files)")
    try ContractFixture(Self.contract, fixtures: files).withMock { mock in
      let reply = LaneClient(mock).send("/b", ["Prefer": "code=\(file.prefix(3))"])
      #expect(reply.response.headerFields[.contentType] == type)
    }
  }

  @Test func `the fixtures of a body with a tag have no findings`() throws {
    let fixture = ContractFixture(Self.contract, fixtures: Self.files)
    try withProject(fixture.files) { folder in
      let loaded = Contract.load(folder + "/api.yaml", fixtures: folder + "/fixtures")
      #expect(loaded.contract?.fixtures.fixtures["readObject"]?.count == 1)
      #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics)")
    }
  }
}
