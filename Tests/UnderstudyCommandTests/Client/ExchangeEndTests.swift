import Foundation
import HTTPTypes
import Synchronization
import Testing
import UnderstudyCommand
import UnderstudyTestSupport
import UnderstudyVerification

/// Exchanges that fail or end early.
@Suite(.ownQueue)
struct ExchangeEndTests {
  /// What becomes of a GET, or of its answer's body.
  private func failure(
    _ request: HTTPRequest, _ body: Body = Body(), client given: UpstreamClient? = nil
  ) async -> String {
    guard let client = given ?? (try? UpstreamClient(timeout: .seconds(20))) else { return "no client" }
    var end: String
    do {
      let (response, content) = try await client.transport(request, body)
      end = "\(response.status.code) \(try await content.text())"
    } catch {
      let failure = error as? UpstreamFailure
      end = failure.map { "\($0.kind.rawValue): \($0.message)" } ?? "\(error)"
    }
    await client.shutdown()
    return end
  }

  struct Deed: Sendable, CustomTestStringConvertible {
    /// What the server sends before it closes the connection.
    var sent: String
    var failure: String
    var testDescription: String { sent }
  }

  static let deeds = [
    Deed(sent: "", failure: "closed: it closed the connection without an answer"),
    Deed(sent: "HTTP/1.1 200 OK\r\nConte", failure: "closed: it closed the connection within its answer"),
    Deed(
      sent: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
      failure: "closed: it closed the connection within its answer"),
    Deed(
      sent: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
      failure: "closed: it closed the connection within its answer"),
    Deed(
      sent: "HTTP/1.1 100 Continue\r\n\r\n", failure: "closed: it closed the connection within its answer"),
    Deed(sent: "\u{16}\u{3}garbage\r\n\r\n", failure: "malformed: its answer is not HTTP"),
    Deed(sent: "SSH-2.0-OpenSSH\r\n", failure: "malformed: its answer is not HTTP"),
    Deed(
      sent: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
      failure: "malformed: its answer is not HTTP: invalid chunk"),
    Deed(sent: "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", failure: "malformed: its answer is not HTTP"),
  ]

  @Test(arguments: deeds) func `an answer that breaks off has a reason`(_ deed: Deed) async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      try connection.send(deed.sent)
      return ""
    }
    #expect(await failure(server.request()) == deed.failure)
  }

  @Test(arguments: ["trailers", "headers"])
  func `heads and trailers without an end are rejected`(part: String) async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      if part == "trailers" {
        try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n")
        while (try? connection.send("X-More: 0123456789\r\n")) != nil {}
      } else {
        while (try? connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")) != nil {}
      }
      return ""
    }
    #expect(await failure(server.request()) == "malformed: the \(part) of its response are longer than 300 KiB")
  }

  @Test func `a reset is a connection that closed`() async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      connection.reset()
      return ""
    }
    #expect(await failure(server.request()) == "closed: it closed the connection without an answer")
  }

  @Test func `a port without a server refuses`() async throws {
    let listener = try RawServer { _, _ in "" }
    let port = listener.port
    listener.stop()
    let request = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: "/")
    #expect(await failure(request) == "refused: connection refused")
  }

  @Test func `a name without an address is an unknown host`() async throws {
    let request = HTTPRequest(method: .get, scheme: "http", authority: "nowhere.invalid", path: "/")
    #expect(await failure(request) == "unknown-host: `nowhere.invalid` has no address")
  }

  @Test func `a plain server does not speak TLS`() async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.bytes(1)
      try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      return try connection.rest().text
    }
    #expect(
      await failure(server.request(scheme: "https"))
        == "tls: its answer is not TLS: is the scheme http instead of https?")
  }

  // MARK: - Timeouts

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
  func `silence has a limit`(_ sent: String) async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      try connection.send(sent)
      return "\(try connection.rest().end)"
    }
    let client = try UpstreamClient(timeout: .milliseconds(200), setting: "--limit")
    #expect(await failure(server.request(), client: client) == "timeout: it was silent for longer than --limit")
    #expect(await server.report() == "closed")
  }

  @Test func `a whole exchange may have a time limit`() async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      try connection.send("HTTP/1.1 200 OK\r\n\r\n")
      // Never silent, and never at an end.
      while (try? connection.send("x")) != nil {}
      return ""
    }
    let client = try UpstreamClient(timeout: .milliseconds(300), setting: "--limit", limitsWhole: true)
    #expect(await failure(server.request(), client: client) == "timeout: its answer took longer than --limit")
  }

  // MARK: - Lost connections

  /// A server whose connections end with the second request; returns the heads that a connection saw.
  private func forgetful() throws -> RawServer {
    try RawServer { connection, number in
      guard let first = try? connection.head() else { return "" }
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
      return first + ((try? connection.head()) ?? "")
    }
  }

  @Test(arguments: ["GET", "HEAD", "OPTIONS"])
  func `a safe request is repeated after the end of an idle connection`(_ method: String) async throws {
    let server = try forgetful()
    let client = try UpstreamClient(timeout: .seconds(20))
    _ = try await client.transport(server.request(), Body()).1.text()
    #expect(try await client.transport(server.request(method, "/again"), Body()).0.status.code == 200)
    #expect(await server.report().contains("\(method) /again"))
    await client.shutdown()
    #expect(await server.report().contains("\(method) /again"))
  }

  @Test(arguments: [("POST", ""), ("POST", "body"), ("PUT", ""), ("DELETE", ""), ("PATCH", "body"), ("GET", "body")])
  func `any other request is not repeated`(_ method: String, _ body: String) async throws {
    let server = try forgetful()
    let client = try UpstreamClient(timeout: .seconds(20))
    _ = try await client.transport(server.request(), Body()).1.text()
    #expect(
      await failure(server.request(method, "/again"), Body(Array(body.utf8)), client: client)
        == "closed: it closed the connection without an answer")
    #expect(await server.report().contains("\(method) /again"))
    await client.shutdown()
    // Whether or not the client opened another connection: it sent nothing on it.
    let other = try UpstreamClient(timeout: .seconds(20))
    _ = try await other.transport(server.request("GET", "/last"), Body())
    await other.shutdown()
    var next = await server.report()
    if next.isEmpty { next = await server.report() }
    #expect(next.contains("/last") && !next.contains("/again"))
  }

  @Test func `a request without a byte of an answer is repeated once and no more`() async throws {
    let heads = Mutex<[String]>([])
    let server = try RawServer { connection, number in
      while let head = try? connection.head() {
        heads.withLock { $0.append(head) }
        guard number == 1, head.contains("/first") else { break }
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      }
      return ""
    }
    let client = try UpstreamClient(timeout: .seconds(20))
    _ = try await client.transport(server.request("GET", "/first"), Body()).1.text()
    #expect(
      await failure(server.request("GET", "/again"), client: client)
        == "closed: it closed the connection without an answer")
    #expect(heads.withLock { $0 }.count { $0.contains("/again") } == 2)
  }

  @Test func `a new connection that closes is not lost, but the server's answer`() async throws {
    let count = Mutex(0)
    let server = try RawServer { connection, _ in
      count.withLock { $0 += 1 }
      _ = try connection.head()
      return ""
    }
    #expect(await failure(server.request()) == "closed: it closed the connection without an answer")
    #expect(count.withLock { $0 } == 1)
  }

  @Test(arguments: ["200 OK", "400 Bad Request"])
  func `a server may send its whole answer before it has read the request`(_ status: String) async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      try connection.send("HTTP/1.1 \(status)\r\nContent-Length: 6\r\n\r\nenough")
      _ = try connection.bytes(1_000_000)
      return ""
    }
    let body = Body([UInt8](repeating: 0, count: 50_000_000))
    #expect(await failure(server.request("PUT"), body).hasSuffix(" enough"))
  }

  // MARK: - Back-pressure

  private static let large = 256 << 20

  @Test func `a reader that does not read holds the server back`() async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.large)\r\n\r\n")
      return "\(connection.sendUntilHeld([UInt8](repeating: 0, count: Self.large)))"
    }
    let client = try UpstreamClient(timeout: .seconds(20))
    let (_, body) = try await client.transport(server.request(), Body())
    let held = try #require(Int(await server.report()))
    #expect(held < Self.large / 4)
    // What was on its way is read, and no more is in between than sockets hold.
    var count = 0
    do { for try await piece in body { count += piece.count } } catch {}
    #expect(count == held)
    await client.shutdown()
  }

  @Test func `a server that does not read holds the writer back`() async throws {
    let end = DispatchSemaphore(value: 0)
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      end.wait()
      return ""
    }
    let taken = Mutex(0)
    let pieces = AsyncStream<[UInt8]>(unfolding: {
      taken.withLock { $0 += 65_536 }
      return [UInt8](repeating: 0, count: 65_536)
    })
    let client = try UpstreamClient(timeout: .milliseconds(300), setting: "--limit")
    #expect(
      await failure(server.request("POST"), Body(length: nil, pieces), client: client)
        == "timeout: it did not take the request within --limit")
    #expect(taken.withLock { $0 } < Self.large / 4)
    end.signal()
  }

  @Test func `an answer may arrive before the request is sent`() async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 1...3 {
        _ = try connection.text(through: "ping\r\n")
        try connection.send("4\r\npong\r\n")
      }
      _ = try connection.text(through: "0\r\n\r\n")
      try connection.send("0\r\n\r\n")
      return try connection.rest().text
    }
    let (pings, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let client = try UpstreamClient(timeout: .seconds(20))
    let (_, body) = try await client.transport(server.request("POST"), Body(length: nil, pings))
    var pongs = body.makeAsyncIterator()
    for _ in 1...3 {
      continuation.yield(Array("ping".utf8))
      #expect(try await pongs.next() == Array("pong".utf8))
    }
    continuation.finish()
    #expect(try await pongs.next() == nil)
    await client.shutdown()
  }

  // MARK: - Those who leave

  @Test func `the server sees the end of a connection whose answer is released`() async throws {
    let server = try endless()
    let client = try UpstreamClient(timeout: .seconds(20))
    do {
      let (_, body) = try await client.transport(server.request(), Body())
      var iterator = body.makeAsyncIterator()
      #expect(try await iterator.next() != nil)
    }
    #expect(await server.report() == "gone")
    await client.shutdown()
  }

  @Test func `the server sees the end of a connection whose task is cancelled`() async throws {
    let (requests, continuation) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      continuation.finish()
      return "\(try connection.rest().end)"
    }
    let client = try UpstreamClient(timeout: .seconds(20))
    let task = Task(executorPreference: QueueExecutor("asking")) { await failure(server.request(), client: client) }
    for await _ in requests {}
    task.cancel()
    #expect(await task.value == "unsendable: the client left")
    #expect(await server.report() == "closed")
  }

  @Test func `a stop ends running exchanges`() async throws {
    let server = try endless()
    let client = try UpstreamClient(timeout: .seconds(20))
    let (_, body) = try await client.transport(server.request(), Body())
    await client.shutdown()
    await #expect(throws: UpstreamFailure.self) { for try await _ in body {} }
    #expect(await server.report() == "gone")
  }

  @Test func `a request whose writer fails is broken off`() async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      return "\(try connection.rest().end)"
    }
    let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield([1])
      continuation.finish(throwing: UpstreamFailure(.unsendable, "the client did not send its whole request"))
    }
    #expect(
      await failure(server.request("POST"), Body(length: 9, pieces))
        == "unsendable: the client did not send its whole request")
    #expect(await server.report() == "closed")
  }

  /// Sends an answer without an end, until the client is gone.
  private func endless() throws -> RawServer {
    try RawServer { connection, _ in
      _ = try connection.head()
      try connection.send("HTTP/1.1 200 OK\r\n\r\n")
      while (try? connection.send([UInt8](repeating: 0, count: 65_536))) != nil {}
      return "gone"
    }
  }
}
