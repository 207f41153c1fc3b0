import Foundation
import HTTPTypes
import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// Files of a recording that may hold a secret.
struct DoubtfulFilesTests {
  /// The description of an empty response is written into its fixture.
  private static let key = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"

  private static let contract = ContractFixture.text(
    paths: """
        /pets/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          get:
            operationId: readPet
            responses:
              "200": {description: A pet., content: {application/json: {schema: {type: object}}}}
              "204": {description: 'As \(key) says.'}
          put:
            operationId: writePetOfTheOwner2WithTheKey3AndTheName4
            requestBody: {content: {application/json: {schema: {type: object}}}}
            responses:
              "200": {description: Written., content: {application/json: {schema: {type: object}}}}
              "409": {description: Taken., content: {text/plain: {schema: {type: string}}}}

      """)

  private func record(
    _ exchanges: (String, String)..., mode: RecordingSettings.Mode = .missing
  ) throws
    -> RecordedSession.Result
  {
    var session = RecordedSession(contract: Self.contract)
    session.settings.mode = mode
    return try session.record(exchanges.map { (request: $0.0, answer: $0.1) })
  }

  @Test func `a doubtful file is put aside, and all others are written`() throws {
    let result = try record(
      ("GET /pets/1", #"200 {"name": "a"}"#), ("GET /pets/2", "204"), ("PUT /pets/1 {}", #"200 {"name": "b"}"#))
    #expect(result.doubtful.keys.sorted() == ["readPet/204.forId2.yaml", "readPet/204.yaml"])
    #expect(
      result.files.keys.sorted() == ["readPet/200.json", "writePetOfTheOwner2WithTheKey3AndTheName4/200.json"])
    #expect(
      result.report.written == ["api/readPet/200.json", "api/writePetOfTheOwner2WithTheKey3AndTheName4/200.json"])
    #expect(Set(result.report.secrets.map(\.path)) == ["api/readPet/204.forId2.yaml", "api/readPet/204.yaml"])
    let index = try #require(result.plan.files.first { $0.path == "api/_recorded.yaml" })
    #expect(!String(decoding: index.bytes, as: UTF8.self).contains("204"))
  }

  @Test func `an ETag that looks generated and a message about a marked member are no secrets`() throws {
    let etag = "kX9vQ2mZ7pLr4TtWc8YbN3sHf6JgD1aE"
    var session = RecordedSession(
      contract: ContractFixture.text(
        paths: """
            /pets:
              get:
                operationId: listPets
                responses:
                  "200":
                    description: Pets.
                    content: {application/json: {schema: {properties: {i: {type: string, format: password, maxLength: 3}}}}}

          """))
    session.settings.mode = .missing
    session.headers = [.eTag: "\"\(etag)\""]
    let result = try session.record([(request: "GET /pets", answer: #"200 {"i": "Zq9hunter2secret"}"#)])
    #expect(result.doubtful.isEmpty, "\(result.report.secrets)")
    let text = result.files["listPets/200.yaml"] ?? ""
    #expect(text.contains(etag) && text.contains("# /i: the value breaks `maxLength`"), "\(result.files)")
  }

  @Test func `a scenario with the response of a doubtful file is put aside too`() throws {
    let result = try record(
      ("GET /pets/1", #"200 {"name": "a"}"#), ("GET /pets/1", "204"), ("GET /pets/1", #"200 {"name": "a"}"#))
    #expect(result.doubtful.keys.sorted() == ["_scenarios/recorded.yaml", "readPet/204.yaml"])
    #expect(result.files.keys.sorted() == ["readPet/200.json"])
  }

  @Test func `names of operations and variants are no secrets, and an allowed secret is written`() throws {
    let (first, second) = ("xUgrB7adq23AweKn752ESHh2egta", "Kn752ESHh2egta4PGhB7adq23Awe")
    let names = try record(
      ("PUT /pets/\(first) {}", #"200 {"name": "a"}"#), ("PUT /pets/\(second) {}", "409 text/plain: no"),
      ("PUT /pets/\(first) {}", "409 text/plain: no"), ("PUT /pets/\(second) {}", #"200 {"name": "b", "more": 1}"#))
    #expect(names.doubtful.isEmpty, "\(names.report.secrets)")
    #expect(names.files["_scenarios/recorded.yaml"]?.contains("writePetOfTheOwner2WithTheKey3AndTheName4") == true)
    let variant = try record(
      ("PUT /pets/\(first) {}", #"200 {"name": "a"}"#), ("PUT /pets/\(second) {}", #"200 {"name": "b"}"#),
      ("PUT /pets/\(first)\(first) {}", "409 text/plain: no"))
    #expect(variant.doubtful.isEmpty, "\(variant.report.secrets)")
    var session = RecordedSession(contract: Self.contract)
    session.settings.allowedSecrets = ["redact.prefix"]
    let allowed = try session.record([(request: "GET /pets/2", answer: "204")])
    #expect(allowed.doubtful.isEmpty && allowed.files["readPet/204.yaml"]?.contains(Self.key) == true)
  }

  @Test(arguments: ["api/readPet/200.json", "_doubtful/api/readPet/204.yaml"])
  func `neither doubtful nor other files are written if one of them cannot be`(_ blocked: String) throws {
    let result = try record(("GET /pets/1", #"200 {"name": "a"}"#), ("GET /pets/2", "204"))
    try withTemporaryFolder { (folder) throws in
      try FileManager.default.createDirectory(atPath: "\(folder)/\(blocked)", withIntermediateDirectories: true)
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
      #expect(throws: FileProblem.self) { try result.plan.write(to: folder) }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
    }
  }

  @Test func `the folder apart is private, ignored by Git and left by another recording`() throws {
    try withTemporaryFolder { (folder) throws in
      try DoubtfulFiles.write([("api/readPet/204.yaml", Array("a".utf8))], besides: folder)
      try DoubtfulFiles.write([("api/readPet/200.yaml", Array("b".utf8))], besides: folder)
      let apart = folder + "/_doubtful"
      let names = try FileManager.default.subpathsOfDirectory(atPath: apart).sorted()
      #expect(names == [".gitignore", "api", "api/readPet", "api/readPet/200.yaml", "api/readPet/204.yaml"])
      #expect(try String(contentsOfFile: apart + "/.gitignore", encoding: .utf8) == "*\n")
      let mode = try FileManager.default.attributesOfItem(atPath: apart + "/api/readPet/204.yaml")[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test
  func `a file and a list of ignored files that exist are kept, and the files of another recording go beside them`()
    throws
  {
    try withTemporaryFolder { (folder) throws in
      let apart = folder + "/_doubtful"
      func write(_ text: String) throws -> String {
        try DoubtfulFiles.write([("api/a.yaml", Array(text.utf8)), ("api/b.yaml", Array("b".utf8))], besides: folder)
      }
      #expect(try write("first") == apart)
      try Data("# mine".utf8).write(to: URL(filePath: apart + "/.gitignore"))
      #expect(try write("second") == apart + "/2")
      #expect(try write("first") == apart)
      #expect(try write("third") == apart + "/3")
      #expect(try write("second") == apart + "/2")
      let texts = [".gitignore", "api/a.yaml", "2/api/a.yaml", "2/api/b.yaml", "3/api/a.yaml"].map {
        try? String(contentsOfFile: "\(apart)/\($0)", encoding: .utf8)
      }
      #expect(texts == ["# mine", "first", "second", "b", "third"])
      let mode = try FileManager.default.attributesOfItem(atPath: apart)[.posixPermissions]
      #expect(mode as? Int == 0o700)
      #expect(!FileManager.default.fileExists(atPath: apart + "/2/.gitignore"))
    }
  }

  @Test(arguments: ["_doubtful", "_doubtful/api", "_doubtful/api/readPet/204.yaml"])
  func `a link in the folder apart is not followed, and nothing is written`(_ link: String) throws {
    let result = try record(("GET /pets/1", #"200 {"name": "a"}"#), ("GET /pets/2", "204"))
    try withTemporaryFolder { (root) throws in
      let (folder, other) = (root + "/fixtures", root + "/other")
      let manager = FileManager.default
      try manager.createDirectory(atPath: other, withIntermediateDirectories: true)
      let parent = URL(filePath: "\(folder)/\(link)").deletingLastPathComponent()
      try manager.createDirectory(at: parent, withIntermediateDirectories: true)
      try manager.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: other)
      let before = try manager.subpathsOfDirectory(atPath: root).sorted()
      let problem = #expect(throws: FileProblem.self) { try result.plan.write(to: folder) }
      #expect(problem?.path == "\(folder)/\(link)")
      #expect(problem?.message == "this is a symbolic link, and possible secrets are not written behind links")
      #expect(try manager.subpathsOfDirectory(atPath: root).sorted() == before)
    }
  }
}
