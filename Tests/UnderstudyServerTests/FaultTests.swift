import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

/// Each fault as a client sees it, byte by byte.
extension OverSockets {
  @Suite struct FaultTests {
    private static let body = #"{"name":"Tom"}"#

    private static func responder(_ fault: Fault) -> Responder {
      let fields: HTTPFields = [.contentType: "application/json", .eTag: "\"1\""]
      let ready = PreparedResponse(
        index: 0, response: HTTPResponse(status: .ok, headerFields: fields), body: Array(body.utf8))
      return Responder(prepared: [ready]) { request, _ in
        Reply(.prepared(ready), fault: request.path == "/fine" ? nil : fault, reason: "test")
      }
    }

    /// What a client receives until the end of the connection, and the status that is reported.
    private func exchange(_ fault: Fault) async throws -> (rest: RawClient.Rest, status: Int?) {
      let (exchanges, continuation) = AsyncStream.makeStream(of: ServedRequest.self)
      var rest = RawClient.Rest.closed
      var status: Int?
      try await serving(Self.responder(fault), observer: { continuation.yield($0) }) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/")
        rest = try client.rest()
        status = await exchanges.first { _ in true }?.status
      }
      return (rest, status)
    }

    /// The head and the body of what was received; the head without its empty line.
    private func split(_ text: String) -> (head: [Substring], body: Substring)? {
      text.firstRange(of: "\r\n\r\n").map { (text[..<$0.lowerBound].split(separator: "\r\n"), text[$0.upperBound...]) }
    }

    // MARK: - The end of the connection

    @Test(arguments: [(Fault.close, RawClient.End.closed), (.reset, .reset)])
    func `an answer that ends at its start sends nothing`(fault: Fault, end: RawClient.End) async throws {
      let (rest, status) = try await exchange(fault)
      #expect(rest == RawClient.Rest(text: "", end: end))
      #expect(status == nil)
    }

    @Test(arguments: [(Fault.close(at: .head), RawClient.End.closed), (.reset(at: .head), .reset)])
    func `an answer that ends in its head sends a part of it`(fault: Fault, end: RawClient.End) async throws {
      let (rest, status) = try await exchange(fault)
      #expect(rest.end == end)
      #expect(rest.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(!rest.text.contains("\r\n\r\n"))
      #expect(status == nil)
    }

    @Test(arguments: [(Fault.close(at: .afterHead), RawClient.End.closed), (.reset(at: .afterHead), .reset)])
    func `an answer that ends after its head sends no body`(fault: Fault, end: RawClient.End) async throws {
      let (rest, status) = try await exchange(fault)
      #expect(rest.end == end)
      #expect(rest.text.contains("\r\nContent-Length: 14\r\n"))
      #expect(rest.text.hasSuffix("\r\n\r\n"))
      #expect(status == 200)
    }

    @Test(arguments: [(Fault.truncate, RawClient.End.closed), (.reset(at: .body), .reset)])
    func `an answer that ends in its body sends half of it`(fault: Fault, end: RawClient.End) async throws {
      let (rest, status) = try await exchange(fault)
      #expect(rest.end == end)
      #expect(rest.text.contains("\r\nContent-Length: 14\r\n"))
      #expect(split(rest.text)?.body == #"{"name""#)
      #expect(status == 200)
    }

    @Test(arguments: [(Fault.close(at: .end), RawClient.End.closed), (.reset(at: .end), .reset)])
    func `an answer that ends at its end is whole, and the connection is not kept`(
      fault: Fault, end: RawClient.End
    ) async throws {
      let (rest, status) = try await exchange(fault)
      #expect(rest.end == end)
      #expect(split(rest.text)?.body == Self.body[...])
      #expect(!rest.text.contains("Connection: close"))
      #expect(status == 200)
    }

    @Test(arguments: [
      (Fault.hang(at: .head), "HTTP/1.1 200 OK\r\n", nil), (.hang(at: .afterHead), "\r\n\r\n", 200),
      (.hang(at: .body), #"{"name""#, 200), (.hang(at: .end), #"{"name":"Tom"}"#, 200),
    ])
    func `an answer that hangs leaves its client waiting after a part of it`(
      fault: Fault, part: String, status: Int?
    ) async throws {
      let (exchanges, continuation) = AsyncStream.makeStream(of: ServedRequest.self)
      try await serving(Self.responder(fault), observer: { continuation.yield($0) }) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/")
        #expect(try client.text(through: part).hasSuffix(part))
        client.reset()
        #expect(await exchanges.first { _ in true }?.status == status)
      }
    }

    /// The server ends after it has read the request: closing a connection with unread bytes would reset it.
    @Test func `a client without an answer waits until the server ends`() async throws {
      let (requests, continuation) = AsyncStream.makeStream(of: Void.self)
      let faulty = Self.responder(.hang)
      let responder = Responder(prepared: faulty.prepared) { request, body, budget in
        continuation.yield()
        return faulty.reply(request, body, budget)
      }
      try await serving(responder) { port, server in
        let client = try RawClient(port: port)
        try client.get("/")
        #expect(await requests.first { true } != nil)
        await server.shutdown()
        #expect(try client.rest() == .closed)
      }
    }

    // MARK: - Wrong messages

    @Test func `garbage is not HTTP, and no status is reported`() async throws {
      let (rest, status) = try await exchange(.garbage)
      #expect(rest.end == .closed)
      #expect(!rest.text.isEmpty)
      #expect(!rest.text.contains("HTTP"))
      #expect(status == nil)
    }

    @Test(arguments: [
      (1, "15"), (100, "114"), (-1, "13"), (-1000, "0"), (.max, "9223372036854775807"), (.min, "0"),
    ])
    func `a wrong length is announced once, and the body is whole`(bytes: Int, length: String) async throws {
      let (rest, status) = try await exchange(.wrongLength(by: bytes))
      let parts = try #require(split(rest.text))
      #expect(parts.head.filter { $0.hasPrefix("Content-Length: ") } == ["Content-Length: \(length)"])
      #expect(parts.body == Self.body[...])
      #expect(rest.end == .closed)
      #expect(status == 200)
    }

    @Test func `of the chunks of a body the second has no size`() async throws {
      let (rest, _) = try await exchange(.malformedChunk)
      let parts = try #require(split(rest.text))
      #expect(parts.head.contains("Transfer-Encoding: chunked"))
      #expect(!parts.head.contains { $0.hasPrefix("Content-Length") })
      #expect(parts.body == "7\r\n{\"name\"\r\nzz\r\n:\"Tom\"}\r\n0\r\n\r\n")
      #expect(rest.end == .closed)
    }

    @Test func `conflicting headers have two lengths and two media types`() async throws {
      let (rest, _) = try await exchange(.conflictingHeaders)
      let head = try #require(split(rest.text)?.head)
      #expect(head.filter { $0.hasPrefix("Content-Length") } == ["Content-Length: 14", "Content-Length: 15"])
      #expect(
        head.filter { $0.lowercased().hasPrefix("content-type") } == [
          "Content-Type: application/json", "Content-Type: text/html",
        ])
      #expect(rest.end == .closed)
    }

    // MARK: - Wrong contents

    /// The answer with a fault after which the connection is kept, and the answer after it.
    private func kept(_ fault: Fault) async throws -> RawClient.Response {
      var response: RawClient.Response?
      try await serving(Self.responder(fault)) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/")
        response = try client.response()
        try client.get("/fine")
        #expect(try client.response().body == Self.body)
      }
      return try #require(response)
    }

    @Test func `a page has the media type of the answer and its own length`() async throws {
      let response = try await kept(.html)
      #expect(response.status == 200)
      #expect(response["content-type"] == "application/json")
      #expect(response["etag"] == "\"1\"")
      #expect(response.body == String(decoding: HostilePage.bytes, as: UTF8.self))
    }

    @Test func `a text that is not UTF-8 has a wrong byte within a string`() async throws {
      try await serving(Self.responder(.invalidUTF8)) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/")
        _ = try client.text(through: "Content-Length: 16\r\n")
        let bytes = try client.data(through: "}")
        #expect(String(validating: bytes, as: UTF8.self) == nil)
        let body: [UInt8] = Array(#"{"name":"Tom"#.utf8) + [0xC3, 0x28, UInt8(ascii: "\""), UInt8(ascii: "}")]
        #expect(bytes.suffix(16) == body)
      }
    }

    @Test func `duplicate headers are equal`() async throws {
      let response = try await kept(.duplicateHeaders)
      for name in ["content-type", "etag", "content-length", "date"] {
        let values = response.fields.filter { $0.name == name }.map(\.value)
        #expect(values.count == 2)
        #expect(Set(values).count == 1)
      }
      #expect(response.body == Self.body)
    }

    // MARK: - Slow answers

    @Test(arguments: [Fault.drip(over: .milliseconds(20)), .bandwidth(1_000_000), .stall(.milliseconds(1))])
    func `a slow answer is whole, and the connection is kept`(fault: Fault) async throws {
      #expect(try await kept(fault).body == Self.body)
    }

    @Test func `a slow answer may be broken too`() async throws {
      let (rest, _) = try await exchange(.reset(at: .body).and(.drip(over: .milliseconds(20))))
      #expect(split(rest.text)?.body == #"{"name""#)
      #expect(rest.end == .reset)
    }

    // MARK: - HEAD and statuses without content

    @Test(arguments: [Fault.html, .invalidUTF8, .wrongLength(by: 1), .malformedChunk, .duplicateHeaders])
    func `the answer to HEAD stays without a body`(fault: Fault) async throws {
      try await serving(Self.responder(fault)) { port, _ in
        let client = try RawClient(port: port)
        try client.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let rest = try client.rest()
        #expect(rest.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(rest.text.hasSuffix("\r\n\r\n"))
      }
    }
  }
}
