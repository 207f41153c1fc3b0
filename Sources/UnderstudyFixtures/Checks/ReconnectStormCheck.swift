/// A socket that is refused or lost is not opened again at once, and not for ever.
enum ReconnectStormCheck: SocketCheck {
  static let rule = Rule(
    "check.reconnect-storm", .error, owner: .client, "A client connected its socket again too often",
    help: """
      A client whose connection is refused or lost waits longer with each try; otherwise each outage becomes an attack by \
      one's own clients. `limit` is the number of lost or refused connections within `interval` (default 3 within 10s) \
      after which it may try again. Sockets that connect with the same credentials count as one client; of a client with \
      several open sockets each may try so often.
      """)
  static let defaults = ClientCheckSettings(rule, limit: 3, interval: .seconds(10))

  static func breaches(of history: SocketHistory, at time: Int, _ settings: ClientCheckSettings) -> [SocketBreach] {
    let starts = history.frames.filter { $0.kind == .connected || $0.kind == .refused }
    return starts.compactMap { start in
      let earlier = starts.filter {
        $0.client == start.client && $0.number < start.number && $0.namespace == start.namespace
          && start.time - $0.time <= settings.interval ?? 0
      }
      guard earlier.count > settings.limit ?? 0 else { return nil }
      let ended = earlier.filter { history.end(of: $0).map { $0.number < start.number } ?? false }
      let limit = (settings.limit ?? 0) * max(1, mostOpen(earlier, history))
      guard ended.count > limit, let first = ended.first else { return nil }
      return SocketBreach(
        frame: first.number,
        message: "the client connected \(ended.count + 1) times within "
          + "\(ClientCheckTime.text(start.time - first.time)), although each connection was lost or refused",
        help: "wait longer with each try, and add a random time",
        proof: ended.compactMap { history.end(of: $0)?.text } + [start.text])
    }
  }

  /// The most of these sockets that were open at a time.
  private static func mostOpen(_ starts: [CheckedFrame], _ history: SocketHistory) -> Int {
    var (open, most) = (0, 0)
    let changes = starts.filter { $0.kind == .connected }.flatMap { start -> [(Int, Int)] in
      [(start.number, 1)] + (history.end(of: start).map { [($0.number, -1)] } ?? [])
    }
    for (_, change) in changes.sorted(by: { $0.0 < $1.0 }) {
      open += change
      most = max(most, open)
    }
    return most
  }
}
