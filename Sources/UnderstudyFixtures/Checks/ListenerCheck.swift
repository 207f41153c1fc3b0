/// The handlers of events are there before the socket connects.
enum ListenerCheck: SocketCheck {
  static let rule = Rule(
    "check.listener-before-connect", .error, owner: .client,
    "A client missed an event that came right after it connected",
    help: """
      A handler that is added after `connect` misses what the server sends at once. When the mock sends `event` before the \
      client has sent anything, as by a rule `on: connect` or the fault `early`, a client that listens shows it within \
      `interval` (default 5s): it calls one of `operations`, or sends the event `answer`. \
      `listener-before-connect: {event: chat, answer: seen}`. It needs `event`, and `answer` or `operations`.
      """)
  static let defaults = ClientCheckSettings(rule, interval: .seconds(5))
  static let required = ["event"]
  static let optional = ["answer"]

  static func problem(of settings: ClientCheckSettings) -> String? {
    settings.answer == nil && settings.operations.isEmpty ? missing(["answer` or `operations"]) : nil
  }

  static func breaches(of history: SocketHistory, at time: Int, _ settings: ClientCheckSettings) -> [SocketBreach] {
    let limit = settings.interval ?? 0
    return history.frames.filter { $0.kind == .connected }.compactMap { connected in
      let own = history.frames(of: connected).filter { $0.number > connected.number }
      let early = own.prefix { $0.kind == .sent }.first { $0.event == settings.event }
      guard let early, time - early.time > limit, settings.operations.isEmpty || early.time > history.start,
        // A socket that the mock has ended cannot answer any more.
        history.end(of: connected).map({ $0.time - early.time > limit }) ?? true
      else { return nil }
      let times = early.time...early.time + limit
      let hasAnswered = own.contains { $0.kind == .received && $0.event == settings.answer && times.contains($0.time) }
      let hasCalled = !settings.operations.isEmpty && history.success(of: settings, in: times) != nil
      guard !hasAnswered, !hasCalled else { return nil }
      return SocketBreach(
        frame: early.number,
        message:
          "`\(settings.event ?? "")` came before the client had sent anything, and nothing followed from it within "
          + ClientCheckTime.text(limit),
        help: "add the handlers of all events before `connect`", proof: [connected.text, early.text])
    }
  }
}
