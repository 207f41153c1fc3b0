import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// What a client learns about its own request.
struct ClientFindingsTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Rides, version: "1"}
    paths:
      /rides:
        post:
          operationId: order
          parameters: [{name: n, in: query, schema: {type: integer}}]
          requestBody:
            content:
              application/json:
                schema: {properties: {origin: {properties: {lng: {type: number}}}}}
          responses: {"201": {description: Ordered.}, "422": {description: Refused.}}

    """

  private func send(
    _ policy: Mock.InvalidPolicy = .contract, _ target: String = "/rides", _ body: String = "{}"
  ) throws -> Reply {
    try ContractFixture(Self.contract).withMock(configure: { $0.onInvalid = policy }) { mock in
      mock.send(.post, target, ["Content-Type": "application/json"], body: body)
    }
  }

  private static let wrong = #"{"origin": {"lng": "x"}}"#

  @Test(arguments: Mock.InvalidPolicy.allCases)
  func `every answer to a request with findings lists them`(policy: Mock.InvalidPolicy) throws {
    let reply = try send(policy, "/rides", Self.wrong)
    let list = try #require(reply.header("sl-violations"))
    let entry = try #require(try JSONParser.parse(Array(list.utf8)).root[0])
    #expect(JSONWriter.text(entry["location"] ?? .null) == #"["body","origin","lng"]"#)
  }

  @Test func `an answer to a request without findings lists nothing`() throws {
    #expect(try send().header("sl-violations") == nil)
  }

  @Test func `a request that reaches no operation has its finding listed`() throws {
    #expect(try send(.contract, "/ride").header("sl-violations")?.contains("req.path.unknown") == true)
  }

  @Test func `a problem names the value in the body`() throws {
    let reply = try send(.problem, "/rides", Self.wrong)
    #expect(reply.text.contains(#""detail":"/origin/lng: expected number, found string \"x\""#), "\(reply.text)")
  }

  @Test func `a long pointer is shortened in the message`() throws {
    let name = String(repeating: "n", count: 5_000)
    let finding = Diagnostic(.requestBodySchema, "wrong", at: Location(exchange: "/body/\(name)"))
    #expect(finding.placedMessage == "/\(String(repeating: "n", count: 199))...: wrong")
    #expect(Diagnostic(.requestBodySchema, "wrong", at: Location(exchange: "/body")).placedMessage == "wrong")
    #expect(Diagnostic(.requestParamSchema, "wrong", at: Location(exchange: "/query/n")).placedMessage == "wrong")
  }

  @Test(arguments: [
    ("__exmple=a", 422, "did you mean `__example`?"),
    ("__status=500", 201, "the mock knows `__code`, `__delay`, `__dynamic`, `__example`, `__fault`, `__seed`"),
    ("__t=1", 201, "the mock knows `__code`, `__delay`, `__dynamic`, `__example`, `__fault`, `__seed`"),
    ("nn=1", 201, nil),
  ])
  func `an unknown parameter that looks like a preference is answered with the known ones`(
    query: String, status: Int, help: String?
  ) throws {
    let reply = try send(.warn, "/rides?\(query)")
    #expect(reply.status == status)
    #expect(reply.diagnostics.contains { $0.help == help })
  }
}
