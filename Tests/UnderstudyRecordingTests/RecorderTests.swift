import HTTPTypes
import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// Which answers become fixtures, under which names, for which requests.
struct RecorderTests {
  private static let contract = ContractFixture.text(
    paths: """
        /pets:
          get:
            operationId: listPets
            parameters: [{name: owner, in: query, schema: {type: string}}]
            responses:
              "200":
                description: Pets.
                content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
          post:
            operationId: addPet
            requestBody: {content: {application/json: {schema: {type: object}}}}
            responses:
              "201": {description: Added., content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
              "409": {description: Taken., content: {text/plain: {schema: {type: string}}}}
        /pets/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          get:
            operationId: readPet
            responses:
              "200": {description: A pet., content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
              "404": {description: No such pet.}
          delete:
            operationId: removePet
            responses: {"204": {description: Gone.}}
      components:
        schemas:
          Pet:
            type: object
            properties:
              status: {enum: [available, sold]}
              owner: {type: [string, "null"]}
              tags: {type: array, items: {type: string}}
              name: {type: string}
            required: [name]

      """)

  private func record(
    fixtures: [String: String] = [:], _ configure: (inout RecordingSettings) -> Void = { _ in },
    _ exchanges: (String, String)...
  ) throws -> RecordedSession.Result {
    var session = RecordedSession(contract: Self.contract, fixtures: fixtures)
    configure(&session.settings)
    return try session.record(exchanges.map { (request: $0.0, answer: $0.1) })
  }

  @Test(arguments: [
    (#"{"name": "a", "status": "sold"}"#, "statusSold"),
    (#"{"name": "a", "status": "available", "owner": "x"}"#, "withOwner"),
    (#"{"name": "a", "status": "available", "tags": []}"#, "withTags"), (#"{"name": "a"}"#, "withoutStatus"),
    (#"{"name": "a", "status": "available", "extra": {"deep": 1}}"#, "withExtra"),
    (#"{"name": "a", "status": "available", "owner": null}"#, "nullOwner"),
    (#"{"name": 7, "status": "available"}"#, "numberName"), ("", "noBody"), ("text/html: <p>hello</p>", "asHtml"),
    (#"[]"#, "array"),
  ])
  func `a variant has the name of what differs from the default`(_ body: String, _ name: String) throws {
    let result = try record(
      { $0.infersWhen = false }, ("GET /pets/1", #"200 {"name": "a", "status": "available"}"#),
      ("GET /pets/2", "200 \(body)"))
    let files = result.files.keys.filter { $0.hasPrefix("readPet/200") }.sorted()
    #expect(files.contains { $0.hasPrefix("readPet/200.\(name).") }, "\(files)")
  }

  @Test func `answers to one request that differ only in their values are counted as seen`() throws {
    let result = try record(
      { _ in }, ("GET /pets/1", #"200 {"name": "a"}"#), ("GET /pets/1", #"200 {"name": "b"}"#),
      ("GET /pets/1", #"200 {"name": "a"}"#))
    #expect(result.files == ["readPet/200.json": "{\n  \"name\": \"a\"\n}\n"])
    #expect(result.report.seen == 2)
  }

  @Test func `what another request gets is kept for it`() throws {
    let result = try record(
      { _ in }, ("GET /pets/1", #"200 {"name": "a"}"#), ("GET /pets/2", #"200 {"name": "b"}"#),
      ("GET /pets/1", #"200 {"name": "a"}"#))
    #expect(
      result.files == [
        "readPet/200.json": "{\n  \"name\": \"a\"\n}\n",
        "readPet/200.forId2.yaml": "when:\n  path:\n    id: \"2\"\nbodyFile: bodies/200.forId2.json\n",
        "readPet/bodies/200.forId2.json": "{\n  \"name\": \"b\"\n}\n",
      ])
    #expect(result.report.seen == 1)
  }

  @Test func `in a list only something new makes a variant`() throws {
    let result = try record(
      { $0.infersWhen = false },
      ("GET /pets", #"200 [{"name": "a", "status": "sold"}, {"name": "b", "status": "available"}]"#),
      ("GET /pets", #"200 [{"name": "a", "status": "sold"}]"#), ("GET /pets", "200 []"),
      ("GET /pets", #"200 [{"name": "a", "owner": null}]"#))
    #expect(
      result.files.keys.sorted() == [
        "_scenarios/recorded.yaml", "listPets/200.empty.json", "listPets/200.json", "listPets/200.nullOwner.json",
      ])
  }

  @Test func `a number keeps its spelling, and members their order`() throws {
    let result = try record({ _ in }, ("GET /pets/1", #"200 {"name":"a","z":1.0,"a":1e2}"#))
    #expect(result.files["readPet/200.json"] == "{\n  \"name\": \"a\",\n  \"z\": 1.0,\n  \"a\": 1e2\n}\n")
  }

  @Test func `a body without a type is recorded without one`() throws {
    let result = try record({ $0.infersWhen = false }, ("POST /pets", "409 none/none: taken"))
    #expect(result.files["addPet/bodies/409.bin"] == "taken", "\(result.files)")
    #expect(result.files["addPet/409.yaml"]?.hasPrefix("headers:\n  Content-Type: null\n") == true, "\(result.files)")
  }

  @Test func `the requests of an error explain it`() throws {
    let result = try record({ _ in }, ("GET /pets/1", #"200 {"name": "a"}"#), ("GET /pets/9", "404"))
    #expect(
      result.files == [
        "readPet/200.json": "{\n  \"name\": \"a\"\n}\n", "readPet/404.yaml": "summary: No such pet.\n",
        "readPet/404.forId9.yaml": "summary: No such pet.\nwhen:\n  path:\n    id: \"9\"\n",
      ], "\(result.files)")
  }

  @Test func `a field of the body explains a conflict`() throws {
    let result = try record(
      { _ in }, ("POST /pets {\"name\":\"Tom\"}", #"201 {"name": "Tom"}"#),
      ("POST /pets {\"name\":\"Rex\"}", "409 text/plain: taken"),
      ("POST /pets {\"name\":\"Rex\"}", "409 text/plain: taken"))
    #expect(
      result.files["addPet/409.other.yaml"] == """
        contentType: text/plain
        when:
          body:
            name: Rex
        text: taken

        """, "\(result.files)")
  }

  @Test func `volatile values explain nothing`() throws {
    let result = try record(
      { _ in }, ("POST /pets {\"key\":\"7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10\"}", #"201 {"name": "Tom"}"#),
      ("POST /pets {\"key\":\"0e984725-c51c-4bf4-9960-e1c80e27aba0\"}", "409 text/plain: taken"))
    #expect(
      result.files["_scenarios/recorded.yaml"] == """
        summary: The answers of a recording, in its order.
        sequence:
          addPet: [201, 409]

        """, "\(result.files)")
  }

  @Test func `read, modify and read again becomes a scenario`() throws {
    let result = try record(
      { _ in }, ("GET /pets/1", #"200 {"name": "a", "status": "available"}"#),
      ("GET /pets/1", #"200 {"name": "a", "status": "available"}"#),
      ("GET /pets/1", #"200 {"name": "a", "status": "sold"}"#), ("DELETE /pets/1", "204"))
    #expect(
      result.files["_scenarios/recorded.yaml"] == """
        summary: The answers of a recording, in its order.
        sequence:
          readPet: [200*2, 200.statusSold]

        """)
    #expect(result.files["removePet/204.yaml"] == "summary: Gone.\n")
  }

  @Test func `what a client reads after its change is kept, even if only a value is another one`() throws {
    let result = try record(
      { _ in }, ("GET /pets/1", #"200 {"name": "a"}"#), ("DELETE /pets/1", "204"),
      ("GET /pets/1", #"200 {"name": "b"}"#), ("DELETE /pets/1", "204"), ("GET /pets/1", #"200 {"name": "a"}"#))
    #expect(result.files["readPet/200.afterRemovePet.json"] == "{\n  \"name\": \"b\"\n}\n", "\(result.files)")
    #expect(
      result.files["_scenarios/recorded.yaml"]?.contains("readPet: [200, 200.afterRemovePet, 200]") == true,
      "\(result.files)")
  }

  @Test func `a list that grows by an element equal to another one is a change`() throws {
    let (one, two) = (#"200 [{"name": "c++"}]"#, #"200 [{"name": "c++"}, {"name": "c++"}]"#)
    let result = try record({ _ in }, ("GET /pets", one), ("GET /pets", two), ("GET /pets", two))
    #expect(
      result.files == [
        "_scenarios/recorded.yaml": "summary: The answers of a recording, in its order.\nsequence:\n"
          + "  listPets: [200, 200.other*2]\n",
        "listPets/200.json": "[\n  {\n    \"name\": \"c++\"\n  }\n]\n",
        "listPets/200.other.json":
          "[\n  {\n    \"name\": \"c++\"\n  },\n  {\n    \"name\": \"c++\"\n  }\n]\n",
      ])
  }

  @Test(
    arguments: [
      // Nothing was changed.
      [("GET /pets/1", #"200 {"name": "a"}"#), ("GET /pets/1", #"200 {"name": "b"}"#)],
      // The change failed.
      [
        ("GET /pets/1", #"200 {"name": "a"}"#), ("DELETE /pets/1", "418 text/plain: no"),
        ("GET /pets/1", #"200 {"name": "b"}"#),
      ],
      // Only a time is another one.
      [
        ("GET /pets/1", #"200 {"name": "2026-11-23T09:00:00Z"}"#), ("DELETE /pets/1", "204"),
        ("GET /pets/1", #"200 {"name": "2026-11-23T09:00:05Z"}"#),
      ],
    ]) func `another value alone is counted as seen`(exchanges: [RecordedSession.ShortExchange]) throws
  {
    let result = try RecordedSession(contract: Self.contract).record(exchanges)
    #expect(result.files.keys.filter { $0.hasPrefix("readPet/200") } == ["readPet/200.json"], "\(result.files)")
  }

  @Test func `a session keeps the order of every operation`() throws {
    let result = try record(
      { $0.session = "evening" }, ("GET /pets/1", #"200 {"name": "a"}"#), ("DELETE /pets/1", "204"))
    #expect(
      result.files["_scenarios/evening.yaml"] == """
        summary: The answers of a recording, in its order.
        sequence:
          readPet: [200]
          removePet: [204]

        """)
  }

  @Test func `what an answer breaks is marked, with the finding as a comment`() throws {
    let result = try record({ _ in }, ("GET /pets/1", #"200 {"nme": "a"}"#), ("GET /pets/2", "418 text/plain: teapot"))
    #expect(
      result.files["readPet/200.yaml"] == """
        violates:
          # the property `name` is missing
          - resp.body.schema
        bodyFile: bodies/200.json

        """, "\(result.files)")
    #expect(result.files["readPet/418.forId2.yaml"]?.contains("- resp.status.undocumented") == true, "\(result.files)")
    #expect(result.report.undocumented.map(\.what) == ["readPet 418"])
  }

  @Test func `a bad request puts no mark on its answer`() throws {
    let result = try record({ _ in }, ("POST /pets [1]", "409 text/plain: taken"))
    #expect(result.files.values.allSatisfy { !$0.contains("violates") }, "\(result.files)")
  }

  @Test func `answers that break the contract are left out on demand`() throws {
    let result = try record({ $0.rejectsInvalid = true }, ("GET /pets/1", #"200 {"nme": "a"}"#))
    #expect(result.files == [:])
    #expect(result.report.skipped.map(\.reason) == ["the response breaks the contract"])
  }

  @Test(arguments: [(RecordingSettings.Keep.first, 1), (.shapes, 3), (.all, 3)])
  func `keep decides which answers of a cell become fixtures`(_ keep: RecordingSettings.Keep, _ count: Int) throws {
    let result = try record(
      {
        $0.keep = keep; $0.infersWhen = false
      }, ("GET /pets/1", #"200 {"name": "a"}"#), ("GET /pets/2", #"200 {"name": "b"}"#),
      ("GET /pets/3", #"200 {"name": "b", "tags": []}"#), ("GET /pets/2", #"200 {"name": "b"}"#))
    #expect(result.files.keys.count { $0.hasPrefix("readPet/") } == count, "\(result.files.keys)")
  }

  @Test func `an answer that a fixture has already makes no second one, even if all are kept`() throws {
    let fixtures = ["readPet/200.json": "{\n  \"name\": \"a\"\n}\n"]
    let result = try record(
      fixtures: fixtures, { $0.keep = .all }, ("GET /pets/1", #"200 {"name": "a"}"#),
      ("GET /pets/2", #"200 {"name": "b"}"#))
    #expect(result.files.keys.contains { $0.hasPrefix("readPet/bodies/200.") }, "\(result.files)")
    #expect(result.files.values.allSatisfy { !$0.contains(#""a""#) }, "\(result.files)")
  }

  @Test func `a fixture of a person stays, and its shape is known`() throws {
    let result = try record(
      fixtures: ["readPet/200.json": #"{"name": "by hand"}"#], { _ in }, ("GET /pets/1", #"200 {"name": "a"}"#),
      ("GET /pets/2", #"200 {"name": "a", "status": "sold"}"#))
    #expect(
      result.files.keys.sorted() == ["readPet/200.statusSold.yaml", "readPet/bodies/200.statusSold.json"],
      "\(result.files)")
  }

  @Test(arguments: [
    ("name", "a", [#"line 1 is `{"name": "by hand"}`, the server has `{`"#]),
    ("id", "7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10", []),
  ])
  func `a recording shows how the server differs from a fixture of a person`(
    _ member: String, _ value: String, _ differences: [String]
  ) throws {
    let own = member == "id" ? "{\n  \"id\": \"0e984725-c51c-4bf4-9960-e1c80e27aba0\"\n}\n" : #"{"name": "by hand"}"#
    let result = try record(
      fixtures: ["readPet/200.json": own], { _ in }, ("GET /pets/1", #"200 {"\#(member)": "\#(value)"}"#))
    #expect(result.plan.kept.map(\.difference) == differences)
  }

  @Test func `rewriting leaves a fixture of a person, and shows how the server differs`() throws {
    let result = try record(
      fixtures: ["readPet/200.json": "{\n  \"name\": \"by hand\"\n}\n"], { $0.mode = .all },
      ("GET /pets/1", #"200 {"name": "a"}"#))
    #expect(result.files == [:])
    #expect(
      result.plan.kept.map(\.difference) == [#"line 2 is `  "name": "by hand"`, the server has `  "name": "a"`"#])
  }

  @Test(arguments: [("2026-11-19T09:41:00Z", ["api/_recorded.yaml"]), ("2026-11-21T08:41:00Z", [])])
  func `recording the same again renews an age of more than a day, and changes nothing else`(
    _ time: String, _ changed: [String]
  ) throws {
    let session = ("GET /pets/1", #"200 {"name": "a", "id": "7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10"}"#)
    let first = try record({ _ in }, session).plan.files.map { file in
      let text = String(decoding: file.bytes, as: UTF8.self).replacing("2026-11-21T09:41:00Z", with: time)
      return (String(file.path.dropFirst("api/".count)), text)
    }
    let again = ("GET /pets/1", session.1.replacing("7d1f8b8e", with: "0e984725"))
    let plan = try record(
      fixtures: Dictionary(uniqueKeysWithValues: first), { $0.mode = .all }, again
    ).plan
    #expect(plan.files.map(\.path) == changed)
    #expect(plan.files.allSatisfy { String(decoding: $0.bytes, as: UTF8.self).contains("2026-11-21T09:41:00Z") })
  }

  @Test func `what the contract lacks is counted`() throws {
    let result = try record(
      { _ in }, ("GET /dogs/1", "200 {}"), ("GET /dogs/2", "200 {}"), ("PUT /pets/1 {}", "200 {}"))
    #expect(
      result.report.undocumented.map { "\($0.what) \($0.count)" } == ["GET /dogs/{} 2", "PUT /pets/{} 1"],
      "\(result.report.undocumented)")
  }

  @Test func `a short value at a place of the user is replaced, and no scan takes its placeholder for a secret`() throws
  {
    let result = try record(
      {
        $0.redaction.places = ["/body/0/name", "/body/0/age"].compactMap {
          PlacePattern($0).map { (pattern: $0, isSecret: true) }
        }
      }, ("GET /pets", #"200 [{"name": "x", "age": 7, "tags": ["x"]}]"#))
    #expect(result.report.secrets.isEmpty, "\(result.report.secrets)")
    let file = try #require(result.files["listPets/200.json"])
    #expect(!file.contains(#""name": "x""#) && !file.contains(#""age": 7"#) && file.contains(#""x""#), "\(file)")
  }

  @Test func `a request with several answers is not a condition of any of them`() throws {
    let result = try record(
      { _ in }, ("GET /pets/1", #"200 {"name": "a"}"#), ("GET /pets/1", #"200 {"name": "a", "owner": null}"#),
      ("GET /pets/1", "404"), ("GET /pets/2", "404"))
    #expect(!result.files.values.contains { $0.contains("id: \"1\"") }, "\(result.files)")
    #expect(result.files["_scenarios/recorded.yaml"] != nil)
  }

  @Test(arguments: [
    ("http://127.0.0.1:4010/pets/1", "/pets/1"), ("ws://127.0.0.1:4010/live", #""ws://127.0.0.1:4010/live""#),
  ])
  func `a Location on the server itself becomes relative, unless it leads to another protocol`(
    _ location: String, _ recorded: String
  ) throws {
    let session = RecordedSession(contract: Self.contract, headers: [.location: location])
    let files = try session.record([(request: "DELETE /pets/1", answer: "204")]).files
    #expect(files["removePet/204.yaml"]?.contains("Location: \(recorded)\n") == true, "\(files)")
  }

  @Test func `a HEAD gives a GET no fixture`() throws {
    let result = try record({ _ in }, ("GET /pets/1", #"200 {"name": "a"}"#), ("HEAD /pets/1", "404"))
    #expect(result.files.keys.sorted() == ["readPet/200.json"])
    #expect(result.report.skipped.map(\.first) == ["HEAD /pets/{}, exchange 2"])
  }

  @Test func `many short secrets have placeholders of their own, which are not secrets`() throws {
    let passwords = (10..<40).map { "pass0rd\($0)" }
    let text = passwords.map { #"{"name": "a", "password": "\#($0)", "otp": "1\#($0.suffix(2))4"}"# }.joined(
      separator: ", ")
    let result = try record({ _ in }, ("GET /pets", "200 [\(text)]"))
    #expect(result.report.secrets.isEmpty, "\(result.report.secrets)")
    let file = try #require(result.files["listPets/200.json"])
    let values = file.split(separator: "\n").filter { $0.contains("password") }
    #expect(values.count == 30 && Set(values).count == 30, "\(values)")
  }
}
