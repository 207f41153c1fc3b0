import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// Sessions that are played again get every body again, and a second recording changes nothing.
struct ReplayedSessionTests {
  private static let contract =
    ContractFixture.text(
      paths: """
          /open:
            get:
              operationId: open
              security: [{key: []}]
              responses:
                "200": {description: Open., content: {application/json: {}}}
                "401": {description: Closed., content: {application/json: {}}}
          /things:
            post:
              operationId: addThing
              requestBody:
                required: true
                content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}
              responses:
                "201": {description: Added., content: {application/json: {}}}
                "422": {description: Wrong., content: {application/json: {}}}
          /items/{id}:
            get:
              operationId: readItem
              parameters: [{name: id, in: path, required: true, schema: {type: string}}]
              responses:
                "200": {description: An item., content: {application/json: {}}}
                "404": {description: None., content: {application/json: {}}}

        """) + "components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}\n"

  private static let sessions: [[RecordedSession.ShortExchange]] = [
    // A server that asks for no credentials.
    [("GET /open", #"200 {"a":1}"#), ("GET /open", #"200 {"a":1}"#)],
    // Two refusals of one cell, and a valid request that is refused.
    [("POST /things {}", #"422 {"e":"is missing"}"#), (#"POST /things {"name":7}"#, #"422 {"e":"is no string"}"#)],
    [
      ("POST /things {}", #"422 {"e":"is missing"}"#), (#"POST /things {"name":"odd"}"#, #"422 {"e":"is odd"}"#),
      ("POST /things {}", #"422 {"e":"is missing"}"#),
    ],
    [(#"POST /things {"name":"odd"}"#, #"422 {"e":"is odd"}"#), ("POST /things {}", #"422 {"e":"is missing"}"#)],
    // Accepted although they break the contract.
    [("POST /things {}", #"201 {"id":1}"#), (#"POST /things {"name":"a"}"#, #"201 {"id":2}"#)],
    // An error that names the id that it was asked for.
    [
      ("GET /items/7a0b56a6-8c09-4a3e-9d1f-0123456789ab", #"404 {"e":"no 7a0b56a6-8c09-4a3e-9d1f-0123456789ab"}"#),
      ("GET /items/9f0b56a6-8c09-4a3e-9d1f-0123456789ac", #"404 {"e":"no 9f0b56a6-8c09-4a3e-9d1f-0123456789ac"}"#),
    ],
  ]

  @Test(arguments: sessions) func `every body comes again`(_ session: [RecordedSession.ShortExchange]) throws {
    let result = try RecordedSession(contract: Self.contract).record(session)
    try ContractFixture(Self.contract, fixtures: result.written).withMock(configure: {
      $0.scenario = result.report.scenarios.first
    }) { mock in
      let lane = LaneClient(mock)
      for (request, answer) in session {
        let entry = try RecordedSession.entry(request, answer)
        let method = try #require(HTTPRequest.Method(entry.method))
        let reply = lane.send(
          method, String(request.split(separator: " ")[1]), ["Content-Type": "application/json"],
          body: String(decoding: entry.requestBody.bytes, as: UTF8.self))
        #expect(reply.status == entry.status, "\(request): \(result.written)")
        let (sent, wanted) = (try JSONParser.parse(reply.body).root, try JSONParser.parse(entry.responseBody).root)
        #expect(JSONWriter.text(sent) == JSONWriter.text(wanted), "\(request): \(result.written)")
      }
    }
  }

  @Test(arguments: sessions) func `a second recording of the session changes no file`(
    _ session: [RecordedSession.ShortExchange]
  ) throws {
    let first = try RecordedSession(contract: Self.contract).record(session)
    let second = try RecordedSession(contract: Self.contract, fixtures: first.written).record(session)
    #expect(second.files == [:], "\(first.written)")
  }

  @Test func `a rejection comes again although a fixture of an earlier recording answers the request`() throws {
    let earlier = "when: {body: {name: {present: false}}}\nbody: {}\n"
    let (plan, report) = try RecordedSession(
      contract: Self.contract, fixtures: ["addThing/201.yaml": earlier]
    ).played([("POST /things {}", "422 {}"), (#"POST /things {"name":"a"}"#, "201 {}")])
    #expect(report.unequal.isEmpty, "\(report.unequal) \(plan.files.map { String(decoding: $0.bytes, as: UTF8.self) })")
  }

  @Test func `a body with a time is the same for a request that a fixture names`() throws {
    func session(_ minute: Int) -> [RecordedSession.ShortExchange] {
      ["a", "b"].map { name in
        (#"POST /things {"name":"\#(name)"}"#, #"201 {"name":"\#(name)","at":"2026-11-21T09:\#(minute):00Z"}"#)
      }
    }
    let first = try RecordedSession(contract: Self.contract).record(session(10))
    let second = try RecordedSession(contract: Self.contract, fixtures: first.written).record(session(20))
    #expect(
      !second.files.keys.contains { $0.hasSuffix("other.json") || $0.hasSuffix("other2.json") }, "\(second.files)")
  }
}
