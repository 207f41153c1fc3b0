/// Reads frames from bytes in any chunks. A frame is refused at its head: a length over the limit is never waited for.
package struct WebSocketDecoder: Sendable {
  /// The reason to fail the connection (RFC 6455, 7.1.7).
  package struct Failure: Error, Sendable, Hashable {
    package let code: WebSocketCloseCode
    package let reason: String

    package init(_ code: WebSocketCloseCode, _ reason: String) { (self.code, self.reason) = (code, reason) }

    static let nested = Self(.protocolError, "a message begins within another one (RFC 6455, 5.4)")
    static let unbegun = Self(.protocolError, "no message is continued (RFC 6455, 5.4)")
    static let afterClose = Self(.protocolError, "data follow a close frame (RFC 6455, 5.5.1)")
    static let halfCode = Self(.protocolError, "a close frame has half a code (RFC 6455, 5.5.1)")
    static let noText = Self(.invalidPayload, "a text message is not UTF-8 (RFC 6455, 8.1)")
    static func reserved(_ code: WebSocketCloseCode) -> Self {
      Self(.protocolError, "the close code \(code.rawValue) is reserved (RFC 6455, 7.4)")
    }
  }

  private let limit: Int
  private let expectsMask: Bool
  private var buffer: [UInt8] = []
  private var start = 0

  /// - Parameters:
  ///   - limit: The longest payload of a frame, in bytes.
  ///   - expectsMask: Whether the sender is a client, whose frames all have a mask (5.1).
  package init(limit: Int, expectsMask: Bool = true) { (self.limit, self.expectsMask) = (limit, expectsMask) }

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptCapacity)
      start = 0
    } else if start > Self.keptCapacity {
      buffer.removeFirst(start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The bytes of a buffer that an idle connection keeps.
  private static let keptCapacity = 4096

  /// The number of bytes that wait for the rest of their frame.
  package var pending: Int { buffer.count - start }

  /// The next frame; `nil` until more bytes arrive.
  package mutating func next() throws(Failure) -> WebSocketFrame? {
    guard pending >= 2 else { return nil }
    let (first, second) = (buffer[start], buffer[start + 1])
    guard first & 0x70 == 0 else {
      throw Failure(.protocolError, "reserved bits are set, and no extension was negotiated (RFC 6455, 5.2)")
    }
    guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F) else {
      throw Failure(.protocolError, "the opcode \(first & 0x0F) is reserved (RFC 6455, 5.2)")
    }
    let isFinal = first & 0x80 != 0
    guard (second & 0x80 != 0) == expectsMask else {
      throw Failure(.protocolError, expectsMask ? "a frame of a client has no mask" : "a frame of a server has a mask")
    }
    if opcode.isControl {
      guard isFinal else { throw Failure(.protocolError, "a control frame is fragmented (RFC 6455, 5.5)") }
      guard second & 0x7F <= UInt8(WebSocketFrame.controlLimit) else {
        throw Failure(.protocolError, "a control frame is longer than 125 bytes (RFC 6455, 5.5)")
      }
    }
    guard let (length, head) = try length(second & 0x7F) else { return nil }
    guard length <= limit else { throw Failure(.tooBig, "a frame has \(length) bytes: expected at most \(limit)") }
    let size = head + (expectsMask ? 4 : 0) + length
    guard pending >= size else { return nil }
    defer { start += size }
    let body = start + size - length
    guard expectsMask else { return WebSocketFrame(opcode, isFinal: isFinal, Array(buffer[body..<body + length])) }
    return WebSocketFrame(opcode, isFinal: isFinal, unmasked(from: body, count: length))
  }

  /// The length of the payload and that of the head without a mask; `nil` until more bytes arrive.
  private func length(_ short: UInt8) throws(Failure) -> (Int, head: Int)? {
    let size = short == 127 ? 8 : short == 126 ? 2 : 0
    guard size > 0 else { return (Int(short), 2) }
    guard pending >= 2 + size else { return nil }
    let length = buffer[start + 2..<start + 2 + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length >= (size == 8 ? 65536 : 126) else {
      throw Failure(.protocolError, "a length is not written in the fewest bytes (RFC 6455, 5.2)")
    }
    guard length <= UInt64(Int64.max) else {
      throw Failure(.protocolError, "the most significant bit of a length is set (RFC 6455, 5.2)")
    }
    guard length <= UInt64(Int32.max) else {
      throw Failure(.tooBig, "a frame has \(length) bytes: expected at most \(limit)")
    }
    return (Int(length), 2 + size)
  }

  private func unmasked(from body: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { output, written in
      buffer.withUnsafeBufferPointer { input in
        for offset in 0..<count { output[offset] = input[body + offset] ^ input[body - 4 + offset & 3] }
      }
      written = count
    }
  }
}
