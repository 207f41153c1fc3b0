import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  struct FixtureRoutesTests {
    private static let contract = """
      openapi: 3.1.0
      info: {title: Chat, version: "1"}
      paths:
        /chat/{id}:
          get:
            operationId: readChat
            parameters: [{name: id, in: path, required: true, schema: {type: string}}]
            responses:
              "200":
                description: Messages
                content:
                  application/json:
                    schema: {type: object, required: [messages], properties: {messages: {type: array}}}
                    example: {messages: [hello]}
              "404": {description: None}
      """

    /// Sends a request to a mock whose tools remember what they were asked to write.
    private func send(
      _ method: String, _ target: String, _ body: String = "", tools: AdminTools? = nil
    ) async throws -> RawClient.Response {
      let mock = try ContractFixture(Self.contract).mock()
      let host = MockHost(lanes: MemoryLanes(mock.newState()), admin: AdminSettings(isLocal: true, tools: tools))
      let answer = Awaited<RawClient.Response?>(nil)
      try await UnderstudyServerTests.serving(host.responder(for: mock), configure: { $0.servesLanes = true }) {
        port, _ in
        let client = try RawClient(port: port)
        try client.send(
          "\(method) /__admin/fixtures\(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        let response = try client.response()
        answer.change { $0 = response }
      }
      return try #require(answer.value)
    }

    private func json(_ response: RawClient.Response) throws -> JSON {
      try JSONParser.parse(Array(response.body.utf8)).root
    }

    @Test func `the body of an answer is shown with its media type`() async throws {
      let root = try json(try await send("GET", "?operation=readChat&answer=200"))
      #expect(root["text"]?.string?.contains("hello") == true)
      #expect(root["type"]?.string == "application/json")
    }

    @Test(arguments: [
      ("?operation=readChta&answer=200", 404, "did you mean `readChat`?"),
      ("?operation=readChat&answer=200.nothing", 404, "has no answer 200.nothing"),
      ("?operation=readChat&answer=+200", 400, "is not an answer"), ("?operation=readChat", 400, "is not an answer"),
      ("?answer=200", 400, "`operation` is missing"), ("?operation=readChat&answer=200&x=1", 400, "unknown parameter"),
    ])
    func `a question that cannot be answered is refused`(target: String, status: Int, part: String) async throws {
      let reply = try await send("GET", target)
      #expect(reply.status == status)
      #expect(reply.body.contains(part), "\(reply.body)")
    }

    @Test(arguments: [
      (#"{\"messages\": []}"#, ""), (#"{\"message\": []}"#, "resp.body.schema"), ("[", "resp.body.unparsable"),
    ])
    func `a body is validated as an answer of the operation`(text: String, rule: String) async throws {
      let reply = try await send("POST", "", #"{"operation": "readChat", "answer": "200.empty", "text": "\#(text)"}"#)
      #expect(reply.status == 200)
      let rules = try json(reply)["findings"]?.elements.compactMap { $0["rule"]?.string } ?? []
      #expect(rules == (rule.isEmpty ? [] : [rule]), "\(reply.body)")
    }

    @Test func `a body is written as a fixture as it was typed, secrets included`() async throws {
      let written = Awaited("")
      let tools = AdminTools(
        saveFixture: { exchange, _, name, _, redaction, mode in
          let hidden = Rule.redaction.allSatisfy { redaction.off.contains($0.id) } ? "as it is" : "redacted"
          written.change { text in
            text =
              "\(name ?? "") \(exchange.status ?? 0) \(mode) \(hidden) "
              + String(decoding: exchange.reply.body, as: UTF8.self)
          }
          return AdminTools.SavedFixture(label: "readChat/200.empty", paths: ["a.json"])
        }, requestForm: { _, _ in [] })
      let reply = try await send(
        "POST", "",
        #"{"operation": "readChat", "answer": "200.empty", "text": "{\"messages\": []}", "write": true, "replace": true}"#,
        tools: tools)
      #expect(reply.status == 201)
      #expect(written.value == #"empty 200 replacing as it is {"messages": []}"#)
    }

    @Test(arguments: [
      ("[]", "expected texts for"), (#"{"operation": 1}"#, "expected texts for"), ("{", "the body is not JSON"),
      (#"{"operation": "readChat", "answer": "200", "text": "", "wirte": true}"#, "did you mean `write`?"),
      (#"{"operation": "readChat", "answer": "200", "text": "", "write": 1}"#, "`write` is true or false"),
      (#"{"operation": "readChat", "answer": "200", "text": "", "type": 1}"#, "expected text for `type`"),
      (#"{"operation": "readChat", "answer": "99", "text": ""}"#, "is not an answer"),
    ])
    func `a draft that cannot be read is refused`(body: String, part: String) async throws {
      let reply = try await send("POST", "", body)
      #expect(reply.status == 400)
      #expect(reply.body.contains(part), "\(reply.body)")
    }
  }
}
