import NIOCore
import UnderstudyMock

/// The bytes of an answer, to be damaged.
struct ResponseCorruptor {
  private(set) var head: ByteBuffer
  private(set) var body: ByteBuffer

  /// Neither a status line of any version of HTTP nor text in any encoding.
  private static let garbage: [UInt8] = [
    0x00, 0xFF, 0xFE, 0x80, 0x16, 0x03, 0x0D, 0x0A, 0x00, 0xC0, 0xAF, 0x0D, 0x0A,
  ]

  init(head: ByteBuffer, body: ByteBuffer) {
    self.head = head
    self.body = body
  }

  /// - Parameter omitsBody: Whether the request asks for the head only.
  mutating func apply(_ damage: Fault.Damage, omitsBody: Bool) {
    switch damage {
    case .cut(_, let moment): cut(at: moment)
    case .garbage:
      head = ByteBuffer(bytes: Self.garbage)
      body = ByteBuffer()
    case .malformedChunk: chunk(omitsBody: omitsBody)
    case .wrongLength(let bytes):
      // The number comes from a header of any client.
      let (length, isBeyond) = body.readableBytes.addingReportingOverflow(bytes)
      setLength(isBeyond ? .max : max(0, length))
    case .html: if body.readableBytes > 0 { replace(ByteBuffer(bytes: HostilePage.bytes)) }
    case .invalidUTF8: if body.readableBytes > 0 { replace(Self.withoutEncoding(body)) }
    case .duplicateHeaders: edit { $0.duplicate() }
    case .conflictingHeaders: contradict()
    }
  }

  private mutating func cut(at moment: Fault.Moment) {
    switch moment {
    case .start: (head, body) = (ByteBuffer(), ByteBuffer())
    case .body where body.readableBytes > 0: body = Self.firstHalf(of: body)
    case .head, .body: (head, body) = (Self.firstHalf(of: head), ByteBuffer())
    case .afterHead: body = ByteBuffer()
    case .end: break
    }
  }

  private mutating func chunk(omitsBody: Bool) {
    edit {
      $0.remove("content-length")
      $0.append("Transfer-Encoding: chunked")
    }
    guard !omitsBody else { return }
    let bytes = Array(body.readableBytesView)
    var chunks = ReplyWriter.bytes(of: Array(bytes.prefix(bytes.count / 2)), .chunks)
    chunks.writeString("zz\r\n")
    chunks.writeBytes(bytes.dropFirst(bytes.count / 2))
    chunks.writeString("\r\n")
    chunks.writeImmutableBuffer(ReplyWriter.lastChunk)
    body = chunks
  }

  private mutating func replace(_ body: ByteBuffer) {
    self.body = body
    setLength(body.readableBytes)
  }

  private mutating func setLength(_ length: Int) { edit { $0.setLength(length) } }

  private mutating func contradict() {
    let length = body.readableBytes
    edit { $0.contradict(length: length) }
  }

  private mutating func edit(_ change: (inout HeadLines) -> Void) {
    var lines = HeadLines(head)
    change(&lines)
    head = lines.bytes
  }

  /// With two bytes that no encoding of Unicode has: before the last quotation mark, else in the middle.
  private static func withoutEncoding(_ body: ByteBuffer) -> ByteBuffer {
    var bytes = Array(body.readableBytesView)
    bytes.insert(contentsOf: [0xC3, 0x28], at: bytes.lastIndex(of: UInt8(ascii: "\"")) ?? bytes.count / 2)
    return ByteBuffer(bytes: bytes)
  }

  private static func firstHalf(of buffer: ByteBuffer) -> ByteBuffer {
    buffer.getSlice(at: buffer.readerIndex, length: buffer.readableBytes / 2) ?? buffer
  }
}
