import Foundation
import Testing
import UnderstudyTestSupport

/// A proxy before servers that treat connections as real ones do.
@Suite(.waitsForProcesses, .enabled(if: PythonServer.path != nil, "skipped: no python3"))
struct ProxyConnectionTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Orders, version: "1"}
    paths:
      /orders:
        post:
          operationId: order
          requestBody:
            required: true
            content: {application/json: {schema: {type: object, properties: {n: {type: integer}}}}}
          responses: {"200": {description: d}, "500": {description: d}}
      /seen: {get: {operationId: seen, responses: {"200": {description: d, content: {application/json: {}}}}}}

    """

  /// As Starlette with uvicorn: after an error of the application the connection is closed, and no field says so.
  private static let backend = PythonServer.handler(
    """
    seen = []
    def do_POST(self):
        n = json.loads(self.body())["n"]
        self.seen.append(n)
        if n % 3 == 0:
            self.answer(500, b"Internal Server Error", Content_Type="text/plain")
            self.close_connection = True
        else: self.answer(200)
    def do_GET(self):
        self.answer(200, json.dumps(self.seen).encode(), Content_Type="application/json")
    """)

  @Test func `1,000 requests to a server that closes after errors arrive once each`() throws {
    try withProject(["orders.yaml": Self.contract]) { folder in
      let backend = try PythonServer(Self.backend)
      defer { backend.stop() }
      let mock = try ServedMock(
        ["orders.yaml", "--quiet", "--upstream", "http://127.0.0.1:\(backend.port)"], in: folder)
      let client = try RawClient(port: mock.port)
      for n in 0..<1_000 {
        let body = "{\"n\": \(n)}"
        try client.send(
          "POST /orders HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            + body)
        #expect(try client.response().status == (n % 3 == 0 ? 500 : 200))
      }
      #expect(try Curl.get(mock.url + "/seen").body == "[" + (0..<1_000).map(String.init).joined(separator: ", ") + "]")
      #expect(mock.end().code == 0)
    }
  }

  // MARK: - Bytes as they came

  /// Starts a proxy before a server that answers every request in the same way; gives the body the proxy and a function
  /// that returns the next head that the server saw.
  private func proxying(
    _ answer: [UInt8], _ body: (_ mock: ServedMock, _ seen: () throws -> [UInt8]) throws -> Void
  ) throws {
    let heads = Awaited<[[UInt8]]>([])
    let server = try RawServer { connection, _ in
      while let head = try? connection.data(through: "\r\n\r\n") {
        heads.change { $0.append(head) }
        try connection.send(answer)
      }
      return ""
    }
    try withProject(["orders.yaml": Self.contract]) { folder in
      let mock = try ServedMock(
        ["orders.yaml", "--upstream", "http://127.0.0.1:\(server.port)", "--upstream-timeout", "2s"], in: folder)
      defer { mock.stop() }
      try body(mock) {
        #expect(heads.waits { !$0.isEmpty })
        return heads.change { $0.isEmpty ? [] : $0.removeFirst() }
      }
    }
  }

  private static let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)

  @Test(arguments: [
    "GET /seen?q=100%&filter[x]=1", "M-SEARCH /seen", "GET /seen?%7e=~&a=%2F", "PROPFIND /a//b/../c", "GET /%zz?",
  ])
  func `the method and the target pass as they came`(_ line: String) throws {
    try proxying(Self.ok) { mock, seen in
      let client = try RawClient(port: mock.port)
      try client.send("\(line) HTTP/1.1\r\nHost: t\r\n\r\n")
      #expect(try client.response().status == 200)
      #expect(String(decoding: try seen(), as: UTF8.self).hasPrefix("\(line) HTTP/1.1\r\n"))
    }
  }

  @Test func `bytes of fields pass as they came, in both directions`() throws {
    let answer = Array("HTTP/1.1 200 OK\r\nX-Name: caf".utf8) + [0xE9] + Array("\r\nContent-Length: 0\r\n\r\n".utf8)
    try proxying(answer) { mock, seen in
      let client = try RawClient(port: mock.port)
      for end: [UInt8] in [[0xE9], [0xC3, 0xA9], [0xFF, 0xFE]] {
        try client.send(Array("GET /seen HTTP/1.1\r\nHost: t\r\nX-Name: caf".utf8) + end + Array("\r\n\r\n".utf8))
        #expect(try client.data(through: "\r\n\r\n").firstRange(of: Array("X-Name: caf".utf8) + [0xE9, 13]) != nil)
        #expect(try seen().firstRange(of: Array("X-Name: caf".utf8) + end + [13]) != nil)
      }
    }
  }

  // MARK: - Malformed answers

  @Test(arguments: ["000", "001", "099", "99", "1000", "-1", "101", "abc", ""])
  func `an answer with a status that ends no request is a 502`(_ status: String) throws {
    try proxying(Array("HTTP/1.1 \(status) X\r\nContent-Length: 2\r\n\r\nok".utf8)) { mock, _ in
      let answer = try Curl.get(mock.url + "/seen")
      #expect(answer.status == 502)
      #expect(answer.body.contains(#""type":"urn:understudy:problem:upstream-"#))
      #expect(try Curl.get(mock.url + "/seen").status == 502)
    }
  }

  @Test func `an answer with two lengths is a 502`() throws {
    try proxying(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokk".utf8)) { mock, _ in
      let answer = try Curl.get(mock.url + "/seen")
      #expect(answer.status == 502)
    }
  }
}
