package enum EngineVersion: Int, Sendable, Hashable, CaseIterable, Codable {
  /// The version of Socket.IO 1 and 2.
  case three = 3
  /// The version of Socket.IO 3 and 4.
  case four = 4

  /// - Parameter query: The parameter `EIO`, without which no version is assumed.
  package init?(query: String?) {
    switch query {
    case "3": self = .three
    case "4": self = .four
    default: return nil
    }
  }
}

/// The settings of an Engine.IO server that the handshake shows, and its limits.
package struct EngineSettings: Sendable, Hashable {
  package var pingInterval: Duration = .seconds(25)
  package var pingTimeout: Duration = .seconds(20)
  /// The longest body of a POST and the longest message, in bytes.
  package var maxPayload = 1_000_000
  /// The time limit of an upgrade, from the handshake of the WebSocket.
  package var upgradeTimeout: Duration = .seconds(10)
  /// The interval at which a waiting poll is ended during an upgrade.
  package var upgradeCheck: Duration = .milliseconds(100)
  package var offersUpgrade = true
  /// The most packets of a response to a poll: python-engineio refuses more.
  package var packetsPerPoll = 16
  /// The most packets that wait for a client that does not poll; more end the session.
  package var queueLimit = 10_000

  package init() {}
}
