import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// Heads that the decoder accepts and RFC 9112 does not, and bytes that the decoder loses.
  @Suite struct RequestLineTests {
    private static let line = "the request line has to be a method, a target and HTTP/1.1, with one blank between them"
    private static let host = "the Host field is not a host with or without a port"
    private static let length = "Content-Length and Transfer-Encoding contradict each other or are malformed"

    @Test(arguments: [
      ("GET /a RTSP/1.0\r\nHost: t\r\n", line), ("GET  /a HTTP/1.1\r\nHost: t\r\n", line),
      ("GET /a  HTTP/1.1\r\nHost: t\r\n", line), ("GET /a HTTP/1.1\r\nHost: a b\r\n", host),
      ("GET /a HTTP/1.1\r\nHost: user@a\r\n", host), ("GET /a HTTP/1.1\r\nHost: a, b\r\n", host),
      ("GET /a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: \r\nContent-Length: 0\r\n", length),
      ("GET /a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: ,\r\n", length),
    ])
    func `a malformed head is refused and ends the connection`(_ head: String, _ reason: String) async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send(head + "\r\n")
        let response = try client.response()
        #expect(response.status == 400)
        #expect(response["connection"] == "close")
        #expect(response.body.contains(reason) || response.body.contains("does not end in HTTP/1.1"))
      }
    }

    @Test(arguments: [
      "GET /a HTTP/1.1\r\nHost: \r\n\r\n", "GET /a HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
      "\r\nGET /a HTTP/1.1\r\nHost: t\r\n\r\n", "GET http://t/a HTTP/1.1\r\nHost: t\r\n\r\n",
      "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "M-SEARCH /a HTTP/1.1\r\nHost: t\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: t \t\r\nContent-Length: 0 \r\n\r\n",
    ])
    func `a head that is allowed is answered, whole, in two parts, and behind another request`(
      _ head: String
    ) async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        let body = "POST /b HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\n\r\nGET "
        let chunks = "POST /c HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nGET \r\n0\r\n\r\n"
        try client.send(head + body + head + chunks + head)
        for path in ["/a", "/b", "/a", "/c", "/a"] {
          let response = try client.response()
          #expect(response.status == 200)
          #expect(response.body.contains(path))
        }
        for part in [String(head.prefix(9)), String(head.dropFirst(9))] { try client.send(part) }
        #expect(try client.response().status == 200)
      }
    }

    @Test func `a malformed head behind another request is refused`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send("POST /b HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nabGET  /a HTTP/1.1\r\nHost: t\r\n\r\n")
        #expect(try client.response().status == 200)
        #expect(try client.response().status == 400)
      }
    }

    @Test func `the method and the bytes of a field arrive as they were sent`() async throws {
      let responder = Responder { request, _ in
        let value =
          request.headerFields.first { $0.name.rawName == "X-Name" }?.withUnsafeBytesOfValue { Array($0) } ?? []
        return Reply(.made(HTTPResponse(status: .ok), body: Array("\(request.method) \(value)".utf8)), reason: "")
      }
      try await serving(responder) { port, _ in
        let client = try RawClient(port: port)
        for bytes: [UInt8] in [[0xE9], [0xC3, 0xA9], [0xEF, 0xBF, 0xBD], [0x61, 0xFF, 0x62]] {
          try client.send(
            Array("M-SEARCH /a HTTP/1.1\r\nHost: t\r\nX-Other: \u{FFFD}\r\nX-Name:  ".utf8) + bytes
              + Array(" \r\n\r\n".utf8))
          #expect(try client.response().body == "M-SEARCH \(bytes)")
        }
      }
    }
  }
}
