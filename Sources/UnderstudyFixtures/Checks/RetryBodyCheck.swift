/// A retry has the body of the request that failed.
enum RetryBodyCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.retry-body", .error, "A client repeated a request with another body",
    help: """
      A request that is repeated after a 401, 408, 429 or 5xx has to be the same: a body that was read once, such as a \
      stream, is empty the second time. A request to the same target after `interval` (default 10s) counts as a new one.
      """,
    breaking: [
      "0s POST /pets, Authorization: Bearer a, {\"name\": \"Tom\"} -> 401\n1s POST /pets, Authorization: Bearer b -> 400":
        "2"
    ],
    keeping: [
      """
      0s POST /pets, Authorization: Bearer a, {"name": "Tom"} -> 401
      1s POST /pets, Authorization: Bearer b, {"name": "Tom"} -> 201
      60s POST /pets, Authorization: Bearer b, {"name": "Kim"} -> 201
      """
    ])
  static let defaults = ClientCheckSettings(rule, interval: .seconds(10))

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard let failed = earlier.last(where: { $0.isSameTarget(as: exchange) }), failed.invitesRetry, !failed.isSafe,
      settings.covers(failed), exchange.time - failed.time <= settings.interval ?? 0, failed.body != exchange.body
    else { return nil }
    return ClientCheckBreach(
      message:
        "the request was repeated after \(failed.isBroken ? "no answer" : "a \(failed.status)") with another body",
      help: "keep the body until the request has succeeded", proof: failed)
  }
}
