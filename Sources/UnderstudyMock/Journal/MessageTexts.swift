import UnderstudySockets

/// Messages of a stream as they are shown, without secrets.
struct MessageTexts {
  let texts: [JSON]

  /// - Parameter length: The longest text, in characters.
  init(
    _ messages: some Collection<MessageLog.Message>, of exchange: ServedExchange, length: Int,
    _ redactor: inout Redactor
  ) {
    texts = messages.map { message in
      var parts = Self.parts(of: message, exchange, &redactor).map { name, text in
        (name, JSON.string(VisibleText.shortened(text, to: length)))
      }
      parts.insert(("number", .integer(message.number)), at: 0)
      parts.insert(("microseconds", .integer(message.microseconds)), at: 1)
      // The length of one that is not shown whole.
      if message.size > message.bytes.count { parts.append(("size", .integer(message.size))) }
      return .object(parts)
    }
  }

  private static func parts(
    of message: MessageLog.Message, _ exchange: ServedExchange, _ redactor: inout Redactor
  ) -> [(String, String)] {
    // With the request: a message may repeat its secrets.
    guard var content = exchange.content else { return [] }
    let type = exchange.reply.response.headerFields.contentType.flatMap { MediaRange($0) }
    content.isResponseDecoded = true
    content.response = exchange.reply.response
    content.responseBody = message.bytes
    _ = redactor.redact(&content)
    let text = String(decoding: content.responseBody, as: UTF8.self)
    let declared = exchange.reply.sockets?.streamDescription
    func hiding(_ data: String, of event: String?) -> String {
      guard let declared else { return data }
      let shown = redactor.redact(
        argument: JSON(messageText: data), of: event, isFromClient: false, by: declared, handshake: exchange.request)
      // What has no secret stays as it was sent.
      return shown.map(SocketTemplate.text) ?? data
    }
    guard type?.syntax == .eventStream else { return [("text", hiding(text, of: nil))] }
    // Broken UTF-8 is shown as it came.
    guard case .readings(let readings) = EventStream.decode(Array((text + "\n\n").utf8)).outcome,
      let event = readings.first?.elements.first(where: { $0.isObject })
    else { return [("text", text)] }
    return ["event", "id"].compactMap { name in event[name].map { (name, $0.text) } }
      + [("text", hiding(event["data"]?.text ?? text, of: event["event"]?.text ?? "message"))]
  }
}
