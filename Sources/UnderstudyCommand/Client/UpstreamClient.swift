package import UnderstudyVerification

/// The HTTP client of this program: `serve` uses it for the upstream, and `verify` for the live server.
package struct UpstreamClient: Sendable {
  private let loop: CurlLoop
  private let limit: Duration?
  private let tunnelLoop: TunnelLoop

  /// The most connections to an upstream at a time, unless a setting changes it.
  static let defaultConnections = 256

  /// - Parameters:
  ///   - timeout: The longest silence within an exchange, and the time limit for connecting.
  ///   - setting: The option that sets it, for messages.
  ///   - limitsWhole: Whether the time limit applies to the exchange as a whole, too.
  ///   - connections: The most connections. Further requests wait for one, no longer than `timeout`.
  ///   - usesHTTP2: Whether requests are sent by HTTP/2: with TLS if the server offers it, else by prior knowledge (RFC 9113,
  ///     3.3).
  ///   - certificates: PEM, trusted besides those of the system.
  ///   - socket: The path of a Unix domain socket that replaces host and port of every request.
  /// - Throws: `CommandFailure` if libcurl cannot be loaded, or has no HTTP/2.
  package init(
    timeout: Duration, setting: String = "--upstream-timeout", limitsWhole: Bool = false, connections: Int = 64,
    usesHTTP2: Bool = false, trusting certificates: [UInt8] = [], socket: String? = nil
  ) throws {
    try Curl.load()
    guard !usesHTTP2 || Curl.hasHTTP2 else {
      throw CommandFailure(
        .usage, "this libcurl has no HTTP/2: \(Curl.version)", help: "leave out `--upstream-http 2`, or install another"
      )
    }
    limit = limitsWhole ? timeout : nil
    let settings = TransferSettings(
      timeout: timeout, setting: setting, connections: max(1, connections), usesHTTP2: usesHTTP2,
      authorities: Self.authorities(with: certificates), socket: socket)
    loop = CurlLoop(settings)
    tunnelLoop = TunnelLoop(settings)
  }

  /// Sends a request. The exchange ends early when its task is cancelled or the body of the answer is released.
  package var transport: Transport {
    { [loop, limit] request, body in
      let exchange = try OutboundRequest(request, body, deadline: limit.map { .now + $0 })
      return try await exchange.answer(to: body, by: loop)
    }
  }

  /// Sends a request for another protocol, on a connection of its own.
  package var tunnels: TunnelTransport { { [tunnelLoop] in try await tunnelLoop.open($0) } }

  /// Ends the exchanges whose heads have begun and stay incomplete: the program is about to stop.
  package func quiesce() { loop.send(.quiesce) }

  /// Cancels the exchanges in progress, and waits for the end of the client's threads.
  package func shutdown() async {
    await loop.stop()
    await tunnelLoop.stop()
  }

  /// The certificates of the system and additional ones (PEM); empty if there are none to add, as libcurl finds those
  /// of the system itself.
  private static func authorities(with more: [UInt8]) -> [UInt8] {
    guard !more.isEmpty else { return [] }
    // Named certificates replace the file that libcurl would read, but not the folder of the system.
    guard let path = Curl.authorities, let file = try? FileSystem.read(path) else { return more }
    return file.bytes + [UInt8(ascii: "\n")] + more
  }
}

/// The settings of all transfers of a client.
struct TransferSettings: Sendable {
  /// The longest silence within an exchange.
  var timeout: Duration
  /// The option that sets `timeout`, for messages.
  var setting: String
  /// The most connections.
  var connections: Int
  var usesHTTP2: Bool
  /// All trusted certificates (PEM); empty for those of the system.
  var authorities: [UInt8]
  /// The path of a Unix domain socket; `nil` for TCP.
  var socket: String?

  /// The time limit for a connection: name, address and TLS.
  var connectTimeout: Duration { min(timeout, .seconds(10)) }
}
