/// One timer polls, not several.
enum OnePollerCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.one-poller", .error, "Several timers of a client poll at the same time",
    help: """
      A timer that is started with each visit of a screen, and not stopped when it is left, adds up: the requests of two \
      timers alternate, each at its own pace. Reported is a request that comes an `interval` (default 5s) after the one \
      before the last, as if the one between were another timer's.
      """,
    breaking: ["0s GET /pets -> 200\n2s GET /pets -> 200\n5s GET /pets -> 200\n7s GET /pets -> 200": "3 4"],
    keeping: [
      "0s GET /pets -> 200\n5s GET /pets -> 200\n10s GET /pets -> 200", "0s GET /pets -> 200\n1s GET /pets -> 200",
    ])
  static let defaults = ClientCheckSettings(rule, interval: .seconds(5))

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard exchange.isSafe, settings.covers(exchange) else { return nil }
    let polls = earlier.reversed().lazy.filter {
      $0.isRepeated(by: exchange) && $0.credential == exchange.credential
    }.prefix(2)
    let interval = settings.interval ?? 0
    guard polls.count == 2, let between = polls.first, let last = polls.dropFirst().first,
      abs(exchange.time - last.time - interval) <= interval / 10, between.time > last.time
    else { return nil }
    return ClientCheckBreach(
      message: "a request of another timer came \(ClientCheckTime.text(exchange.time - between.time)) before, "
        + "within the interval of \(ClientCheckTime.text(interval))",
      help: "keep one timer, and stop it when the screen is left", proof: between)
  }
}
