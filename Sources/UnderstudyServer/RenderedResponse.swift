import NIOCore
import Understudy

/// An answer as bytes: made once, dated once a second, and written any number of times without being copied.
final class RenderedResponse {
  let response: PreparedResponse
  /// Head and, unless it is long, body.
  private(set) var bytes: ByteBuffer
  /// The body, if it is too long to share a buffer with a head that changes every second.
  let longBody: ByteBuffer?
  private let headLength: Int
  private let dateOffset: Int
  private var seconds: Int

  /// Bodies up to this many bytes are copied when the date changes, and save the system a second piece to gather.
  static let inlineBodyLimit = 16 * 1024

  init(_ prepared: PreparedResponse, date: HTTPDate) {
    let body = ResponseHead.carriesBody(status: prepared.status) || prepared.breaksFraming ? prepared.body : []
    let isLong = body.count > Self.inlineBodyLimit
    var bytes = ByteBuffer()
    bytes.reserveCapacity(512 + (isLong ? 0 : body.count))
    ResponseHead.write(
      prepared.response, bodyLength: prepared.body.count, forcesBody: prepared.breaksFraming, into: &bytes)
    bytes.writeString("Date: ")
    dateOffset = bytes.writerIndex
    bytes.writeBytes(date.bytes)
    bytes.writeString("\r\n\r\n")
    headLength = bytes.writerIndex
    if isLong {
      longBody = ByteBuffer(bytes: body)
    } else {
      longBody = nil
      bytes.writeBytes(body)
    }
    self.response = prepared
    self.bytes = bytes
    self.seconds = date.seconds
  }

  /// Copies the bytes if an earlier answer is still on its way with the old date, else changes them in place.
  func date(_ date: HTTPDate) {
    guard seconds != date.seconds else { return }
    bytes.setBytes(date.bytes, at: dateOffset)
    seconds = date.seconds
  }

  /// The head alone, as the answer to HEAD.
  var head: ByteBuffer { bytes.getSlice(at: 0, length: headLength) ?? bytes }

  /// The body alone.
  var body: ByteBuffer {
    longBody ?? bytes.getSlice(at: headLength, length: bytes.writerIndex - headLength) ?? ByteBuffer()
  }

  /// The head with more fields at its end.
  func head(adding fields: [(name: String, value: String)]) -> ByteBuffer {
    var head = ByteBuffer()
    let endOfFields = headLength - 2
    head.reserveCapacity(headLength + 256)
    head.writeImmutableBuffer(bytes.getSlice(at: 0, length: endOfFields) ?? ByteBuffer())
    for field in fields {
      head.writeString(field.name)
      head.writeString(": ")
      head.writeString(field.value)
      head.writeString("\r\n")
    }
    head.writeString("\r\n")
    return head
  }
}
