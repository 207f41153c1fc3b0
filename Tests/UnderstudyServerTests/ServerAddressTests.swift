import Testing
import UnderstudyServer
import UnderstudyTestSupport

struct ServerAddressTests {
  @Test(arguments: [
    ("127.0.0.1", "http://127.0.0.1:80"), ("localhost", "http://localhost:80"), ("::1", "http://[::1]:80"),
    ("0.0.0.0", "http://127.0.0.1:80"), ("::", "http://[::1]:80"),
  ])
  func `the URL is one that a client can use`(host: String, url: String) {
    #expect(ServerAddress(host: host, port: 80).url == url)
  }

  @Test func `only a server on all interfaces has addresses for other machines`() {
    #expect(ServerAddress(host: "127.0.0.1", port: 80).urlsForOthers.isEmpty)
    for host in ["0.0.0.0", "::"] {
      for url in ServerAddress(host: host, port: 80).urlsForOthers {
        #expect(!["//127.", "//169.254.", "//0.", "[fe80:", "[::"].contains { url.contains($0) }, "\(url)")
      }
    }
  }
}

extension OverSockets {
  @Suite struct HandshakeTests {
    @Test(arguments: [[22], [22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]] as [[UInt8]])
    func `the beginning of a TLS handshake is answered with an explanation`(bytes: [UInt8]) async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send(bytes)
        let response = try client.response()
        #expect(response.status == 400)
        #expect(response.body.contains("this port speaks plain HTTP"))
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `a malformed second request is not taken for a handshake`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.get("/echo/1")
        _ = try client.response()
        try client.send([22, 3, 1])
        let body = try client.response().body
        #expect(!body.contains("TLS"))
      }
    }
  }
}
