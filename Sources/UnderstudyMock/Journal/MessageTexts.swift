import UnderstudySockets

/// Shows messages of a stream without secrets.
enum MessageTexts {
  /// - Parameter length: The maximum length of a string, in characters.
  static func list(
    _ messages: some Collection<MessageLog.Message>, of exchange: ServedRequest, length: Int,
    _ redactor: inout Redactor
  ) -> Redacted<[JSON]> {
    .list(
      messages.compactMap { message in
        parts(of: message, exchange, &redactor)?.map { parts in
          var parts = parts.map { name, text in (name, JSON.string(VisibleText.shortened(text, to: length))) }
          parts.insert(("number", .integer(message.number)), at: 0)
          parts.insert(("microseconds", .integer(message.microseconds)), at: 1)
          // The length of a message that is not shown whole.
          if message.size > message.bytes.count { parts.append(("size", .integer(message.size))) }
          return .object(parts)
        }
      })
  }

  /// `nil` for an exchange without a request.
  private static func parts(
    of message: MessageLog.Message, _ exchange: ServedRequest, _ redactor: inout Redactor
  ) -> Redacted<[(String, String)]>? {
    // With the request: a message may repeat its secrets.
    guard var content = exchange.exchange else { return nil }
    let response = Exchange.Response(exchange.reply.response, body: .bytes(message.bytes))
    let type = response.mediaType
    content.response = response
    let declared = exchange.reply.sockets?.streamDescription
    func hiding(_ data: String, of event: String?) -> String {
      guard let declared else { return data }
      let shown = redactor.redact(
        argument: JSON(messageText: data), of: event, isFromClient: false, by: declared, handshake: exchange.request)
      // A message without a secret stays as it was sent.
      return shown.map { SocketTemplate.text($0.value) } ?? data
    }
    return redactor.redact(content, of: exchange.operation).map { clean in
      let text = String(decoding: clean.response?.body.bytes ?? [], as: UTF8.self)
      guard type?.syntax == .eventStream else { return [("text", hiding(text, of: nil))] }
      // Broken UTF-8 is shown as it came.
      guard case .readings(let readings) = EventStream.decode(Array((text + "\n\n").utf8)).outcome,
        let event = readings.first?.elements.first(where: { $0.isObject })
      else { return [("text", text)] }
      return ["event", "id"].compactMap { name in event[name].map { (name, $0.text) } }
        + [("text", hiding(event["data"]?.text ?? text, of: event["event"]?.text ?? "message"))]
    }
  }
}
