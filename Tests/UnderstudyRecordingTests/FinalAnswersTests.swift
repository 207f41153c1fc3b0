import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// What becomes of answers at the end of a recording, when all secrets are known.
struct FinalAnswersTests {
  private static let contract = ContractFixture.text(
    paths: """
        /pets:
          get:
            operationId: listPets
            responses: {"200": {description: Pets., content: {application/json: {}}}}
        /pets/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          get:
            operationId: readPet
            responses:
              "200":
                description: A pet.
                content: {application/json: {schema: {properties: {status: {enum: [available, sold]}}}}}
          put:
            operationId: savePet
            requestBody: {content: {application/json: {schema: {type: object}}}}
            responses: {"200": {description: A pet., content: {application/json: {}}}}

      """)

  private static let secret = "s3cretXY99"
  private static let revealing = ("GET /pets?token=\(secret)", "200 []")

  private func record(
    _ exchanges: (String, String)..., fixtures: [String: String] = [:],
    configure: (inout RecordingSettings) -> Void = { _ in }
  ) throws -> RecordedSession.Result {
    var session = RecordedSession(contract: Self.contract, fixtures: fixtures)
    configure(&session.settings)
    return try session.record(exchanges.map { (request: $0.0, answer: $0.1) })
  }

  private func holds(_ files: [String: String], _ secret: String = secret) -> Bool {
    files.contains { "\($0.key) \($0.value)".lowercased().contains(secret.lowercased()) }
  }

  @Test func `a secret that a later request reveals is in no name`() throws {
    let result = try record(
      ("GET /pets/1", #"200 {"status": "available"}"#), ("GET /pets/2", #"200 {"status": "\#(Self.secret)"}"#),
      ("GET /pets/3", #"200 {"status": "available", "\#(Self.secret)": 1}"#), Self.revealing)
    #expect(result.files.keys.count { $0.hasPrefix("readPet/200.") && $0.hasSuffix(".yaml") } == 2, "\(result.files)")
    #expect(!holds(result.written), "\(result.written)")
  }

  @Test(arguments: [
    "text/html: <p>h&amp;m-S3cret99</p>", "text/plain: at h%26m-S3cret99", "text/plain: at h%2526m-S3cret99",
    #"{"raw": "aCZtLVMzY3JldDk5", "say": "h&m-S3cret99"}"#, #"{"h&m-S3cret99": {"x": ["h\u0026m-S3cret99"]}}"#,
    "text/plain: 68266d2d5333637265743939", "text/event-stream: data: h&m-S3cret99", #"[["h&m-S3cret99"]]"#,
    "application/zip: PK h&m-S3cret99", "application/xml: <a b=\"h&#38;m-S3cret99\"/>",
    #"{"nested": "{\"x\": \"h&m-S3cret99\"}"}"#,
  ])
  func `a secret that a later request reveals is in no file, in no encoding`(_ body: String) throws {
    let secret = "h&m-S3cret99"
    let result = try record(
      ("GET /pets/1", "200 \(body)"), ("GET /pets/2", "418 \(body)"), ("GET /pets?token=h%26m-S3cret99", "200 []"))
    let written = result.written.values.joined(separator: "\n")
    #expect(result.written.count > 2)
    let left = Spelled.spellings(of: secret).filter { written.contains($0) }
    #expect(left == [], "\(result.files)")
  }

  @Test(arguments: [
    ("GET /nowhere?token=\(secret)", "200 {}"), ("GET /nowhere", #"200 {"access_token": "\#(secret)"}"#),
    ("GET /pets?token=\(secret)", "101"), ("HEAD /pets?token=\(secret)", "200"),
    ("GET /pets?token=\(secret)", "304"),
    ("GET /nowhere/\(secret)?token=\(secret)", "200"), ("HEAD /pets/\(secret)?token=\(secret)", "200"),
  ])
  func `a secret of an exchange that is not recorded is in no file`(_ request: String, _ answer: String) throws {
    let result = try record(("GET /pets/1", #"200 {"name": "\#(Self.secret)"}"#), (request, answer))
    #expect(result.files.keys.sorted() == ["readPet/200.json"])
    #expect(!holds(result.written), "\(result.written)")
    #expect(!"\(result.report.skipped)\(result.report.undocumented)".contains(Self.secret))
  }

  @Test func `an answer with a secret that is revealed later is the same in every recording`() throws {
    let session = [("GET /pets/1", #"200 {"status": "\#(Self.secret)"}"#), Self.revealing]
    let first = try record(session[0], session[1]) { $0.keep = .all }
    let second = try record(session[0], session[1], fixtures: first.written) { $0.keep = .all }
    #expect(second.written == [:])
  }

  @Test func `answers with one template are one`() throws {
    func configure(_ settings: inout RecordingSettings) {
      settings.keep = .all
      settings.writesTemplates = true
    }
    func saved(_ id: String, _ name: String, _ minute: Int) -> (String, String) {
      let answer = #"{"id": "\#(id)", "name": "\#(name)", "at": "2026-11-21T09:\#(minute):00.000Z"}"#
      return (#"PUT /pets/\#(id) {"name":"\#(name)"}"#, "200 \(answer)")
    }
    let session = [saved("7", "Tom", 38), saved("8", "Rex", 39), ("PUT /pets/9 {}", #"200 {"id": "1"}"#)]
    let first = try record(session[0], session[1], session[2], configure: configure)
    #expect(
      first.files.keys.filter { $0.hasPrefix("savePet/bodies/") }.sorted() == [
        "savePet/bodies/200.json", "savePet/bodies/200.withoutAtWithoutName.json",
      ], "\(first.files)")
    let second = try record(session[1], session[0], session[2], fixtures: first.written, configure: configure)
    #expect(second.files == [:])
  }

  // MARK: - Earlier recordings

  @Test func `a file of an earlier recording loses a secret that this one reveals`() throws {
    let first = try record(("GET /pets/1", #"200 {"name": "\#(Self.secret)", "n": 1.50}"#))
    #expect(holds(first.files))
    let second = try record(Self.revealing, fixtures: first.written)
    #expect(
      second.files["readPet/200.json"] == "{\n  \"name\": \"Redacted01\",\n  \"n\": 1.50\n}\n",
      "\(second.files)")
    let third = try record(Self.revealing, fixtures: first.written.merging(second.written) { $1 })
    #expect(third.written == [:])
  }

  @Test(arguments: [RecordingSettings.Mode.missing, .all])
  func `a secret that looks like an id does not stay because ids do`(_ mode: RecordingSettings.Mode) throws {
    let id = "7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10"
    let first = try record(("GET /pets/1", #"200 {"name": "\#(id)"}"#))
    let second = try record(
      ("GET /pets/1", #"200 {"name": "\#(id)"}"#), ("GET /pets?token=\(id)", "200 []"), fixtures: first.written
    ) { $0.mode = mode }
    #expect(second.files["readPet/200.json"] != nil)
    #expect(!holds(second.files, id), "\(second.files)")
  }

  @Test func `a file of a person stays, and is named`() throws {
    let result = try record(Self.revealing, fixtures: ["readPet/200.json": #"{"name": "\#(Self.secret)"}"#])
    #expect(result.files["readPet/200.json"] == nil)
    #expect(result.plan.leaks.count == 1 && result.plan.leaks[0].hasSuffix("/api/readPet/200.json"))
  }
}
