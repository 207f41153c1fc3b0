/// What was sent while a socket was away is read by REST.
enum CatchUpCheck: SocketCheck {
  static let rule = Rule(
    "check.catch-up-after-reconnect", .error, owner: .client, "A client did not read what it missed while it was away",
    help: """
      Events of the time without a connection are lost. After each later connection of a client, one of `operations` is \
      called within `interval` (default 5s), or before the lane closes: `catch-up-after-reconnect: {operations: \
      [readChat]}`. It needs `operations`.
      """)
  static let defaults = ClientCheckSettings(rule, interval: .seconds(5))
  static let required = ["operations"]

  static func breaches(of history: SocketHistory, at time: Int, _ settings: ClientCheckSettings) -> [SocketBreach] {
    guard !settings.operations.isEmpty else { return [] }
    let limit = settings.interval ?? 0
    return history.frames.filter { $0.kind == .connected }.compactMap { again in
      let earlier = history.frames.last {
        $0.isEnd && $0.kind != .refused && $0.client == again.client && $0.number < again.number
          && $0.namespace == again.namespace
      }
      guard let lost = earlier, again.time > history.start,
        history.success(of: settings, in: again.time...again.time + limit) == nil
      else { return nil }
      let isOver = time - again.time > limit && history.end(of: again).map { $0.time - again.time > limit } ?? true
      guard isOver || history.isWhole && !history.isFollowed(again) else { return nil }
      let names = settings.operations.map { "`\($0)`" }.joined(separator: " or ")
      return SocketBreach(
        frame: again.number,
        message: "the client connected again after \(ClientCheckTime.text(again.time - lost.time)), and did not call "
          + "\(names) " + (isOver ? "within \(ClientCheckTime.text(limit))" : "before the lane closed"),
        help: "read what came meanwhile, once the socket is connected", proof: [lost.text, again.text])
    }
  }
}
