import HTTPTypes
import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// `--mode diff` over the changes that servers make.
struct DriftTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    x-understudy: {formats: assert}
    paths:
      /pet:
        get:
          operationId: readPet
          responses:
            "200":
              description: A pet.
              content:
                application/json:
                  schema:
                    type: object
                    required: [id]
                    properties:
                      id: {type: string}
                      status: {enum: [available, sold]}
                      age: {type: integer}
                      height: {type: number}
                      seen: {type: string, format: date-time}
                      owner: {type: object, required: [name], properties: {name: {type: string}, phone: {type: string}}}
                      tags: {type: array, items: {type: object, properties: {word: {type: string}}}}
            "404": {description: No pet.}

    """

  private static let fixture = """
    {"id": "7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10", "status": "sold", "age": 3, "seen": "2026-01-01T00:00:00Z",
     "owner": {"name": "Ann", "phone": "1"}, "tags": [{"word": "old"}], "map": {}, "free": "x", "flag": true, "width": 2, "height": 2}
    """

  private func drifts(_ answers: String...) throws -> [String] {
    var session = RecordedSession(
      contract: Self.contract, fixtures: ["readPet/200.json": Self.fixture, "readPet/404.yaml": "summary: None.\n"])
    session.settings.mode = .diff
    let result = try session.record(answers.map { (request: "GET /pet", answer: $0) })
    #expect(result.files == [:])
    return result.report.drifts.map { "\($0.cell): \($0.message)" }
  }

  @Test func `an unchanged server with other values has no difference`() throws {
    #expect(
      try drifts(
        """
        200 {"id": "0e984725-c51c-4bf4-9960-e1c80e27aba0", "status": "sold", "age": 9, "seen": "2027-01-01T00:00:00Z",
         "owner": {"name": "Bob", "phone": "2"}, "tags": [{"word": "new"}, {"word": "big"}], "map": {}, "free": "y", "flag": false,
         "width": 3.0, "height": 2.5}
        """, "404") == [])
  }

  @Test(arguments: [
    ("\"age\": 3, ", "", "/age is missing"), (", \"phone\": \"1\"", "", "/owner/phone is missing"),
    (", \"flag\": true", "", "/flag is missing"), ("\"map\": {}, ", "", "/map is missing"),
    ("{\"word\": \"old\"}", "{}", "/tags/*/word is missing"),
    ("\"free\": \"x\"", "\"free\": 1", "/free is number, and string in the fixtures"),
    ("\"flag\": true", "\"flag\": \"true\"", "/flag is string, and boolean in the fixtures"),
    ("\"free\": \"x\"", "\"free\": null", "/free is null, and string in the fixtures"),
    ("\"flag\": true", "\"flag\": true, \"more\": 1", "/more is new"),
    ("\"phone\": \"1\"", "\"phone\": \"1\", \"mail\": \"a\"", "/owner/mail is new"),
    ("\"word\": \"old\"", "\"word\": \"old\", \"size\": 1", "/tags/*/size is new"),
    ("\"status\": \"sold\"", "\"status\": \"lost\"", "[resp.body.schema]"),
    ("\"age\": 3", "\"age\": 3.5", "[resp.body.schema]"),
    ("\"width\": 2", "\"width\": 2.5", "/width is a fraction, and an integer in the fixtures"),
    ("\"seen\": \"2026-01-01T00:00:00Z\"", "\"seen\": \"yesterday\"", "[resp.body.schema]"),
    ("\"name\": \"Ann\", ", "", "[resp.body.schema]"),
    (
      "\"owner\": {\"name\": \"Ann\", \"phone\": \"1\"}", "\"owner\": []", "/owner is array, and object in the fixtures"
    ),
    ("\"tags\": [{\"word\": \"old\"}]", "\"tags\": [\"old\"]", "/tags/* is string, and object in the fixtures"),
  ])
  func `a changed member is found`(_ old: String, _ new: String, _ message: String) throws {
    let found = try drifts("200 " + Self.fixture.replacing(old, with: new))
    #expect(found.contains { $0.hasSuffix(message) }, "\(found)")
  }

  @Test(arguments: [("", ["the header `location` is missing"]), ("/pets/2", [])])
  func `a header that every fixture has is missed`(_ location: String, _ messages: [String]) throws {
    let contract = ContractFixture.text(
      paths: """
          /pet:
            post: {operationId: addPet, responses: {"202": {description: Added.}}}

        """)
    var session = RecordedSession(
      contract: contract,
      fixtures: [
        "addPet/202.yaml": "headers: {Location: /pets/1, Age: \"3\", Set-Cookie: a=b}\n",
        "addPet/202.other.yaml": "headers: {location: /pets/1, ETag: \"1\"}\n",
      ])
    session.settings.mode = .diff
    session.headers = location.isEmpty ? [:] : [.location: location]
    #expect(try session.record([("POST /pet", "202")]).report.drifts.map { $0.message.lowercased() } == messages)
  }

  @Test func `another status, another media type and another root are found`() throws {
    #expect(try drifts("200 \(Self.fixture)", "410").contains("readPet 410: no fixture has this status"))
    #expect(try drifts("200 text/html: <p>down</p>").contains("readPet 200: the body is `text/html`"))
    #expect(try drifts("200 [1]").contains("readPet 200: the body is array, and object in the fixtures"))
  }
}
