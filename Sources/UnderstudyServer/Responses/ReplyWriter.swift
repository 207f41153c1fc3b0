import NIOCore
import UnderstudyMock

/// Renders replies: as bytes, including faults, or as the parts of a stream.
struct ReplyWriter {
  let loop: LoopState

  static let continueHead = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
  static let lastChunk = ByteBuffer(string: "0\r\n\r\n")

  /// The whole response. A long body has a buffer of its own.
  func bytes(of reply: Reply, _ terms: ResponseTerms) -> (ByteBuffer, rest: ByteBuffer?) {
    if reply.fault != nil { return (ByteBuffer(bytes: plan(of: reply, terms).bytes), nil) }
    if reply.isChunked, let chunked = chunked(reply, terms) { return (chunked, nil) }
    let rendered = render(reply.content)
    let omitsBody = reply.omitsBody || terms.isHead
    if terms.arePlain && !omitsBody { return (rendered.bytes, rendered.longBody) }
    let head = rendered.head(adding: fields(for: rendered.response.response, terms))
    return (head, omitsBody ? nil : rendered.body)
  }

  /// The fields and the body of a response on a stream. The body is empty if HTTP forbids one.
  func parts(of reply: Reply, _ terms: ResponseTerms) -> (fields: [(name: String, value: String)], body: ByteBuffer) {
    let response = reply.response
    let omitsBody = reply.omitsBody || terms.isHead || !ResponseHead.carriesBody(status: response.status.code)
    let isChunked = reply.isChunked && !omitsBody
    if case .prepared(let prepared) = reply.content, !isChunked {
      let rendered = loop.rendered(prepared)
      var fields = rendered.streamFields(loop.date)
      if let origin = terms.origin { fields += CrossOrigin.streamFields(for: response, origin: origin) }
      return (fields, omitsBody ? ByteBuffer() : rendered.body)
    }
    let body: [UInt8] =
      switch reply.content {
      case .prepared(let prepared): prepared.body
      case .made(_, let body): body
      case .streamed: []
      }
    let fields = fields(of: response, length: isChunked ? nil : body.count, terms)
    return (fields, omitsBody ? ByteBuffer() : ByteBuffer(bytes: body))
  }

  /// - Parameter length: The length of its body, or `nil` if it is unknown.
  func fields(of response: HTTPResponse, length: Int?, _ terms: ResponseTerms) -> [(name: String, value: String)] {
    var fields = ResponseHead.streamFields(of: response, bodyLength: length, loop.date)
    if let origin = terms.origin { fields += CrossOrigin.streamFields(for: response, origin: origin) }
    return fields
  }

  /// The response as its fault changes it, in chunks with pauses.
  func plan(of reply: Reply, _ terms: ResponseTerms) -> TransmissionPlan {
    let rendered = render(reply.content)
    let omitsBody = reply.omitsBody || terms.isHead
    let head = rendered.head(adding: fields(for: rendered.response.response, terms))
    var response = ResponseCorruptor(
      head: Array(head.readableBytesView), body: omitsBody ? [] : Array(rendered.body.readableBytesView))
    if let damage = reply.fault?.damage { response.apply(damage, omitsBody: omitsBody) }
    return TransmissionPlan(head: response.head, body: response.body, reply.fault)
  }

  /// An answer in chunks; `nil` where its framing is another one.
  private func chunked(_ reply: Reply, _ terms: ResponseTerms) -> ByteBuffer? {
    let omitsBody = reply.omitsBody || terms.isHead
    let framing = Framing(of: reply.response, length: nil, omitsBody: omitsBody, isLegacy: terms.isLegacy)
    guard framing == .chunks else { return nil }
    var bytes = head(of: reply.response, length: nil, framing, terms)
    bytes.writeImmutableBuffer(Self.bytes(of: reply.body, framing))
    bytes.writeImmutableBuffer(Self.lastChunk)
    return bytes
  }

  func head(of response: HTTPResponse, length: Int?, _ framing: Framing, _ terms: ResponseTerms) -> ByteBuffer {
    var head = ByteBuffer()
    ResponseHead.write(response, bodyLength: length, into: &head)
    var fields = fields(for: response, terms)
    if framing == .chunks { fields.append((name: "Transfer-Encoding", value: "chunked")) }
    for field in fields { head.writeString("\(field.name): \(field.value)\r\n") }
    head.writeString("Date: ")
    head.writeBytes(loop.date.bytes)
    head.writeString("\r\n\r\n")
    return head
  }

  /// A part of a body. An empty part is not written as a chunk, since that would be the last one.
  static func bytes(of part: [UInt8], _ framing: Framing) -> ByteBuffer {
    guard framing == .chunks, !part.isEmpty else { return ByteBuffer(bytes: part) }
    var chunk = ByteBuffer(string: String(part.count, radix: 16) + "\r\n")
    chunk.writeBytes(part)
    chunk.writeString("\r\n")
    return chunk
  }

  private func render(_ content: Reply.Content) -> RenderedResponse {
    switch content {
    case .prepared(let response):
      loop.rendered(response)
    case .made(let response, let body):
      RenderedResponse(PreparedResponse(response: response, body: body), date: loop.date)
    case .streamed(let response, _):
      // Only the faults of a stream are rendered.
      RenderedResponse(PreparedResponse(response: response, body: []), date: loop.date)
    }
  }

  private func fields(for response: HTTPResponse, _ terms: ResponseTerms) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    if let origin = terms.origin { fields = CrossOrigin.fields(for: response, origin: origin) }
    if terms.closes {
      fields.append((name: "Connection", value: "close"))
    } else if terms.isLegacy {
      fields.append((name: "Connection", value: "keep-alive"))
    }
    return fields
  }
}

extension Reply {
  /// Whether the response is a `TransmissionPlan` over time, and not written at once.
  var isSentInChunks: Bool {
    guard let fault else { return false }
    if fault.pace != nil { return true }
    if case .cut(let ending, _) = fault.damage { return ending != .close }
    return false
  }

  /// The end of a connection that gets no byte of the response.
  var endWithoutResponse: Fault.Ending? {
    if case .cut(let ending, .start)? = fault?.damage { ending } else { nil }
  }

  var sentStatus: Int? { fault?.hasStatus == false ? nil : status }
}
