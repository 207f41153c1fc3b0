/// Polling has a pause.
enum PollIntervalCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.poll-interval", .error, "A client polled too fast",
    help: """
      Two GET requests for the same target within `interval` (default 5s) are too many. Name the operations that are \
      polled, as in `poll-interval: {operations: [readQueueState], interval: 5s}`; without them the check is about every \
      GET. A request may come a tenth of the interval early, as timers do.
      """,
    breaking: ["0s GET /pets -> 200\n2s GET /pets -> 200": "2"],
    keeping: [
      "0s GET /pets -> 200\n5s GET /pets -> 200\n9.9s GET /pets -> 200", "0s GET /pets -> 200\n1s GET /pets/7 -> 200",
    ])
  static let defaults = ClientCheckSettings(rule, interval: .seconds(5))

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard exchange.isSafe, settings.covers(exchange),
      let last = earlier.last(where: { $0.isRepeated(by: exchange) && $0.credential == exchange.credential })
    else { return nil }
    let interval = settings.interval ?? 0
    guard exchange.time - last.time < interval - interval / 10 else { return nil }
    return ClientCheckBreach(
      message: "the same request came again after \(ClientCheckTime.text(exchange.time - last.time)); "
        + "at least \(ClientCheckTime.text(interval)) are expected",
      help: "wait for the answer, then for the interval, before the next request", proof: last)
  }
}
