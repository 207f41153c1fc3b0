import NIOCore
import UnderstudyMock

/// An answer as bytes: rendered once, dated once a second, and written without being copied.
final class RenderedResponse {
  let response: PreparedResponse
  /// Head and, unless it is long, body.
  private(set) var bytes: ByteBuffer
  /// The body, if it is too long to share a buffer with the head, which changes every second.
  let longBody: ByteBuffer?
  private let headLength: Int
  private let dateOffset: Int
  private var seconds: Int
  /// The fields on a stream with the current date, once a stream has needed them.
  private var fields: [(name: String, value: String)]?

  /// Bodies up to this many bytes share a buffer with the head, and are copied when the date changes.
  static let inlineBodyLimit = 16 * 1024

  init(_ prepared: PreparedResponse, date: HTTPDate) {
    let body = ResponseHead.carriesBody(status: prepared.status) || prepared.breaksFraming ? prepared.body : []
    let isLong = body.count > Self.inlineBodyLimit
    // An empty buffer would have the storage of all others.
    var bytes = ByteBufferAllocator().buffer(capacity: 512 + (isLong ? 0 : body.count))
    ResponseHead.write(
      prepared.response, bodyLength: prepared.body.count, forcesBody: prepared.breaksFraming, into: &bytes)
    bytes.writeString("Date: ")
    dateOffset = bytes.writerIndex
    bytes.writeBytes(date.bytes)
    bytes.writeString("\r\n\r\n")
    headLength = bytes.writerIndex
    longBody = isLong ? ByteBuffer(bytes: body) : nil
    if !isLong { bytes.writeBytes(body) }
    self.response = prepared
    self.bytes = bytes
    self.seconds = date.seconds
  }

  /// Updates the date, in place unless an earlier answer still uses the bytes.
  func date(_ date: HTTPDate) {
    guard seconds != date.seconds else { return }
    bytes.setBytes(date.bytes, at: dateOffset)
    seconds = date.seconds
    fields = nil
  }

  /// The fields on a stream, in lower case.
  func streamFields(_ date: HTTPDate) -> [(name: String, value: String)] {
    if let fields { return fields }
    let new = ResponseHead.streamFields(of: response.response, bodyLength: response.body.count, date)
    fields = new
    return new
  }

  var body: ByteBuffer {
    longBody ?? bytes.getSlice(at: headLength, length: bytes.writerIndex - headLength) ?? ByteBuffer()
  }

  func head(adding fields: [(name: String, value: String)]) -> ByteBuffer {
    let endOfFields = headLength - 2
    var head = ByteBufferAllocator().buffer(capacity: headLength + 256)
    head.writeImmutableBuffer(bytes.getSlice(at: 0, length: endOfFields) ?? ByteBuffer())
    for field in fields { head.writeString("\(field.name): \(field.value)\r\n") }
    head.writeString("\r\n")
    return head
  }
}
