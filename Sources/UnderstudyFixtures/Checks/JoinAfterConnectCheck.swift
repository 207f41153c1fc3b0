/// A client says who it is as soon as its socket is connected.
enum JoinAfterConnectCheck: SocketCheck {
  static let rule = Rule(
    "check.join-after-connect", .error, owner: .client, "A client did not say who it is after its socket connected",
    help: """
      After each connection, the first one and every later one, the client sends `event` with its own id, as its first \
      event and within `interval` (default 5s): until then nothing reaches it. With `offer`, which names an operation and \
      a place in its answers, the id must be one of these: \
      `join-after-connect: {event: changesocketid, offer: readUser/uid}`.
      """)
  static let defaults = ClientCheckSettings(rule, interval: .seconds(5))
  static let required = ["event"]
  static let optional = ["offer"]

  static func breaches(of history: SocketHistory, at time: Int, _ settings: ClientCheckSettings) -> [SocketBreach] {
    guard let event = settings.event else { return [] }
    let limit = settings.interval ?? 0
    return history.frames.filter { $0.kind == .connected }.compactMap { connected in
      let own = history.frames(of: connected).filter { $0.number > connected.number }
      let first = own.first { $0.kind == .received || $0.kind == .left }
      guard let first else {
        // The mock may have ended the connection before the client could say anything.
        guard time - connected.time > limit, !own.contains(where: \.isEnd) else { return nil }
        return SocketBreach(
          frame: connected.number,
          message: "no `\(event)` came within \(ClientCheckTime.text(limit)) after the socket connected",
          help: "send it from the handler of `connect`", proof: [connected.text])
      }
      guard first.kind == .received, first.event == event else {
        return SocketBreach(
          frame: connected.number, message: "the first event of the socket was not `\(event)`",
          help: "send it from the handler of `connect`, before anything else",
          proof: [connected.text, first.text])
      }
      guard first.time - connected.time <= limit else {
        return SocketBreach(
          frame: connected.number,
          message: "`\(event)` came \(ClientCheckTime.text(first.time - connected.time)) after the socket connected",
          help: "send it from the handler of `connect`", proof: [connected.text, first.text])
      }
      return mismatch(first, connected, history, settings)
    }
  }

  /// The id of another user, or something else than an id.
  private static func mismatch(
    _ joined: CheckedFrame, _ connected: CheckedFrame, _ history: SocketHistory, _ settings: ClientCheckSettings
  ) -> SocketBreach? {
    guard let offer = settings.offer, let value = joined.value else { return nil }
    let name = offer.utf8.prefix { $0 != UInt8(ascii: "/") }
    let offering = history.exchanges.filter {
      $0.operation?.utf8.elementsEqual(name) == true && $0.time <= joined.time && !$0.offered.isEmpty
    }
    guard let last = offering.last, !offering.contains(where: { $0.offered.contains(value) }) else { return nil }
    return SocketBreach(
      frame: joined.number, message: "the id of `\(settings.event ?? "")` is not that of `\(offer)`",
      help: "send the id of the user who is logged in, not a token or a constant",
      proof: ["request \(last.number): \(last.text)", connected.text, joined.text])
  }
}
