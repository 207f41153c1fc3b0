import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ViolationListTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        post:
          operationId: addPet
          requestBody:
            content:
              application/json:
                schema:
                  type: object
                  properties: {user: {type: object, properties: {age: {type: integer}}}}
                  additionalProperties: {type: integer}
          responses:
            "200": {description: ok}

    """

  private func send(_ body: String, _ policy: Mock.InvalidPolicy) throws -> Reply {
    try ContractFixture(Self.contract).withMock(configure: { $0.onInvalid = policy }) { mock in
      mock.send(.post, "/pets", ["Content-Type": "application/json"], body: body)
    }
  }

  private func header(_ reply: Reply) -> String? { reply.header("sl-violations") }

  private static let entry =
    #"{"location":["body","user","age"],"severity":"Error","code":"req.body.schema","message":"#

  @Test func `a problem lists the findings as Prism does`() throws {
    let reply = try send(#"{"user": {"age": "old"}}"#, .problem)
    #expect(reply.status == 422)
    #expect(
      reply.text.hasPrefix(#"{"type":"urn:understudy:problem:invalid-request","title":"Invalid request","status":422,"#)
    )
    #expect(reply.text.contains(#""validation":["# + Self.entry))
    #expect(header(reply)?.hasPrefix("[" + Self.entry) == true)
  }

  @Test func `an answer that is served all the same lists it in a field`() throws {
    let reply = try send(#"{"user": {"age": "old"}}"#, .warn)
    #expect(reply.status == 200)
    #expect(header(reply)?.hasPrefix("[" + Self.entry) == true)
    #expect(header(try send(#"{"user": {"age": 7}}"#, .warn)) == nil)
  }

  @Test func `the field is ASCII`() throws {
    let list = try #require(header(try send(#"{"고양이😀": "x"}"#, .warn)))
    #expect(list.utf8.allSatisfy { 0x20..<0x7F ~= $0 })
    #expect(list.contains(#"["body","\uace0\uc591\uc774\ud83d\ude00"]"#))
    #expect(throws: Never.self) { try JSONParser.parse(Array(list.utf8)) }
  }

  @Test func `the field does not outgrow what clients put up with`() throws {
    let members = (0..<40).map { #""member\#($0)\#(String(repeating: "x", count: 200))": "x""# }
    let reply = try send("{\(members.joined(separator: ","))}", .warn)
    let list = try #require(header(reply))
    #expect(list.utf8.count < 4_200)
    let root = try JSONParser.parse(Array(list.utf8)).root
    let entries = Array(root.elements)
    let last = try #require(entries.last)
    #expect(last["code"]?.string == "too-many")
    let reported = entries.count - 1
    #expect(last["message"]?.string == "\(reply.diagnostics.count - reported) more: see the log")
  }

  @Test func `what was not validated is carried with its reason`() throws {
    let reply = try ContractFixture(Self.contract).withMock { mock in
      mock.send(.post, "/pets", ["Content-Type": "application/json", "Content-Encoding": "zstd"], body: "x")
    }
    #expect(reply.notValidated.map(\.pointer) == ["/body"])
  }
}
