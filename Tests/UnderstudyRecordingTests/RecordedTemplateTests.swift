import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// `--templates`
struct RecordedTemplateTests {
  private static let contract = ContractFixture.text(
    paths: """
        /pets/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          put:
            operationId: savePet
            requestBody: {content: {application/json: {schema: {type: object}}}}
            responses: {"200": {description: A pet., content: {application/json: {schema: {type: object}}}}}

      """)

  @Test func `values of the request and times of the recording become placeholders`() throws {
    var session = RecordedSession(contract: Self.contract)
    session.settings.writesTemplates = true
    let answer = """
      {"id": "7", "name": "Tom", "kind": "cat", "createdAt": "2026-11-21T09:38:00.000Z", "until": "2026-11-22T09:41:00Z", \
      "at": 1795254060, "born": "2020-01-01T00:00:00Z"}
      """
    let result = try session.record([(request: #"PUT /pets/7 {"name":"Tom"}"#, answer: "200 \(answer)")])
    #expect(
      result.files == [
        "savePet/200.yaml": "template: true\nbodyFile: bodies/200.json\n",
        "savePet/bodies/200.json": """
        {
          "id": "{{request.path.id}}",
          "name": "{{request.body.name}}",
          "kind": "cat",
          "createdAt": "{{now -3m}}",
          "until": "{{now +1d format='%Y-%m-%dT%H:%M:%SZ'}}",
          "at": {{now format=epoch}},
          "born": "2020-01-01T00:00:00Z"
        }

        """,
      ])
  }

  private static let orders = ContractFixture.text(
    paths: """
        /orders:
          post:
            operationId: addOrder
            requestBody:
              content:
                application/json:
                  schema: {type: object, required: [count], properties: {count: {type: integer}, left: {type: integer}}}
            responses: {"201": {description: Added., content: {application/json: {}}}}
        /orders/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          get:
            operationId: readOrder
            responses:
              "200": {description: An order., content: {application/json: {schema: {properties: {state: {enum: [new]}}}}}}
              "404": {description: None.}

      """)

  private func orders(_ exchanges: [RecordedSession.ShortExchange]) throws -> [String: String] {
    var session = RecordedSession(contract: Self.orders)
    session.settings.writesTemplates = true
    return try session.record(exchanges).files
  }

  private static let id = "7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10"

  @Test func `a generated id becomes a placeholder, and the answer about it repeats the id of its request`() throws {
    let files = try orders([
      ("POST /orders", #"201 {"id": "\#(Self.id)", "_id": "5d674286111c0a3e"}"#),
      ("GET /orders/\(Self.id)", #"200 {"id": "\#(Self.id)"}"#),
    ])
    #expect(
      files["addOrder/bodies/201.json"] == "{\n  \"id\": \"{{uuid}}\",\n  \"_id\": \"{{random hex=16}}\"\n}\n",
      "\(files)")
    #expect(files["readOrder/bodies/200.json"] == "{\n  \"id\": \"{{request.path.id}}\"\n}\n", "\(files)")
  }

  @Test(arguments: [
    // Another fixture, the same body and a condition refer to it.
    ("GET /orders/1", #"200 {"parent": "7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10"}"#),
    (
      "POST /orders",
      #"201 {"id": "7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10", "self": "/7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10"}"#
    ),
    ("GET /orders/7d1f8b8e-92c4-4c3e-8a2b-0f5a3f1c9d10", "404"),
  ])
  func `an id that something refers to stays`(_ request: String, _ answer: String) throws {
    let own = ("POST /orders", #"201 {"id": "\#(Self.id)"}"#)
    let other = ("GET /orders/2", #"200 {"id": "2"}"#)
    let files = try orders(request == own.0 ? [(request, answer)] : [own, other, (request, answer)])
    #expect(files["addOrder/201.json"]?.contains(#""id": "\#(Self.id)""#) == true, "\(files)")
  }

  @Test func `a number of the request is repeated where the request must have it`() throws {
    let files = try orders([
      ("POST /orders {\"count\":3,\"left\":3}", #"201 {"count": 3, "left": 3}"#),
      ("GET /orders/17", #"200 {"id": 17, "state": "new", "count": 17}"#),
    ])
    #expect(
      files["addOrder/bodies/201.json"] == "{\n  \"count\": {{request.body.count}},\n  \"left\": 3\n}\n", "\(files)")
    #expect(
      files["readOrder/bodies/200.json"]
        == "{\n  \"id\": {{request.path.id}},\n  \"state\": \"new\",\n  \"count\": 17\n}\n", "\(files)")
  }

  @Test(arguments: [
    ("2026-11-21", "{{now format=date}}"), ("2026-11-20", "{{now -1d format=date}}"),
    ("2026-11-21T18:42:00+09:00", "{{now +9h1m format='%Y-%m-%dT%H:%M:%S+09:00'}}"),
    ("2026-11-21T09:40:59.5", nil), ("2026-11-21 09:41:00.123456", "{{now +123ms format='%Y-%m-%d %H:%M:%S.%L000'}}"),
    ("2026-11-21T04:41:00-0500", "{{now -5h format='%Y-%m-%dT%H:%M:%S-0500'}}"), ("2026-13-21", nil),
    ("2026-11-21x", nil),
  ])
  func `a time keeps the spelling and the zone of the server`(_ text: String, _ tag: String?) throws {
    let files = try orders([("GET /orders/1", #"200 {"at": "\#(text)"}"#)])
    #expect(files.values.contains { $0.contains("\"at\": \"\(tag ?? text)\"") }, "\(files)")
  }
}
