import NIOCore

/// Records the first and the last bytes that were received, and heads, before they are decoded.
///
/// The decoder does not show whether it holds the beginning of another request, whose rest has to arrive within a time
/// limit. Therefore the end of the bytes is compared with the end of the decoded parts.
final class InputTail: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  // Unchecked where every read changes it, and safe: only the event loop uses it, and no change calls the handler.
  @exclusivity(unchecked) private var received = LastBytes()
  private var first: UInt8?
  /// The bytes of the read that is being decoded.
  @exclusivity(unchecked) private var current: ByteBuffer?
  /// The end of the last body; `nil` if the last request had none.
  @exclusivity(unchecked) private var body: LastBytes?
  @exclusivity(unchecked) private var heads = HeadWindow()
  /// Whether the last request is decoded to its end.
  private var requestHasEnded = true
  /// Whether the next bytes begin a request.
  private(set) var isBetweenRequests = true

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    heads.receive(bytes, beginsRequest: isBetweenRequests)
    if first == nil { first = bytes.readableBytesView.first }
    received.append(bytes)
    current = bytes
    context.fireChannelRead(data)
    current = nil
    isBetweenRequests = requestHasEnded && isComplete
    // The channel reads into the same bytes again, unless they are held.
    if isBetweenRequests { heads = HeadWindow() }
  }

  /// Returns the bytes of the head, if they are known.
  func headWasDecoded() -> RawHead? {
    body = nil
    requestHasEnded = false
    return heads.next()
  }

  /// - Parameter length: The length of the body; `nil` if it comes in chunks.
  func headWasRead(length: Int?) { heads.announce(length) }

  func requestWasDecoded() { requestHasEnded = true }

  func bodyWasDecoded(_ bytes: ByteBuffer) {
    var last = body ?? LastBytes()
    last.append(bytes)
    body = last
  }

  /// Whether the client began a TLS handshake: no HTTP method begins with the type of its record (RFC 8446, 5.1).
  var beginsHandshake: Bool { first == 22 }

  /// The line that the decoder refuses for its method; `nil` if none can be read.
  var unknownRequestLine: RequestLine? { current.flatMap(RequestLine.init(unknownIn:)) }

  /// Whether the last bytes were the end of a request: an empty line, or the end of its body. A further line end does
  /// not belong to the next request (RFC 9112, 2.2).
  private var isComplete: Bool {
    if received.endWithEmptyLine { return true }
    guard let body else { return false }
    return received.endWith(body) || received.withoutLineEnd.endWith(body)
  }
}

/// Up to eight bytes.
private struct LastBytes {
  private var value: UInt64 = 0
  private var count = 0

  mutating func append(_ buffer: ByteBuffer) {
    let length = min(buffer.readableBytes, 8)
    if length == 8 {
      let end = buffer.withUnsafeReadableBytes { $0.loadUnaligned(fromByteOffset: $0.count - 8, as: UInt64.self) }
      (value, count) = (UInt64(bigEndian: end), 8)
      return
    }
    for byte in buffer.readableBytesView.suffix(length) { value = value << 8 | UInt64(byte) }
    count = min(8, count + length)
  }

  /// CR LF CR LF.
  var endWithEmptyLine: Bool { value & 0xFFFF_FFFF == 0x0D0A_0D0A }

  func endWith(_ other: LastBytes) -> Bool {
    let length = min(count, other.count)
    let mask = length == 8 ? UInt64.max : (1 << UInt64(length * 8)) - 1
    return value & mask == other.value & mask
  }

  var withoutLineEnd: LastBytes {
    guard count >= 2, value & 0xFFFF == 0x0D0A else { return self }
    var rest = self
    rest.value >>= 16
    rest.count -= 2
    return rest
  }
}
