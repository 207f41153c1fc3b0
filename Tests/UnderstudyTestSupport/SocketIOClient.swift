/// A client of Socket.IO 5 over a blocking WebSocket, in the main namespace.
package final class SocketIOClient {
  private let connection: RawClient
  /// Events that came before they were asked for, as packets.
  private var waiting: [String] = []

  package struct Unexpected: Error {
    package var text: String
  }

  /// Connects and joins.
  ///
  /// - Parameter target: The path of the socket, with the prefix of its lane.
  package init(port: Int, _ target: String = "/socket.io/") throws {
    connection = try RawClient(port: port)
    try connection.get(
      "\(target)?EIO=4&transport=websocket",
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
    let head = try connection.head()
    guard head.hasPrefix("HTTP/1.1 101 ") else { throw Unexpected(text: head) }
    try expect("0{")
    try send("40")
    try expect("40{\"sid\":")
  }

  private func expect(_ prefix: String) throws {
    let text = try packet()
    guard text.hasPrefix(prefix) else { throw Unexpected(text: text) }
  }

  /// Sends an event, and waits until the server has read it.
  ///
  /// - Parameter argument: JSON.
  package func emit(_ name: String, _ argument: String) throws {
    try send("42[\"\(name)\",\(argument)]")
    // A server reads frames in their order, so that its pong follows.
    try send("", opcode: 9)
    while let frame = try frame(), frame.opcode != 10 { try keep(frame) }
  }

  /// Asks for a namespace, and returns the response of the server as a packet.
  package func join(_ namespace: String) throws -> String {
    try send("40\(namespace),")
    return try packet()
  }

  /// Waits for the next event, and returns its name and arguments as a list of JSON.
  package func event() throws -> String {
    if !waiting.isEmpty { return waiting.removeFirst() }
    while true {
      let text = try packet()
      if text.hasPrefix("42") { return String(text.dropFirst(2)) }
    }
  }

  /// Waits for the next packet that is no ping.
  private func packet() throws -> String {
    while let frame = try frame() {
      let text = String(decoding: frame.payload, as: UTF8.self)
      if text == "2" { try send("3") } else if frame.opcode == 1 { return text }
    }
    throw Unexpected(text: "the end of the connection")
  }

  private func keep(_ frame: (opcode: UInt8, payload: [UInt8])) throws {
    let text = String(decoding: frame.payload, as: UTF8.self)
    if text == "2" { try send("3") } else if text.hasPrefix("42") { waiting.append(String(text.dropFirst(2))) }
  }

  // MARK: - Frames (RFC 6455, 5.2)

  private func send(_ text: String, opcode: UInt8 = 1) throws {
    let payload = Array(text.utf8)
    let length: [UInt8] =
      payload.count < 126
      ? [0x80 | UInt8(payload.count)] : [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    // The mask of zeros leaves the payload as it is.
    try connection.send([0x80 | opcode] + length + [0, 0, 0, 0] + payload)
  }

  /// The next frame; `nil` for that which closes.
  private func frame() throws -> (opcode: UInt8, payload: [UInt8])? {
    let head = try connection.data(2)
    var length = Int(head[1] & 0x7F)
    if length > 125 {
      length = try connection.data(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
    }
    let payload = try connection.data(length)
    return head[0] & 0x0F == 8 ? nil : (head[0] & 0x0F, payload)
  }
}
