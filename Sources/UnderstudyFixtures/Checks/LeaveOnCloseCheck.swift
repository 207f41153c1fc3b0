/// A socket is closed when the client has no more use for it.
enum LeaveOnCloseCheck: SocketCheck {
  static let rule = Rule(
    "check.leave-on-close", .error, owner: .client, "A client kept a socket that it has no more use for",
    help: """
      After one of `operations` succeeded, such as the end of a match or the withdrawal of a user, the client ends its \
      sockets within `interval` (default 5s): \
      `leave-on-close: {operations: [dodgeStudy, withdraw], interval: 2s}`. It needs `operations`.
      """)
  static let defaults = ClientCheckSettings(rule, interval: .seconds(5))
  static let required = ["operations"]

  static func breaches(of history: SocketHistory, at time: Int, _ settings: ClientCheckSettings) -> [SocketBreach] {
    guard !settings.operations.isEmpty else { return [] }
    let limit = settings.interval ?? 0
    return history.frames.filter { $0.kind == .connected }.compactMap { connected in
      let end = history.end(of: connected)
      let cause = history.exchanges.first {
        $0.isSuccess && settings.covers($0) && $0.time >= connected.time && end.map(\.time) ?? .max > $0.time
      }
      guard let cause, (end?.time ?? time) - cause.time > limit else { return nil }
      return SocketBreach(
        frame: connected.number,
        message: "the socket was open \(ClientCheckTime.text((end?.time ?? time) - cause.time)) after "
          + "`\(cause.operation ?? "")` had ended its use",
        help: "disconnect when the screen is left, and do not connect again",
        proof: [connected.text, "request \(cause.number): \(cause.text)"] + (end.map { [$0.text] } ?? []))
    }
  }
}
