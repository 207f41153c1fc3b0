/// A request that a server answered.
///
/// A class, so that the journal, the log and the recordings share one instead of copying its parts.
package final class ServedExchange: Sendable {
  /// When the request's head arrived, in microseconds since 1970.
  package let startedAt: Int
  /// From the request's head until the answer was handed to the socket, including the delay, in microseconds.
  package let microseconds: Int
  /// `nil` if the request was refused before its head could be read.
  package let request: HTTPRequest?
  /// The body of the request; `nil` if it was too long to be held.
  package let body: [UInt8]?
  package let reply: Reply
  /// `nil` if the client got no status, because of a fault or because it left.
  package let status: Int?
  /// The last messages of an answer that was sent on while it arrived.
  package let messages: MessageLog?
  /// The names and values of the request's fields together, in bytes.
  let fieldBytes: Int

  /// - Parameter fieldBytes: As `bytes(of:)` counts them, if they were counted already.
  package init(
    startedAt: Int, microseconds: Int, request: HTTPRequest?, body: [UInt8]?, reply: Reply, status: Int?,
    messages: MessageLog? = nil, fieldBytes: Int? = nil
  ) {
    self.startedAt = startedAt
    self.microseconds = microseconds
    self.request = request
    self.body = body
    self.reply = reply
    self.status = status
    self.messages = messages
    self.fieldBytes = fieldBytes ?? request.map { Self.bytes(of: $0.headerFields) } ?? 0
  }

  /// The names and values of fields together, in bytes.
  package static func bytes(of fields: HTTPFields) -> Int {
    fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
  }

  /// The same exchange with another reply, after more time, or with messages.
  package func with(reply: Reply? = nil, after time: Duration = .zero, messages: MessageLog? = nil) -> ServedExchange {
    ServedExchange(
      startedAt: startedAt, microseconds: microseconds + time.wholeMicroseconds, request: request, body: body,
      reply: reply ?? self.reply, status: status, messages: messages ?? self.messages, fieldBytes: fieldBytes)
  }

  package var duration: Duration { .microseconds(microseconds) }

  /// Empty for an exchange without a request.
  package var method: String { request?.method.rawValue ?? "" }
  /// The path and query; empty if there is no request.
  package var target: String { request?.path ?? "" }
}
