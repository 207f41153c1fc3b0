import HTTPTypes
import NIOCore
import Synchronization
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  @Suite struct HTTPServerTests {
    @Test func `a taken port is reported with the way to choose another`() async throws {
      try await serving { port, _ in
        var configuration = ServerConfiguration()
        configuration.port = port
        let second = HTTPServer(responder: Sample.responder(), configuration: configuration)
        let error = await #expect(throws: ServerStartError.self) { try await second.start() }
        #expect(
          error?.description == "port \(port) is taken; choose another with --port, or --port 0 for a free one")
      }
    }

    @Test(
      arguments: [
        ("198.51.100.1", "198.51.100.1 is not an address of this machine"),
        (
          "no such host.invalid",
          "no such host.invalid is not an address or name of this machine; try --host 127.0.0.1"
        ),
      ])
    func `a host that is not an address of this machine is reported`(host: String, message: String) async throws {
      var configuration = ServerConfiguration()
      configuration.host = host
      configuration.port = 0
      let server = HTTPServer(responder: Sample.responder(), configuration: configuration)
      let error = await #expect(throws: ServerStartError.self) { try await server.start() }
      #expect(error?.description.hasPrefix(message) == true)
    }

    @Test func `a server whose port was taken starts once the port is free`() async throws {
      var configuration = ServerConfiguration()
      configuration.port = 0
      let holder = HTTPServer(responder: Sample.responder(), configuration: configuration)
      configuration.port = try await holder.start().port
      let server = HTTPServer(responder: Sample.responder(), configuration: configuration)
      await #expect(throws: ServerStartError.self) { try await server.start() }
      await holder.shutdown()
      #expect(try await server.start().port == configuration.port)
      await server.shutdown()
    }

    @Test func `a server is started once`() async throws {
      try await serving { _, server in
        let error = await #expect(throws: ServerStartError.self) { try await server.start() }
        #expect(error?.description == "this server was started or shut down before: create another one")
      }
    }

    @Test func `the address is a URL`() async throws {
      var bound: [String] = []
      for (host, prefix) in [("127.0.0.1", "http://127.0.0.1:"), ("::1", "http://[::1]:")] {
        var configuration = ServerConfiguration()
        configuration.host = host
        configuration.port = 0
        let server = HTTPServer(responder: Sample.responder(), configuration: configuration)
        // Not every machine has IPv6.
        guard let address = try? await server.start() else { continue }
        bound.append(host)
        #expect(address.port > 0)
        #expect(address.url == "\(prefix)\(address.port)")
        await server.shutdown()
      }
      #expect(bound.first == "127.0.0.1")
    }

    @Test func `another responder answers from then on, on connections that were open too`() async throws {
      let other = PreparedResponse(index: 0, response: HTTPResponse(status: .accepted), body: Array("other".utf8))
      try await serving { port, server in
        let clients = try (0..<4).map { _ in try RawClient(port: port) }
        for client in clients {
          try client.get("/ready")
          #expect(try client.response().body == "ready")
        }
        try clients[0].get("/delay/40")
        try clients[1].get("/ready")
        #expect(try clients[1].response().body == "ready")
        await server.replace(
          responder: Responder(prepared: [other]) { _, _ in Reply(.prepared(other), reason: "other") })
        for client in clients[1...] {
          try client.get("/ready")
          let response = try client.response()
          #expect(response.status == 202)
          #expect(response.body == "other")
        }
      }
    }

    @Test(.enabled(if: System.coreCount > 1))
    func `a busy event loop gets a responder of its own, until another one takes its place`() async throws {
      let own = Responder { _, _ in Reply(.made(HTTPResponse(status: .accepted), body: []), reason: "") }
      let shared = Responder(replica: { own }) { _, _, _ in
        Reply(.made(HTTPResponse(status: .ok), body: []), reason: "")
      }
      try await serving(shared) { port, server in
        let client = try RawClient(port: port)
        func status() throws -> Int {
          try client.get("/")
          return try client.response().status
        }
        for _ in 0..<1_000 { #expect(try status() == 200) }
        for _ in 0..<100_000 where try status() == 202 { break }
        #expect(try status() == 202)
        await server.replace(
          responder: Responder { _, _ in Reply(.made(HTTPResponse(status: .gone), body: []), reason: "") })
        #expect(try status() == 410)
      }
    }

    @Test func `an answer on its way is the old responder's`() async throws {
      let (requests, validated) = AsyncStream.makeStream(of: Void.self)
      try await serving(Sample.responder { _ in validated.yield() }) { port, server in
        let client = try RawClient(port: port)
        try client.get("/delay/50")
        _ = await requests.first { _ in true }
        await server.replace(
          responder: Responder { _, _ in Reply(.made(HTTPResponse(status: .gone), body: []), reason: "") })
        #expect(try client.response().body == "ready")
        try client.get("/")
        #expect(try client.response().status == 410)
      }
    }

    @Test func `shutting down lets an answer on its way finish`() async throws {
      let (requests, validated) = AsyncStream.makeStream(of: Void.self)
      try await serving(
        Sample.responder { _ in validated.yield() }
      ) {
        $0.shutdownLimit = .seconds(20)
      } _: { port, server in
        let idle = try RawClient(port: port)
        try idle.get("/ready")
        #expect(try idle.response().status == 200)
        let client = try RawClient(port: port)
        try client.get("/delay/150")
        var iterator = requests.makeAsyncIterator()
        for _ in 0..<2 { await iterator.next() }
        await server.shutdown()
        let response = try client.response()
        #expect(response.body == "ready")
        #expect(response["connection"] == "close")
        #expect(try client.rest() == .closed)
        #expect(try idle.rest() == .closed)
        #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
      }
    }

    @Test(arguments: ["", "GET / HTTP/1.1\r\nHos", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab"])
    func `shutting down does not wait for a request that is not complete`(part: String) async throws {
      try await serving {
        $0.shutdownLimit = .seconds(3600)
      } _: { port, server in
        let client = try RawClient(port: port)
        // An answer shows that the connection is there.
        try client.send("GET /ready HTTP/1.1\r\nHost: a\r\n\r\n\(part)")
        #expect(try client.response().body == "ready")
        await server.shutdown()
        #expect(try client.rest().text == "")
      }
    }

    @Test func `shutting down does not wait for ever`() async throws {
      let (requests, validated) = AsyncStream.makeStream(of: Void.self)
      try await serving(Sample.responder { _ in validated.yield() }) { port, server in
        let client = try RawClient(port: port)
        try client.get("/delay/600000")
        _ = await requests.first { _ in true }
        await server.shutdown()
        #expect(try client.rest().text == "")
      }
    }

    @Test func `connections on all loops may outlive the limit`() async throws {
      for _ in 0..<20 {
        try await serving {
          $0.loops = 4
          $0.shutdownLimit = .milliseconds(5)
        } _: { port, server in
          let clients = try (0..<8).map { _ in try RawClient(port: port) }
          for client in clients { try client.get("/delay/600000") }
          await server.shutdown()
          for client in clients { #expect(try client.rest().text == "") }
        }
      }
    }

    @Test func `connections may be closed during and after a shutdown`() async throws {
      let (requests, validated) = AsyncStream.makeStream(of: Void.self)
      var iterator = requests.makeAsyncIterator()
      for _ in 0..<10 {
        // All loops but one have nothing to wait for.
        try await serving(Sample.responder { _ in validated.yield() }) {
          $0.loops = 16
          $0.shutdownLimit = .seconds(3600)
        } _: { port, server in
          let client = try RawClient(port: port)
          try client.get("/delay/600000")
          await iterator.next()
          let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
          async let closed: Void = {
            _ = await waits.first { _ in true }
            server.closeConnections()
          }()
          await server.shutdown { waiting.yield() }
          await closed
          #expect(try client.rest().text == "")
          server.closeConnections()
        }
      }
    }

    @Test func `every exchange is observed once`() async throws {
      let (exchanges, continuation) = AsyncStream.makeStream(of: ServedRequest.self)
      try await serving(observer: { continuation.yield($0) }) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/delay/30?a=b")
        try client.get("/status/404")
        try client.get("/fault/close")
        _ = try client.rest()
        var exchanges = exchanges.makeAsyncIterator()
        var seen: [ServedRequest] = []
        // Those of one connection come in order; another connection may overtake it.
        for _ in 0..<3 { seen.append(try #require(await exchanges.next())) }
        let stranger = try RawClient(port: port)
        try stranger.send("nonsense\r\n\r\n")
        _ = try stranger.rest()
        seen.append(try #require(await exchanges.next()))
        #expect(seen.map(\.method) == ["GET", "GET", "GET", ""])
        #expect(seen.map(\.target) == ["/delay/30?a=b", "/status/404", "/fault/close", ""])
        #expect(seen.map(\.status) == [200, 404, nil, 400])
        #expect(seen[0].duration >= .milliseconds(30))
        #expect(seen[0].reply.reason == "delay")
      }
    }
  }
}
