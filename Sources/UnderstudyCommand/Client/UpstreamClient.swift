package import Understudy

/// The one client that this program has: it takes requests to the upstream of `serve`, and to the server that `verify` asks.
package struct UpstreamClient: Sendable {
  private let loop: CurlLoop
  private let limit: Duration?

  /// - Parameters:
  ///   - timeout: the longest silence within an exchange, and the longest time to connect.
  ///   - setting: the option that sets it, for messages.
  ///   - limitsWhole: whether the exchange as a whole may take no longer either.
  ///   - certificates: PEM, trusted beside those of the system.
  package init(
    timeout: Duration, setting: String = "--upstream-timeout", limitsWhole: Bool = false,
    trusting certificates: [UInt8] = []
  ) {
    limit = limitsWhole ? timeout : nil
    loop = CurlLoop(
      TransferSettings(timeout: timeout, setting: setting, authorities: Authorities.system(and: certificates)))
  }

  /// Sends a request. The exchange ends early when its task is cancelled or the body of the answer is released.
  package var transport: Transport {
    { [loop, limit] request, body in
      let exchange = try OutboundExchange(request, body, deadline: limit.map { .now + $0 })
      return try await exchange.answer(to: body, by: loop)
    }
  }

  /// Breaks off what still runs, and waits for the end of the client's thread.
  package func shutdown() async { await loop.stop() }
}
