/// The connections to an upstream.
struct ClientSettings {
  /// The longest silence.
  var timeout: Duration
  /// Whether requests are sent by HTTP/2.
  var usesHTTP2 = false
  /// The most connections at a time.
  var connections = UpstreamClient.defaultConnections
  /// Certificates (PEM) that are trusted besides those of the system.
  var trusted: [UInt8] = []
  /// The path of the socket that connections use instead of the host of a URL; `nil` if they use TCP.
  var socket: String?
}
