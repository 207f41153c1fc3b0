extension HAREntry {
  /// An exchange with an upstream, in the form of a recording; `nil` if no server answered.
  package init?(_ exchange: ServedExchange, index: Int) {
    let reply = exchange.reply
    guard let request = exchange.request, !reply.isProblem, !reply.isAboutMock,
      reply.reason.utf8.starts(with: "upstream".utf8)
    else { return nil }
    var requestFields = request.headerFields
    // Without the fields that the proxy adds.
    var fields = HTTPFields(
      reply.response.headerFields.filter { field in
        !["understudy-reply", "sl-violations"].contains(FieldSyntax.lowercased(field.name.rawName.utf8))
      })
    let requestBody: RecordedBody =
      if let body = exchange.body { Self.decoded(body, &requestFields) } else { .unknown(Body.tooLong("request")) }
    let body: RecordedBody =
      switch reply.content {
      case .streamed(_, let stream) where request.method != .head: Self.streamed(stream.copy, &fields)
      case .streamed: .empty
      default: Self.decoded(reply.body, &fields)
      }
    self.init(
      index: index, line: 0, column: 1,
      startedDateTime: Timestamp.text(
        seconds: exchange.startedAt / 1_000_000, milliseconds: exchange.startedAt / 1000 % 1000),
      method: request.method.rawValue,
      url: "\(request.scheme ?? "http")://\(request.authority ?? "localhost")\(request.path ?? "/")",
      requestFields: requestFields, requestBody: requestBody,
      answer: Answer(status: reply.status, fields: fields, body: body, duration: exchange.duration), note: nil)
  }

  /// The content of a stream. A stream of events has no end of its own: what arrived counts, up to its last event.
  private static func streamed(_ copy: BodyCopy?, _ fields: inout HTTPFields) -> RecordedBody {
    guard let copy, let bytes = copy.bytes else {
      return .unknown("the answer's body is longer than \(BodyCopy.limit.asBytes)")
    }
    if copy.isWhole { return decoded(bytes, &fields) }
    guard fields.contentType.flatMap({ MediaRange($0) })?.syntax == .eventStream else {
      return .unknown("the answer's body was cut off")
    }
    let end = bytes.indices.last { bytes[$0...].starts(with: "\n\n".utf8) }
    return .bytes(end.map { Array(bytes[...($0 + 1)]) } ?? [])
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
  /// Why the upstream gave no answer; `nil` if it gave one.
  package var upstreamFailure: String? {
    let mark = " upstream: "
    guard reply.isProblem, let range = reply.reason.firstRange(of: mark) else { return nil }
    return "the upstream did not answer: \(reply.reason[range.upperBound...])"
  }
}
