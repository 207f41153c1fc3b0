import HTTPTypes
import NIOCore
import Understudy

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Turns replies into bytes on a connection, faults included.
struct ReplyWriter {
  let loop: LoopState

  /// In what state a reply leaves its connection.
  enum Ending {
    /// Ready for the next answer.
    case open
    /// To be closed once what was written has been sent.
    case closing
    /// Closed already.
    case closed
    /// The client is kept waiting.
    case hanging
  }

  /// Writes without flushing.
  func write(_ reply: Reply, _ terms: AnswerTerms, to context: ChannelHandlerContext) -> Ending {
    if let fault = reply.fault { return perform(fault, reply, terms, on: context) }
    let rendered = render(reply.content)
    var terms = terms
    if rendered.endsConnection && !(reply.omitsBody || terms.isHead) { terms.closes = true }
    if terms.arePlain && !reply.omitsBody {
      let bytes = rendered.bytes
      context.write(NIOAny(bytes), promise: nil)
      if let body = rendered.longBody { context.write(NIOAny(body), promise: nil) }
      return .open
    }
    let head = rendered.head(adding: extraFields(rendered.response.response, terms))
    context.write(NIOAny(head), promise: nil)
    if !(reply.omitsBody || terms.isHead) { context.write(NIOAny(rendered.body), promise: nil) }
    return terms.closes ? .closing : .open
  }

  private func render(_ content: Reply.Content) -> RenderedResponse {
    switch content {
    case .prepared(let response):
      loop.rendered(response)
    case .made(let response, let body):
      RenderedResponse(PreparedResponse(index: 0, response: response, body: body), date: loop.date)
    case .streamed(let response, _):
      // Whoever streams writes the head and the pieces by themselves; this is for a fault in their place.
      RenderedResponse(PreparedResponse(index: 0, response: response, body: []), date: loop.date)
    }
  }

  /// The head of an answer whose body is still to come.
  func head(of response: HTTPResponse, length: Int?, _ framing: Connection.Framing, _ terms: AnswerTerms) -> ByteBuffer
  {
    var head = ByteBuffer()
    ResponseHead.write(response, bodyLength: length, into: &head)
    var fields = extraFields(response, terms)
    if framing == .chunks { fields.append((name: "Transfer-Encoding", value: "chunked")) }
    for field in fields { head.writeString("\(field.name): \(field.value)\r\n") }
    head.writeString("Date: ")
    head.writeBytes(loop.date.bytes)
    head.writeString("\r\n\r\n")
    return head
  }

  private func extraFields(_ response: HTTPResponse, _ terms: AnswerTerms) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    if let origin = terms.origin { fields = CrossOrigin.fields(for: response, origin: origin) }
    if terms.closes {
      fields.append((name: "Connection", value: "close"))
    } else if terms.isLegacy {
      fields.append((name: "Connection", value: "keep-alive"))
    }
    return fields
  }

  private func perform(
    _ fault: Fault, _ reply: Reply, _ terms: AnswerTerms, on context: ChannelHandlerContext
  ) -> Ending {
    switch fault {
    case .hang:
      return .hanging
    case .close:
      // Answers to earlier requests of the same packet are not part of the fault.
      context.flush()
      context.close(promise: nil)
      return .closed
    case .reset:
      context.flush()
      // A close that may not linger is told to the peer by RST instead of FIN.
      let abrupt = linger(l_onoff: 1, l_linger: 0)
      if let socket = context.channel as? any SocketOptionProvider { _ = socket.setSoLinger(abrupt) }
      context.close(promise: nil)
      return .closed
    case .truncate:
      let rendered = render(reply.content)
      let head = rendered.head(adding: extraFields(rendered.response.response, terms))
      let body = reply.omitsBody || terms.isHead ? ByteBuffer() : rendered.body
      if body.readableBytes > 0 {
        context.write(NIOAny(head), promise: nil)
        context.write(NIOAny(body.getSlice(at: body.readerIndex, length: body.readableBytes / 2) ?? body), promise: nil)
      } else {
        // With no body to cut, the head is cut.
        context.write(NIOAny(head.getSlice(at: 0, length: head.readableBytes / 2) ?? head), promise: nil)
      }
      return .closing
    case .garbage:
      context.write(NIOAny(ByteBuffer(bytes: Self.garbage)), promise: nil)
      return .closing
    }
  }

  /// Neither a status line of any version of HTTP nor text in any encoding.
  private static let garbage: [UInt8] = [0x00, 0xFF, 0xFE, 0x80, 0x16, 0x03, 0x0D, 0x0A, 0x00, 0xC0, 0xAF, 0x0D, 0x0A]
}
