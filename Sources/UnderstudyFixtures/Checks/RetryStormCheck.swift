/// A request is not repeated for ever.
enum RetryStormCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.retry-storm", .error, "A client repeated a failing request too often",
    help: """
      A request that fails again and again is given up after some tries, or each outage becomes an attack by one's own \
      clients. `limit` is the number of retries of one request in a row (default 3).
      """,
    breaking: [
      """
      0s GET /pets -> 503
      1s GET /pets -> 503
      2s GET /pets -> 503
      4s GET /pets -> 503
      8s GET /pets -> 503
      """: "5"
    ],
    keeping: [
      "0s GET /pets -> 503\n1s GET /pets -> 503\n3s GET /pets -> 503\n7s GET /pets -> 503",
      """
      0s GET /pets -> 503
      1s GET /pets -> 503
      2s GET /pets -> 200
      60s GET /pets -> 503
      61s GET /pets -> 503
      63s GET /pets -> 503
      67s GET /pets -> 200
      """,
    ])
  static let defaults = ClientCheckSettings(rule, limit: 3)

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard settings.covers(exchange) else { return nil }
    // The tries of this request, the newest first, until one succeeded. Another token does not make it another request.
    let tries = Array(earlier.reversed().lazy.filter { $0.isRepeated(by: exchange) }.prefix { $0.invitesRetry })
    guard let first = tries.last, tries.count > settings.limit ?? 0 else { return nil }
    return ClientCheckBreach(
      message: "the request was repeated \(tries.count.counted("time")) although every try failed; "
        + "at most \(settings.limit ?? 0) are expected",
      help: "give up after some tries, and show the user an error", proof: first)
  }
}
