/// A retry waits, and each waits longer.
enum RetryBackoffCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.retry-backoff", .error, "A client repeated a failing request too soon",
    help: """
      A retry after a 408, 429, 5xx or a broken connection waits, and the wait doubles with each try. `interval` is the \
      wait before the first retry (default 500ms); the n-th has to wait for half of `interval` times 2^(n-1) at least, \
      which leaves room for random jitter. The retry after a 401 may follow at once.
      """,
    breaking: [
      "0s GET /pets -> 503\n0.1s GET /pets -> 200": "2",
      "0s GET /pets -> 503\n0.5s GET /pets -> 503\n0.9s GET /pets -> 503\n1.4s GET /pets -> 503": "3 4",
    ],
    keeping: ["0s GET /pets -> 503\n0.5s GET /pets -> 503\n1.5s GET /pets -> 503\n3.5s GET /pets -> 200"])
  static let defaults = ClientCheckSettings(rule, interval: .milliseconds(500))

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    let tries = Array(
      earlier.reversed().lazy.filter { $0.isRepeated(by: exchange) }.prefix { $0.invitesRetry && $0.status != 401 })
    guard let last = tries.first, settings.covers(last) else { return nil }
    let wait = ((settings.interval ?? 0) / 2) << min(tries.count - 1, 20)
    guard exchange.time - last.time < wait else { return nil }
    return ClientCheckBreach(
      message: "retry \(tries.count) came \(ClientCheckTime.text(exchange.time - last.time)) after the failure; "
        + "at least \(ClientCheckTime.text(wait)) are expected",
      help: "wait before a retry, and twice as long before each further one", proof: last)
  }
}
