import NIOCore
package import Understudy

/// A request and what became of it, for whoever prints or counts them.
package struct Exchange: Sendable {
  /// As the client wrote it; empty if the request was refused before it could be read.
  package let method: String
  /// The path and query; empty if the request was refused before it could be read.
  package let target: String
  /// Nil if the client saw no status at all, because of a fault or because it left.
  package let status: Int?
  /// From the request's head to the moment the answer was handed to the socket, delay included.
  package let duration: Duration
  /// When the request's head came, in microseconds since 1970.
  package let startedAt: Int
  package let reply: Reply
  /// As the client sent it; nil if it was refused before it could be read.
  package let request: HTTPRequest?
  /// Of the request; nil if it was too long to be held.
  package let body: [UInt8]?
  let remoteAddress: SocketAddress?

  /// The client's address and port, `127.0.0.1:51234`.
  package var remote: String {
    guard let remoteAddress, let host = remoteAddress.ipAddress, let port = remoteAddress.port else { return "unknown" }
    return remoteAddress.protocol == .inet6 ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
