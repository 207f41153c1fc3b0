import NIOCore
import UnderstudyMock

/// Damages the bytes of a response within its head or body; a `TransmissionPlan` cuts and delays the bytes.
struct ResponseCorruptor {
  private(set) var head: [UInt8]
  private(set) var body: [UInt8]

  /// Neither a status line of any version of HTTP nor text in any encoding.
  private static let garbage: [UInt8] = [
    0x00, 0xFF, 0xFE, 0x80, 0x16, 0x03, 0x0D, 0x0A, 0x00, 0xC0, 0xAF, 0x0D, 0x0A,
  ]

  init(head: [UInt8], body: [UInt8]) { (self.head, self.body) = (head, body) }

  /// - Parameter omitsBody: Whether the request asks for the head only.
  mutating func apply(_ damage: Fault.Damage, omitsBody: Bool) {
    switch damage {
    case .cut: break
    case .garbage: (head, body) = (Self.garbage, [])
    case .malformedChunk: chunk(omitsBody: omitsBody)
    case .wrongLength(let bytes):
      // The number comes from a header of any client.
      let (length, isBeyond) = body.count.addingReportingOverflow(bytes)
      edit { $0.setLength(isBeyond ? .max : max(0, length)) }
    case .html: if !body.isEmpty { replace(HostilePage.bytes) }
    case .invalidUTF8: if !body.isEmpty { replace(Self.withoutEncoding(body)) }
    case .duplicateHeaders: edit { $0.duplicate() }
    case .conflictingHeaders: edit { [body] in $0.contradict(length: body.count) }
    }
  }

  private mutating func chunk(omitsBody: Bool) {
    edit {
      $0.remove("content-length")
      $0.append("Transfer-Encoding: chunked")
    }
    guard !omitsBody else { return }
    var chunks = ReplyWriter.bytes(of: Array(body.prefix(body.count / 2)), .chunks)
    chunks.writeString("zz\r\n")
    chunks.writeBytes(body.dropFirst(body.count / 2))
    chunks.writeString("\r\n")
    chunks.writeImmutableBuffer(ReplyWriter.lastChunk)
    body = Array(chunks.readableBytesView)
  }

  private mutating func replace(_ body: [UInt8]) {
    self.body = body
    edit { $0.setLength(body.count) }
  }

  private mutating func edit(_ change: (inout HeadLines) -> Void) {
    var lines = HeadLines(head)
    change(&lines)
    head = lines.bytes
  }

  /// The body with two bytes that no encoding of Unicode has: before the last quotation mark, or else in the middle.
  private static func withoutEncoding(_ body: [UInt8]) -> [UInt8] {
    var bytes = body
    bytes.insert(contentsOf: [0xC3, 0x28], at: bytes.lastIndex(of: UInt8(ascii: "\"")) ?? bytes.count / 2)
    return bytes
  }
}
