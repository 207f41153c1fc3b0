import Foundation
import Testing
import UnderstudySockets
import UnderstudyTestSupport

/// WebSockets of servers that break RFC 6455, relayed by `serve --upstream`.
struct SocketRelayTests {
  private static let contract = "Tests/SocketSuites/chat.yaml"

  private static let fields =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

  /// The bytes that a client receives through the proxy after the head, and the output of the proxy.
  private func relayed(accept: String, _ bytes: [UInt8]) throws -> (head: String, got: [UInt8], printed: String) {
    let server = try RawServer { client, _ in
      _ = try client.head()
      try client.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\(accept)\r\n")
      try client.send(bytes)
      return try client.rest().text
    }
    defer { server.stop() }
    let proxy = try ServedMock([Self.contract, "--upstream", "http://127.0.0.1:\(server.port)"])
    let client = try RawClient(port: proxy.port)
    try client.get("/ws", Self.fields)
    let head = try client.head()
    let got = try client.data(bytes.count)
    client.reset()
    #expect(proxy.waits(for: "GET /ws 101"))
    return (head, got, proxy.end().printed)
  }

  private static let accept = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"

  @Test(arguments: ["", "Sec-WebSocket-Accept: AAAA\r\n", accept + "Sec-WebSocket-Accept: AAAA\r\n"])
  func `a wrong accept is relayed with a finding about the server`(_ accept: String) throws {
    let (head, got, printed) = try relayed(accept: accept, WebSocketFrame(.text, Array("hi".utf8)).bytes())
    #expect(head.hasPrefix("HTTP/1.1 101 ") && got == [0x81, 0x02] + Array("hi".utf8))
    #expect(head.contains("AAAA") == accept.contains("AAAA"))
    #expect(printed.contains("socket.handshake") && printed.contains("provider"), "\(printed)")
  }

  @Test func `a frame that breaks the protocol is relayed with a finding about the server`() throws {
    let bytes: [UInt8] = [0xC1, 0x02] + Array("hi".utf8)
    let (_, got, printed) = try relayed(accept: Self.accept, bytes)
    #expect(got == bytes)
    #expect(printed.contains("reserved bits are set") && printed.contains("socket.frame"), "\(printed)")
    #expect(printed.contains("provider") && !printed.contains("socket.handshake"), "\(printed)")
  }

  @Test func `a server that keeps the protocol has no finding`() throws {
    let (_, _, printed) = try relayed(accept: Self.accept, WebSocketFrame(.text, Array("hi".utf8)).bytes())
    #expect(!printed.contains("socket."), "\(printed)")
  }

  @Test func `a handshake that servers may read differently is not relayed`() throws {
    let server = try RawServer { client, _ in try client.head() }
    defer { server.stop() }
    let proxy = try ServedMock([Self.contract, "--upstream", "http://127.0.0.1:\(server.port)"])
    defer { proxy.stop() }
    let (old, twice) = (try RawClient(port: proxy.port), try RawClient(port: proxy.port))
    try old.send("GET /ws HTTP/1.0\r\nHost: a\r\n\(Self.fields)\r\n")
    try twice.get("/ws", Self.fields + Self.fields.split(separator: "\r\n").suffix(1).joined() + "\r\n")
    for client in [old, twice] { #expect(try client.response().status == 400) }
  }
}
