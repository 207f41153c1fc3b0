import HTTPTypes
import Synchronization
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// What one request may cost the others.
  @Suite struct RequestCostTests {
    /// Schemas whose validation takes more work than an event loop may do, each with a body of at most 20 kB.
    struct Attack: Sendable, CustomTestStringConvertible {
      let name: String
      let schema: String
      let body: String
      var testDescription: String { name }
    }

    private static let costlyText = String(repeating: "ab ", count: 30) + "!"

    /// `allOf` with two copies of a schema that does the same, and so on: 2^24 evaluations of one property.
    private static let doubled: String = {
      let definitions = (0..<24).map { level -> String in
        let next = "{$ref: '#/components/schemas/D\(level + 1)'}"
        return "    D\(level): {allOf: [\(next), \(next)]}\n"
      }
      return definitions.joined() + "    D24: {type: object, properties: {a: {type: integer}}}\n"
    }()

    static let attacks = [
      Attack(
        name: "items with a costly pattern", schema: #"{type: array, items: {type: string, pattern: '^(\w+\s?)*$'}}"#,
        body: "[" + (0..<200).map { "\"\(costlyText)\($0)!\"" }.joined(separator: ",") + "]"),
      Attack(
        name: "names with a costly pattern", schema: #"{type: object, propertyNames: {pattern: '^(\w+\s?)*$'}}"#,
        body: "{" + (0..<150).map { "\"\(costlyText)\($0)!\": 1" }.joined(separator: ",") + "}"),
      Attack(
        name: "costly patterns for properties",
        schema: #"{type: object, patternProperties: {'^(a+)+$': {type: integer}}, additionalProperties: false}"#,
        body: "{" + (0..<150).map { "\"\(String(repeating: "a", count: 90))\($0)!\": 1" }.joined(separator: ",") + "}"),
      Attack(name: "doubled allOf", schema: "{$ref: '#/components/schemas/D0'}", body: #"{"a": 1}"#),
    ]

    private static func contract(_ schema: String) -> String {
      """
      openapi: 3.1.0
      info: {title: Cost, version: "1"}
      paths:
        /costly:
          post:
            operationId: costly
            requestBody: {required: true, content: {application/json: {schema: \(schema)}}}
            responses: {"200": {description: d}, "422": {description: d}}
        /cheap: {get: {operationId: cheap, responses: {"204": {description: d}}}}
      components:
        schemas:
      \(doubled)
      """
    }

    private static func post(_ body: String) -> String {
      let head = "POST /costly HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n"
      return head + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// A request while a worker computes the reply of another: with one event loop, it is answered only if the loop does
    /// not compute.
    @Test(arguments: attacks) func `a costly request does not delay others`(_ attack: Attack) async throws {
      let mock = try ContractFixture(Self.contract(attack.schema)).mock()
      let threads = Mutex<[Bool]>([])
      let lane = Lane(mock.newState())
      let responder = Responder { request, body, budget in
        let reply = mock.reply(to: request, body: body, in: lane, within: budget)
        if request.method == .post { threads.withLock { $0.append(reply == nil) } }
        return reply
      }
      try await serving(responder, configure: { $0.loops = 1 }) { port, _ in
        let attacker = try RawClient(port: port)
        try attacker.send(Self.post(attack.body))
        let other = try RawClient(port: port)
        for _ in 0..<20 {
          try other.get("/cheap")
          #expect(try other.response().status == 204)
        }
        #expect(try [200, 422].contains(attacker.response().status))
        // The loop gave up, and a worker answered.
        #expect(threads.withLock { $0 } == [true, false])
      }
    }

    /// A new seed each time: the generated answer is not the one of an earlier request.
    @Test func `a costly sample does not delay others`() async throws {
      let mock = try ContractFixture(
        ContractFixture.text(
          paths: """
              /samples:
                get:
                  operationId: samples
                  responses:
                    "200":
                      description: d
                      content:
                        application/json: {schema: {type: array, minItems: 200, items: {type: string, minLength: 5000}}}
              /cheap: {get: {operationId: cheap, responses: {"204": {description: d}}}}

            """)
      ).mock()
      let threads = Mutex<[Bool]>([])
      let lane = Lane(mock.newState())
      let responder = Responder { request, body, budget in
        let reply = mock.reply(to: request, body: body, in: lane, within: budget)
        if request.path?.hasPrefix("/samples") == true { threads.withLock { $0.append(reply == nil) } }
        return reply
      }
      try await serving(responder, configure: { $0.loops = 1 }) { port, _ in
        let attacker = try RawClient(port: port)
        let other = try RawClient(port: port)
        for seed in [1, 2, 2] {
          try attacker.get("/samples?__seed=\(seed)")
          try other.get("/cheap")
          #expect(try other.response().status == 204)
          let sample = try attacker.response()
          #expect(sample.status == 200)
          #expect(sample.body.utf8.count > 1_000_000)
        }
        // The loop gave up, and a worker answered; the last one was there already.
        #expect(threads.withLock { $0 } == [true, false, true, false, false])
      }
    }

    @Test func `a client that leaves while its reply is computed is reported once`() async throws {
      let mock = try ContractFixture(Self.contract(Self.attacks[0].schema)).mock()
      let reasons = Awaited<[Int?]>([])
      try await serving(mock.responder, observer: { exchange in reasons.change { $0.append(exchange.status) } }) {
        port, _ in
        let client = try RawClient(port: port)
        try client.send(Self.post(Self.attacks[0].body))
        client.reset()
        #expect(reasons.waits { $0.count == 1 })
        let other = try RawClient(port: port)
        try other.get("/cheap")
        #expect(try other.response().status == 204)
      }
    }
  }
}
