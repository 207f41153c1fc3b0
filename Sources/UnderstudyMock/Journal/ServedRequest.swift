/// A request that a server answered.
///
/// A class, so that the journal, the log and the recordings share one instead of copying its parts.
package final class ServedRequest: Sendable {
  /// When the request's head arrived, in microseconds since 1970.
  package let startedAt: Int
  /// From the request's head until the answer was handed to the socket, including the delay, in microseconds.
  package let microseconds: Int
  /// `nil` if the request was refused before its head could be read.
  package let sharedRequest: SharedRequest?
  /// The body of the request; `nil` if it was too long to be held.
  package let body: [UInt8]?
  package let reply: Reply
  /// `nil` if the client got no status, because of a fault or because it left.
  package let status: Int?
  /// The last messages of an answer that was sent on while it arrived.
  package let messages: MessageLog?
  /// The last messages of the socket that the request opened.
  package let transcript: SocketTranscript?
  /// Its number among the open exchanges, before it ended; `nil` for a response that was sent at once.
  package let openNumber: Int?

  package init(
    startedAt: Int, microseconds: Int, request: SharedRequest?, body: [UInt8]?, reply: Reply, status: Int?,
    messages: MessageLog? = nil, transcript: SocketTranscript? = nil, openNumber: Int? = nil
  ) {
    self.startedAt = startedAt
    self.microseconds = microseconds
    sharedRequest = request
    self.body = body
    self.reply = reply
    self.status = status
    self.messages = messages
    self.transcript = transcript
    self.openNumber = openNumber
  }

  package var request: HTTPRequest? { sharedRequest?.head }

  /// Creates a copy with another reply, after more time, with messages, or with its number among the open exchanges.
  package func with(
    reply: Reply? = nil, after time: Duration = .zero, messages: MessageLog? = nil, transcript: SocketTranscript? = nil,
    openNumber: Int? = nil
  ) -> ServedRequest {
    ServedRequest(
      startedAt: startedAt, microseconds: microseconds + time.wholeMicroseconds, request: sharedRequest,
      body: body, reply: reply ?? self.reply, status: status, messages: messages ?? self.messages,
      transcript: transcript ?? self.transcript, openNumber: openNumber ?? self.openNumber)
  }

  /// What the journal needs for it, in bytes, about.
  var size: Int {
    Self.overhead + (body?.count ?? 0) + reply.body.count + (messages?.totals.held ?? 0)
      + (transcript?.totals.held ?? 0) + target.utf8.count
      + (sharedRequest?.fieldBytes ?? 0)
  }

  private static let overhead = 1_024

  /// In microseconds since 1970.
  var endedAt: Int { startedAt &+ microseconds }

  package var duration: Duration { .microseconds(microseconds) }

  /// Empty for an exchange without a request.
  package var method: String { request?.method.rawValue ?? "" }
  /// The path and query; empty if there is no request.
  package var target: String { request?.path ?? "" }
}
