import Testing
import UnderstudySockets

struct WebSocketHandshakeTests {
  private let fields = [
    "upgrade": "websocket", "connection": "keep-alive, Upgrade", "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  ]

  private func handshake(
    _ changes: [String: String?] = [:], method: String = "GET", isLegacy: Bool = false, subprotocols: [String] = []
  ) throws(WebSocketHandshake.Refusal) -> WebSocketHandshake {
    var fields = fields
    for (name, value) in changes { if let value { fields[name] = value } else { fields.removeValue(forKey: name) } }
    return try WebSocketHandshake(method: method, isLegacy: isLegacy, subprotocols: subprotocols) { fields[$0] }
  }

  @Test func `the example of RFC 6455 gets the key that the document shows`() throws {
    #expect(try handshake().accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test func `a response never negotiates an extension`() throws {
    let offer = try handshake(["sec-websocket-extensions": "permessage-deflate; client_max_window_bits"])
    #expect(offer.fields.map(\.name) == ["Upgrade", "Connection", "Sec-WebSocket-Accept"])
  }

  @Test func `the first subprotocol of the client that the server has is chosen`() throws {
    let request = ["sec-websocket-protocol": "a, b,c"]
    #expect(try handshake(request, subprotocols: ["c", "b"]).subprotocol == "b")
    #expect(try handshake(request, subprotocols: ["d"]).subprotocol == nil)
    #expect(try handshake(subprotocols: ["d"]).subprotocol == nil)
  }

  @Test(
    arguments: [
      ("upgrade", nil, WebSocketHandshake.Refusal.upgrade), ("upgrade", "h2c", .upgrade),
      ("connection", "close", .connection), ("connection", nil, .connection),
      ("sec-websocket-version", "8", .version), ("sec-websocket-version", nil, .version),
      ("sec-websocket-key", nil, .key), ("sec-websocket-key", "AAAA", .key), ("sec-websocket-key", "no base64", .key),
    ] as [(String, String?, WebSocketHandshake.Refusal)])
  func `a request without a part of the handshake is refused`(
    name: String, value: String?, refusal: WebSocketHandshake.Refusal
  ) {
    #expect(throws: refusal) { try handshake([name: value]) }
  }

  @Test(arguments: [
    "dGhlIHNhbXBsZSBub25jZQ==, AAAAAAAAAAAAAAAAAAAAAA==", ", dGhlIHNhbXBsZSBub25jZQ==",
    "dGhlIHNhbXBsZSBub25jZQ==, ", ", ",
  ])
  func `a request with two keys, even empty ones, is refused with 400, and is not passed on`(keys: String) {
    let keys = ["sec-websocket-key": keys]
    #expect(throws: WebSocketHandshake.Refusal.keys) { try handshake(keys) }
    #expect(WebSocketHandshake.Refusal.keys.status == 400)
    #expect(WebSocketHandshake.ambiguity(isLegacy: false) { keys[$0] } == .keys)
  }

  @Test func `a request of HTTP 1_0 is refused with 400, and is not passed on`() {
    #expect(throws: WebSocketHandshake.Refusal.httpVersion) { try handshake(isLegacy: true) }
    #expect(WebSocketHandshake.Refusal.httpVersion.status == 400)
    #expect(WebSocketHandshake.ambiguity(isLegacy: true) { fields[$0] } == .httpVersion)
    #expect(WebSocketHandshake.ambiguity(isLegacy: false) { fields[$0] } == nil)
  }

  @Test func `only GET begins a WebSocket`() {
    #expect(throws: WebSocketHandshake.Refusal.method) { try handshake(method: "POST") }
  }

  @Test func `names of protocols are compared without case`() throws {
    #expect(try !handshake(["upgrade": "WebSocket", "connection": "upgrade"]).accept.isEmpty)
    #expect(WebSocketHandshake.isAskedFor(upgrade: "WEBSOCKET"))
    #expect(!WebSocketHandshake.isAskedFor(upgrade: "h2c"))
    #expect(!WebSocketHandshake.isAskedFor(upgrade: nil))
  }
}
