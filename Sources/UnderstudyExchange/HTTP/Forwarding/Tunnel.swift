/// A connection to another server after a change of protocol: bytes in both directions.
package protocol Tunnel: Sendable {
  /// The next bytes of the server; `nil` once it has closed the connection.
  func read() async throws -> [UInt8]?

  /// Sends bytes, and returns when few of them are left to send. After the end of the connection they are dropped.
  func write(_ bytes: [UInt8]) async

  func close()
}

package enum TunnelResponse: Sendable {
  /// 101, with the connection.
  case open(HTTPResponse, any Tunnel)
  /// Any other response, with the beginning of its body.
  case refused(HTTPResponse, [UInt8])
}

/// Asks another server to change the protocol (RFC 9110, 7.8). Throws `UpstreamFailure` without a response.
package typealias TunnelTransport = @Sendable (HTTPRequest) async throws -> TunnelResponse
