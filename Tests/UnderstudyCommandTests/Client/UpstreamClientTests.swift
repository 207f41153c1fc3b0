import HTTPTypes
import Testing
import UnderstudyCommand
import UnderstudyTestSupport
import UnderstudyVerification

/// The requests that the client sends, and the answers that it reads.
@Suite(.ownQueue)
struct UpstreamClientTests {
  /// Sends a request to a server that answers it in one piece; returns all that the server saw, and the answer.
  private func exchange(
    _ method: String = "GET", _ path: String = "/", _ fields: KeyValuePairs<String, String> = [:], body: Body = Body(),
    answer: String = "HTTP/1.1 204 No Content\r\n\r\n"
  ) async throws -> (seen: String, response: HTTPResponse, body: String) {
    let server = try RawServer { connection, _ in
      let head = try connection.head()
      let length = head.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) } ?? 0
      let body = head.contains("chunked") ? try connection.text(through: "0\r\n\r\n") : try connection.bytes(length)
      try connection.send(answer)
      return try head + body + connection.rest().text
    }
    let client = try UpstreamClient(timeout: .seconds(20))
    let (response, content) = try await client.transport(server.request(method, path, fields), body)
    let text = try await content.text()
    await client.shutdown()
    return (await server.report().replacing("127.0.0.1:\(server.port)", with: "HOST"), response, text)
  }

  @Test(arguments: ["/", "/a/../b", "/./", "//x", "/%7e%2F", "/?", "?", "/a?b=[c]&d={e}|\\^`\"<>", "*", "/ä#f"])
  func `the target is sent byte for byte`(_ path: String) async throws {
    #expect(try await exchange("GET", path).seen == "GET \(path) HTTP/1.1\r\nHost: HOST\r\n\r\n")
  }

  @Test(arguments: ["/a b", "/ HTTP/1.1"])
  func `a target that would end the request line is not sent`(_ path: String) async throws {
    await #expect(throws: UpstreamFailure.self) { try await exchange("GET", path) }
  }

  @Test(arguments: ["GET", "HEAD", "DELETE", "TRACE", "LINK", "get"])
  func `a request without a body has no field of the client's own but Host`(_ method: String) async throws {
    let length = ["LINK", "get"].contains(method) ? "Content-Length: 0\r\n" : ""
    #expect(try await exchange(method).seen == "\(method) / HTTP/1.1\r\nHost: HOST\r\n\(length)\r\n")
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "OPTIONS"])
  func `a method that usually has a body announces none`(_ method: String) async throws {
    #expect(try await exchange(method).seen == "\(method) / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func `fields keep their order, case, duplicates and empty values`() async throws {
    let fields: KeyValuePairs = [
      "x-B": "2", "X-a": "1; q=\"\\\"", "X-Empty": "", "x-b": "ü", "Accept": "", "User-Agent": "none", "Cookie": "a=b",
      "Authorization": "Basic eDp5",
    ]
    #expect(
      try await exchange("GET", "/", fields).seen
        == "GET / HTTP/1.1\r\nHost: HOST\r\n" + fields.map { "\($0):\($1.isEmpty ? "" : " ")\($1)\r\n" }.joined()
        + "\r\n")
  }

  @Test(arguments: ["POST", "GET", "HEAD", "DELETE"])
  func `a body of known length is sent with it by any method`(_ method: String) async throws {
    let fields: KeyValuePairs = ["Content-Length": "7", "Transfer-Encoding": "gzip", "Expect": "100-continue"]
    let seen = try await exchange(
      method, "/", fields, body: Body(Array("body".utf8)), answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    ).seen
    #expect(seen == "\(method) / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4\r\n\r\nbody")
  }

  @Test func `a body of unknown length is sent in chunks`() async throws {
    let pieces = AsyncStream { continuation in
      for piece in ["one", "", "two"] { continuation.yield(Array(piece.utf8)) }
      continuation.finish()
    }
    let seen = try await exchange("POST", body: Body(length: nil, pieces)).seen
    let (head, body) = try #require(
      seen.firstRange(of: "\r\n\r\n").map { (seen[..<$0.lowerBound], seen[$0.upperBound...]) })
    #expect(head == "POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked")
    #expect(body.hasSuffix("\r\n0\r\n\r\n"))
    #expect(body.split(separator: "\r\n").filter { Int($0, radix: 16) == nil }.joined() == "onetwo")
  }

  @Test func `a long body is sent without Expect`() async throws {
    let server = try RawServer { connection, _ in
      let head = try connection.head()
      let count = try connection.bytes(3_000_000).utf8.count
      try connection.send(
        "HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + String(repeating: "y", count: 3_000_000))
      return "\(head.contains("xpect")) \(count)"
    }
    let client = try UpstreamClient(timeout: .seconds(20))
    let body = Body([UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000))
    let content = try await client.transport(server.request("PUT"), body).1
    #expect(content.length == 3_000_000)
    #expect(try await content.text().utf8.count == 3_000_000)
    await client.shutdown()
    #expect(await server.report() == "false 3000000")
  }

  @Test func `the head of an answer keeps its reason, order, duplicates and empty values`() async throws {
    let response = try await exchange(
      answer:
        "HTTP/1.1 299 Fine by me\r\nb: 2\r\nA:\r\nB:  1 \t\r\nX: \u{fc}\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"
    ).response
    #expect(response.status.code == 299)
    #expect(response.status.reasonPhrase == "Fine by me")
    #expect(
      response.headerFields.map { "\($0.name.rawName)=\($0.value)" }
        == ["b=2", "A=", "B=1", "X=ü", "Location=/x", "Content-Length=0"])
  }

  @Test func `informational answers and trailers are not part of the answer`() async throws {
    let (_, response, body) = try await exchange(
      answer: """
        HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\
        HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\nX: 1\r\n\r\n
        """)
    #expect(response.status.code == 200)
    #expect(response.headerFields.map(\.name.rawName) == ["Transfer-Encoding", "Trailer"])
    #expect(body == "onetwo")
  }

  @Test(arguments: [("HEAD", "200 OK"), ("GET", "204 No Content"), ("GET", "304 Not Modified")])
  func `an answer without a body may announce one`(_ method: String, _ status: String) async throws {
    let (_, response, body) = try await exchange(
      method, answer: "HTTP/1.1 \(status)\r\nContent-Length: 9\r\n\r\n")
    #expect(response.headerFields[.contentLength] == "9")
    #expect(body == "")
  }

  @Test(arguments: ["301 Moved", "303 See Other", "401 Unauthorized", "407 Proxy", "417 No"])
  func `nothing is done about an answer on the client's own`(_ status: String) async throws {
    let (seen, response, body) = try await exchange(
      answer: """
        HTTP/1.1 \(status)\r\nLocation: /there\r\nWWW-Authenticate: Basic\r\nContent-Encoding: gzip\r\n\
        Content-Length: 4\r\n\r\nbody
        """)
    #expect(seen == "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n")
    #expect(response.status.code == Int(status.prefix(3)))
    #expect(body == "body")
  }

  @Test func `a body without a length ends with the connection`() async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      try connection.send("HTTP/1.0 200 OK\r\n\r\nall of it")
      return ""
    }
    let client = try UpstreamClient(timeout: .seconds(20))
    let (_, body) = try await client.transport(server.request(), Body())
    #expect(body.length == nil)
    #expect(try await body.text() == "all of it")
    await client.shutdown()
  }

  @Test func `sequential requests share a connection, and parallel ones do not wait`() async throws {
    let server = try RawServer { connection, number in
      var count = 0
      while let head = try? connection.head() {
        count += 1
        #expect(head.hasPrefix("GET /"))
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
      }
      return "\(count)"
    }
    let client = try UpstreamClient(timeout: .seconds(20))
    for _ in 1...20 { #expect(try await client.transport(server.request(), Body()).1.text() == "1") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...200 {
        group.addTask { _ = try await client.transport(server.request(), Body()).1.text() }
      }
      try await group.waitForAll()
    }
    await client.shutdown()
    #expect(await server.report().isEmpty == false)
  }

  @Test func `after a stop nothing is sent`() async throws {
    let client = try UpstreamClient(timeout: .seconds(20))
    await client.shutdown()
    await client.shutdown()
    await #expect(throws: UpstreamFailure.self) {
      try await client.transport(HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:1", path: "/"), Body())
    }
  }
}
