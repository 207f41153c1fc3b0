import HTTPTypes
import Synchronization
import Testing
import UnderstudyCommand
import UnderstudyTestSupport
import UnderstudyVerification

/// The connections of the client: which are used again, and how many there are.
@Suite(.ownQueue)
struct UpstreamPoolTests {
  private static let foreign = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nforeign"
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  /// Sends requests one after another, and returns the numbers of the connections that the server saw them on.
  private func connections(
    _ requests: [(method: String, answer: String)], pause: Duration = .zero
  ) async throws -> [Int] {
    let numbers = Mutex<[Int]>([])
    let server = try RawServer { connection, number in
      while let head = try? connection.head() {
        numbers.withLock { $0.append(number) }
        let turn = head.firstMatch(of: /turn-(\d+)/).flatMap { Int($0.1) } ?? 0
        try connection.send(requests[turn].answer)
      }
      return ""
    }
    let client = try UpstreamClient(timeout: .seconds(20))
    for (turn, request) in requests.enumerated() {
      if turn > 0, pause > .zero { try await Task.sleep(for: pause) }
      _ = try await client.transport(server.request(request.method, "/turn-\(turn)"), Body()).1.text()
    }
    await client.shutdown()
    return numbers.withLock { $0 }
  }

  @Test func `a connection that was just used is used again`() async throws {
    #expect(try await connections([("GET", Self.ok), ("POST", Self.ok), ("GET", Self.ok)]) == [1, 1, 1])
  }

  /// The only test that lets time pass: libcurl counts the age of a connection in whole seconds of its own clock.
  @Test(arguments: [("POST", [1, 2]), ("DELETE", [1, 2]), ("GET", [1, 1])])
  func `a connection that was idle for seconds is used by safe requests alone`(
    _ method: String, _ numbers: [Int]
  ) async throws {
    let requests = [(method: "GET", answer: Self.ok), (method: method, answer: Self.ok)]
    #expect(try await connections(requests, pause: .milliseconds(2_200)) == numbers)
  }

  @Test(arguments: [500, 502, 503]) func `a connection is not used again after an error of the server`(
    _ status: Int
  )
    async throws
  {
    let failed = "HTTP/1.1 \(status) Failed\r\nContent-Length: 0\r\n\r\n"
    #expect(try await connections([("GET", failed), ("POST", Self.ok), ("POST", Self.ok)]) == [1, 2, 2])
  }

  @Test func `bytes after an answer are not the next answer`() async throws {
    let server = try RawServer { connection, number in
      while (try? connection.head()) != nil {
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nown\(number)\(Self.foreign)")
      }
      return ""
    }
    let client = try UpstreamClient(timeout: .seconds(20))
    for method in ["GET", "POST", "GET"] {
      let text = try await client.transport(server.request(method), Body()).1.text()
      #expect(text.hasPrefix("own"))
    }
    await client.shutdown()
  }

  @Test func `an answer without a request, on an idle connection, is not the next answer`() async throws {
    let isForeignSent = Awaited(false)
    let server = try RawServer { connection, number in
      _ = try connection.head()
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nown\(number)")
      // Behind the first answer, in a packet of its own.
      if number == 1 {
        try connection.send(Self.foreign)
        isForeignSent.change { $0 = true }
      }
      return (try? connection.head()) ?? ""
    }
    let client = try UpstreamClient(timeout: .seconds(20))
    #expect(try await client.transport(server.request(), Body()).1.text() == "own1")
    #expect(isForeignSent.waits { $0 })
    #expect(try await client.transport(server.request("GET", "/next"), Body()).1.text() != "foreign")
    await client.shutdown()
  }

  @Test func `requests beyond the limit wait, and none is lost`() async throws {
    let open = Awaited((now: 0, most: 0))
    let server = try RawServer { connection, _ in
      while (try? connection.head()) != nil {
        open.change { state in
          state.now += 1
          state.most = max(state.most, state.now)
        }
        // The first answers wait until every connection is busy.
        _ = open.waits { $0.most >= 3 }
        open.change { $0.now -= 1 }
        try connection.send(Self.ok)
      }
      return ""
    }
    let client = try UpstreamClient(timeout: .seconds(20), connections: 3)
    let texts = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<30 {
        group.addTask { try? await client.transport(server.request("POST"), Body()).1.text() }
      }
      return await group.reduce(into: [String?]()) { $0.append($1) }
    }
    await client.shutdown()
    #expect(texts == Array(repeating: "ok", count: 30))
    #expect(open.value.most == 3)
  }

  @Test func `a request that finds no connection within the time limit fails with the reason`() async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      // A stream that goes on: the connection is never free, and never silent.
      try connection.send("HTTP/1.1 200 OK\r\n\r\n")
      while (try? connection.send("x")) != nil {}
      return ""
    }
    let client = try UpstreamClient(timeout: .milliseconds(300), connections: 1)
    let (_, stream) = try await client.transport(server.request(), Body())
    let reader = Task { for try await _ in stream {} }
    let failure = await #expect(throws: UpstreamFailure.self) {
      try await client.transport(server.request(), Body())
    }
    #expect(failure?.status == 504)
    #expect(
      failure?.message
        == "none of the 1 connections to it (--upstream-connections) was free within --upstream-timeout")
    reader.cancel()
    await client.shutdown()
  }

  @Test func `a request that waits can be cancelled`() async throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      return (try? connection.head()) ?? ""
    }
    let client = try UpstreamClient(timeout: .seconds(20), connections: 1)
    let first = Task { try await client.transport(server.request(), Body()) }
    let second = Task { try await client.transport(server.request(), Body()) }
    second.cancel()
    await #expect(throws: UpstreamFailure.self) { try await second.value }
    first.cancel()
    await #expect(throws: UpstreamFailure.self) { try await first.value }
    await client.shutdown()
  }
}
