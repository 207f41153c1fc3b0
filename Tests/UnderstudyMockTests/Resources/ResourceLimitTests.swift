import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Numbers at the ends of their range, and documents that grow: no client may end a mock or keep it busy.
struct ResourceLimitTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Things, version: "1"}
    paths:
      /things:
        get:
          operationId: listThings
          parameters:
            - {name: limit, in: query, schema: {type: integer}}
            - {name: page, in: query, schema: {type: integer}}
            - {name: offset, in: query, schema: {type: integer}}
          responses:
            "200":
              description: d
              content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Thing"}}}}
        post:
          operationId: makeThing
          requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
          responses:
            "201":
              description: d
              content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}
      /things/{id}:
        get:
          operationId: readThing
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses:
            "200":
              description: d
              content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}
            "404": {description: d}
    components:
      schemas:
        Thing: {type: object, properties: {id: {type: integer}, name: {type: string}}}
    """

  private func stateful(_ body: (LaneClient) throws -> Void) throws {
    try ContractFixture(Self.contract).withMock(configure: { $0.isStateful = true }) { try body(LaneClient($0)) }
  }

  private func make(_ thing: String, by client: LaneClient) -> String {
    client.send(.post, "/things", ["Content-Type": "application/json"], body: thing).text
  }

  @Test func `after the greatest id comes the first that is free`() throws {
    try stateful { client in
      _ = make(#"{"id": 1}"#, by: client)
      #expect(make(#"{"id": 9223372036854775807}"#, by: client) == #"{"id":9223372036854775807}"#)
      #expect(make(#"{"name": "a"}"#, by: client) == #"{"name":"a","id":2}"#)
    }
  }

  @Test(arguments: ["-9223372036854775808", "-9223372036854775807", "-1", "0", "9223372036854775807"])
  func `items get ids although their schema has one number alone`(_ number: String) throws {
    let contract = Self.contract.replacing(
      "{id: {type: integer}, name", with: "{id: {type: integer, minimum: \(number), maximum: \(number)}, name")
    try ContractFixture(contract).withMock(configure: { $0.isStateful = true }) { mock in
      let client = LaneClient(mock)
      let items = (0..<3).map { make(#"{"name": "\#($0)"}"#, by: client) }
      #expect(items.allSatisfy { $0.contains("\"id\":\(number),") }, "\(items)")
    }
  }

  @Test(arguments: ["5.0", "5e0", "50e-1"])
  func `a whole number is one id in all its spellings`(spelling: String) throws {
    try stateful { client in
      _ = make(#"{"id": \#(spelling)}"#, by: client)
      #expect(client.send("/things/5").status == 200)
    }
  }

  @Test(arguments: [
    ("page=-9223372036854775808&limit=1", true), ("page=9223372036854775807&limit=9223372036854775807", false),
    ("page=6148914691236517206&limit=3", false), ("offset=9223372036854775807", false),
    ("offset=-9223372036854775808", true), ("limit=-9223372036854775808", false),
  ]) func `a page at the end of the numbers is the first one or empty`(query: String, isFirst: Bool) throws {
    try stateful { client in
      _ = make(#"{"id": 7}"#, by: client)
      #expect(client.send("/things?\(query)").text == (isFirst ? #"[{"id":7}]"# : "[]"))
    }
  }

  @Test func `copies of copies end at a limit`() throws {
    let copies = (0..<60).map { #"{"op": "copy", "from": "/b", "path": "/b/c\#($0)"}"# }
    let patch = try JSONParser.parse(Array("[\(copies.joined(separator: ","))]".utf8)).root
    let document = try JSONParser.parse(Array(#"{"b": {"x": "a text of some length"}}"#.utf8)).root
    #expect(throws: JSONPatch.Problem.malformed("the copies of a patch have at most 10 MB together")) {
      try JSONPatch.apply(patch, to: document)
    }
  }
}
