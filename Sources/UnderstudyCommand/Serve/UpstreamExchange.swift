package import UnderstudyMock
package import UnderstudyVerification

/// An exchange with the upstream of a proxy, which is recorded like one of a file.
package struct UpstreamExchange {
  private let exchange: ServedExchange
  private let request: HTTPRequest

  /// `nil` if no server answered.
  package init?(_ exchange: ServedExchange) {
    let reply = exchange.reply
    guard let request = exchange.request, !exchange.isUnanswered, !reply.isProblem, !reply.isAboutMock,
      reply.source.content == .upstream
    else { return nil }
    self.init(exchange, request)
  }

  init(_ exchange: ServedExchange, _ request: HTTPRequest) {
    self.exchange = exchange
    self.request = request
  }

  /// The entry of a recording that has `index` entries before it.
  package func entry(index: Int) -> HAREntry {
    var requestFields = request.headerFields
    let requestBody: RecordedBody =
      if let body = exchange.body { Self.decoded(body, &requestFields) } else { .unknown(Body.tooLong("request")) }
    var entry = HAREntry(
      index: index, line: 0, column: 1,
      startedDateTime: Timestamp.text(
        seconds: exchange.startedAt / 1_000_000, milliseconds: exchange.startedAt / 1000 % 1000),
      method: request.method.rawValue,
      url: "\(request.scheme ?? "http")://\(request.authority ?? "localhost")\(request.path ?? "/")",
      requestFields: requestFields, requestBody: requestBody, answer: answer, note: nil)
    if let transcript = exchange.transcript {
      Self.add(transcript, to: &entry)
      entry.unreadReason = exchange.reply.notValidated.first?.reason
    }
    return entry
  }

  private static func add(_ transcript: SocketTranscript, to entry: inout HAREntry) {
    let messages = transcript.messages
    entry.isSocket = true
    entry.lostMessages = max(0, transcript.totals.count - messages.count) + messages.count { !$0.isWhole }
    entry.socketMessages = messages.filter(\.isWhole).flatMap { message -> [HAREntry.SocketMessage] in
      let list = String(decoding: message.arguments, as: UTF8.self)
      let texts = message.texts(by: transcript.identity.transport, list: list) ?? []
      let (isFromClient, time) = (message.isFromClient, message.time)
      return texts.map { HAREntry.SocketMessage(isFromClient: isFromClient, data: $0, time: time) }
        + message.attachments.map {
          HAREntry.SocketMessage(isFromClient: isFromClient, data: Base64.encode($0), isBinary: true, time: time)
        }
    }
    // A server repeats the close frame of its client.
    guard let end = messages.first(where: { $0.kind == .close || $0.kind == .drop }), !end.isFromClient else { return }
    let values = (try? JSONParser.parse(end.arguments).root)?.array ?? []
    entry.socketEnd = HAREntry.SocketEnd(
      time: end.time, code: end.kind == .close ? values.first?.int : nil, reason: values.dropFirst().first?.string ?? ""
    )
  }

  private var answer: HAREntry.Answer {
    let reply = exchange.reply
    // Without the fields that the proxy adds.
    var fields = HTTPFields(
      reply.response.headerFields.filter { field in
        !["understudy-reply", "sl-violations"].contains(FieldSyntax.lowercased(field.name.rawName.utf8))
      })
    let body: RecordedBody =
      switch reply.content {
      case .streamed(_, let stream) where request.method != .head: Self.streamed(stream, &fields)
      case .streamed: .empty
      default: Self.decoded(reply.body, &fields)
      }
    return HAREntry.Answer(
      status: reply.status, fields: fields, body: body, duration: exchange.duration, pauses: reply.pauses)
  }

  /// The content of a stream, up to the last complete record if it was cut off.
  private static func streamed(_ body: Body, _ fields: inout HTTPFields) -> RecordedBody {
    switch body.copy?.content(fields) {
    case .whole(let bytes)?: decoded(bytes, &fields)
    case .records(let bytes)?: .bytes(bytes)
    case .cutOff(let reason)?: .unknown(reason)
    case .tooLong?, nil: .unknown("the answer's body is longer than \(BodyCopy.recordingLimit.asBytes)")
    }
  }

  /// Without its content codings, as recordings have bodies.
  private static func decoded(_ bytes: [UInt8], _ fields: inout HTTPFields) -> RecordedBody {
    let codings = fields.lines(named: "content-encoding")
    guard !codings.isEmpty, !bytes.isEmpty else { return .bytes(bytes) }
    do throws(DecodingProblem) {
      guard case .decoded(let plain) = try ContentCoding.decode(bytes, codings) else {
        return .unknown("a body has the content coding `\(codings.joined(separator: ", "))`, which cannot be decoded")
      }
      fields[.contentEncoding] = nil
      return .bytes(plain)
    } catch {
      return .unknown(error.sentence)
    }
  }
}

extension ServedExchange {
  /// The exchange as an entry of a recording, from a mock as from an upstream; `nil` without an answer, and for one about the
  /// mock itself.
  var entry: HAREntry? {
    guard let request, status != nil, !reply.isAboutMock else { return nil }
    return UpstreamExchange(self, request).entry(index: 0)
  }

  /// Whether the client left while the upstream was still to answer.
  fileprivate var isUnanswered: Bool { status == nil && reply.forward != nil }

  /// Why the upstream gave no answer; `nil` if it gave one.
  package var upstreamFailure: String? {
    if isUnanswered { return "the client left before the upstream answered" }
    guard case .noUpstream(_, let message) = reply.source.content else { return nil }
    return "the upstream did not answer: \(message)"
  }
}
