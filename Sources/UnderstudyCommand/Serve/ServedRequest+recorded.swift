package import UnderstudyExchange
package import UnderstudyMock

extension ServedRequest {
  /// The exchange as it is recorded, whether a mock or an upstream responded; `nil` without a response, and for an exchange
  /// about the mock itself.
  ///
  /// Bodies have no content codings, and the fields of the proxy are left out.
  var recorded: Exchange? {
    guard let request, status != nil, !reply.isAboutMock else { return nil }
    var head = request
    head.scheme = request.scheme ?? "http"
    head.authority = request.authority ?? "localhost"
    head.path = request.path ?? "/"
    var exchange = Exchange(head, startedAt: startedAt)
    exchange.requestBody =
      if let body { Self.decoded(body, &exchange.requestFields) } else { .unknown(Body.tooLong("request")) }
    exchange.response = recordedResponse
    exchange.socket = transcript.map { Exchange.Socket($0, unreadReason: reply.notValidated.first?.reason) }
    return exchange
  }

  /// The exchange with the upstream of a proxy; `nil` if the upstream did not respond.
  package var recordedFromUpstream: Exchange? {
    guard !isUnanswered, !reply.isProblem, reply.source.content == .upstream else { return nil }
    return recorded
  }

  private var recordedResponse: Exchange.Response {
    var fields = HTTPFields(
      reply.response.headerFields.filter { field in
        !["understudy-reply", "sl-violations"].contains(FieldSyntax.lowercased(field.name.rawName.utf8))
      })
    let body: ExchangeBody =
      switch reply.content {
      case .streamed(_, let stream) where request?.method != .head: Self.streamed(stream, &fields)
      case .streamed: .empty
      default: Self.decoded(reply.body, &fields)
      }
    return Exchange.Response(
      status: reply.status, fields: fields, body: body, duration: duration, pauses: reply.pauses)
  }

  /// The content of a stream, up to the last complete record if it was cut off.
  private static func streamed(_ body: Body, _ fields: inout HTTPFields) -> ExchangeBody {
    switch body.copy?.content(fields) {
    case .whole(let bytes)?: decoded(bytes, &fields)
    case .records(let bytes)?: .bytes(bytes)
    case .cutOff(let reason)?: .unknown(reason)
    case .tooLong?, nil: .unknown("the answer's body is longer than \(BodyCopy.recordingLimit.asBytes)")
    }
  }

  /// Removes the content codings of a body and the field that names them.
  private static func decoded(_ bytes: [UInt8], _ fields: inout HTTPFields) -> ExchangeBody {
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

  /// Whether the client left while the upstream was still to respond.
  private var isUnanswered: Bool { status == nil && reply.forward != nil }

  /// The reason for a missing response of the upstream; `nil` if it responded.
  package var upstreamFailure: String? {
    if isUnanswered { return "the client left before the upstream answered" }
    guard case .noUpstream(_, let message) = reply.source.content else { return nil }
    return "the upstream did not answer: \(message)"
  }
}

extension Exchange.Socket {
  fileprivate init(_ transcript: SocketTranscript, unreadReason: String?) {
    let all = transcript.messages
    let whole = all.filter(\.isWhole).flatMap { message -> [Message] in
      let list = String(decoding: message.arguments, as: UTF8.self)
      let texts = message.texts(by: transcript.identity.transport, list: list) ?? []
      let (isFromClient, time) = (message.isFromClient, message.time)
      return texts.map { Message(isFromClient: isFromClient, data: $0, time: time) }
        + message.attachments.map {
          Message(isFromClient: isFromClient, data: Base64.encode($0), isBinary: true, time: time)
        }
    }
    self.init(
      messages: whole, lostMessages: max(0, transcript.totals.count - all.count) + all.count { !$0.isWhole },
      unreadReason: unreadReason)
    // A server repeats the close frame of its client.
    guard let last = all.first(where: { $0.kind == .close || $0.kind == .drop }), !last.isFromClient else { return }
    let values = (try? JSONParser.parse(last.arguments).root)?.array ?? []
    end = End(
      time: last.time, code: last.kind == .close ? values.first?.int : nil,
      reason: values.dropFirst().first?.string ?? "")
  }
}
