/// A request that a server answered.
package struct ServedExchange: Sendable {
  /// When the request's head arrived, in microseconds since 1970.
  package var startedAt: Int
  /// From the request's head until the answer was handed to the socket, including the delay.
  package var duration: Duration
  /// `nil` if the request was refused before its head could be read.
  package var request: HTTPRequest?
  /// The body of the request; `nil` if it was too long to be held.
  package var body: [UInt8]?
  package var reply: Reply
  /// `nil` if the client got no status, because of a fault or because it left.
  package var status: Int?
  /// The last messages of an answer that was sent on while it arrived.
  package var messages: MessageLog?

  package init(
    startedAt: Int, duration: Duration, request: HTTPRequest?, body: [UInt8]?, reply: Reply, status: Int?
  ) {
    self.startedAt = startedAt
    self.duration = duration
    self.request = request
    self.body = body
    self.reply = reply
    self.status = status
  }

  /// Empty for an exchange without a request.
  package var method: String { request?.method.rawValue ?? "" }
  /// The path and query; empty if there is no request.
  package var target: String { request?.path ?? "" }
}
