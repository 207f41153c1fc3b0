/// The heartbeat of a session: the server pings in version 4, the client in version 3. Deadlines follow from times at
/// which something was due, not from a timer's.
struct EngineHeartbeat: Sendable {
  enum Due: Sendable { case ping, timeout }

  private let settings: EngineSettings
  private let serverPings: Bool
  private(set) var deadline: Duration
  private var awaitsPong = false

  init(_ version: EngineVersion, _ settings: EngineSettings, at now: Duration) {
    self.settings = settings
    serverPings = version == .four
    deadline = now + settings.pingInterval + (serverPings ? .zero : settings.pingTimeout)
  }

  /// Returns what is due; at a time long after both, the timeout.
  mutating func advance(to now: Duration) -> Due? {
    guard now >= deadline else { return nil }
    guard serverPings, !awaitsPong else { return .timeout }
    awaitsPong = true
    deadline += settings.pingTimeout
    return now >= deadline ? .timeout : .ping
  }

  /// The client answered a ping, or sent one.
  mutating func answered(at now: Duration) {
    awaitsPong = false
    deadline = now + settings.pingInterval + (serverPings ? .zero : settings.pingTimeout)
  }
}
