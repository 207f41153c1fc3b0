import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  @Suite struct CrossOriginTests {
    @Test(arguments: ["/ready", "/echo"])
    func `an answer names the origin that asked`(path: String) async throws {
      try await serving {
        $0.cors = true
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.get(path, "Origin: https://app.example\r\n")
        let response = try client.response()
        #expect(response["access-control-allow-origin"] == "https://app.example")
        #expect(response["access-control-allow-credentials"] == "true")
        #expect(response["access-control-expose-headers"] == (path == "/ready" ? "ETag" : nil))
        #expect(response["vary"] == "Origin")
        #expect(response.body == (path == "/ready" ? "ready" : "GET /echo "))
        try client.get(path)
        #expect(try client.response()["vary"] == nil)
      }
    }

    @Test func `a long answer keeps its body`() async throws {
      try await serving {
        $0.cors = true
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.get("/long", "Origin: null\r\n")
        let response = try client.response()
        #expect(response["access-control-allow-origin"] == "null")
        #expect(response.body.utf8.count == 1_000_000)
      }
    }

    @Test func `a response that speaks of origins itself is left alone`() async throws {
      let response = HTTPResponse(status: .noContent, headerFields: [.accessControlAllowOrigin: "*"])
      try await serving(Responder { _, _ in Reply(.made(response, body: []), reason: "test") }) {
        $0.cors = true
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.get("/", "Origin: https://app.example\r\n")
        let answer = try client.response()
        #expect(answer.fields.filter { $0.name == "access-control-allow-origin" }.map(\.value) == ["*"])
        #expect(answer["access-control-allow-credentials"] == nil)
      }
    }

    @Test(arguments: [false, true])
    func `only a response for its own origin is unreadable elsewhere, whatever its resource policy`(
      isSameOrigin: Bool
    ) async throws {
      let name = try #require(HTTPField.Name("Cross-Origin-Resource-Policy"))
      let response = HTTPResponse(status: .noContent, headerFields: [name: "same-origin"])
      let responder = Responder { _, _ in
        var reply = Reply(.made(response, body: []), reason: "test")
        reply.isSameOrigin = isSameOrigin
        return reply
      }
      try await serving(responder) {
        $0.cors = true
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.get("/", "Origin: https://app.example\r\n")
        #expect(
          try client.response()["access-control-allow-origin"] == (isSameOrigin ? nil : "https://app.example"))
      }
    }

    @Test func `answers have no CORS fields unless enabled`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.get("/ready", "Origin: https://app.example\r\n")
        #expect(try client.response()["access-control-allow-origin"] == nil)
      }
    }
  }
}
