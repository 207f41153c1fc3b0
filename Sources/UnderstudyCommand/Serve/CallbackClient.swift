import UnderstudyMock
import UnderstudySystem
import UnderstudyVerification

/// The HTTP client of callbacks, made for the first of them: a mock seldom sends any, and loading libcurl takes time.
final class CallbackClient: Sendable {
  private let client = Lock<UpstreamClient?>(nil)

  /// The time limit for a whole exchange with a receiver.
  private static let timeout = Duration.seconds(10)

  func transport() throws -> Transport {
    try client.withLock { client in
      if let client { return client.transport }
      let made = try UpstreamClient(
        timeout: Self.timeout, setting: "the limit of callbacks", limitsWhole: true,
        connections: CallbackSender.runningLimit)
      client = made
      return made.transport
    }
  }

  func shutdown() async { await client.withLock { $0.take() }?.shutdown() }
}
