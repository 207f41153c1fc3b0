/// `Retry-After` is obeyed.
enum RetryAfterCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.retry-after", .error, "A client did not wait as long as Retry-After says",
    help: """
      An answer with `Retry-After` (RFC 9110, 10.2.3), such as a 429 or 503, says how many seconds a client has to wait \
      before it calls the operation again, or until when. A date is compared with the `Date` of the answer, else with the \
      clock of the lane.
      """,
    breaking: ["0s GET /pets -> 429, Retry-After: 10\n3s GET /pets -> 200": "2"],
    keeping: ["0s GET /pets -> 429, Retry-After: 10\n3s GET /pets/7 -> 200\n10s GET /pets -> 200"])
  static let defaults = ClientCheckSettings(rule)

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard
      let asked = earlier.last(at: { index in
        guard earlier[index].retryAfter != nil else { return false }
        let candidate = earlier[index]
        return candidate.retryAfter.map { exchange.time - candidate.time < $0 } ?? false
          && (candidate.operation == nil
            ? candidate.isSameTarget(as: exchange) : candidate.operation == exchange.operation)
          && settings.covers(candidate)
      }), let wait = asked.retryAfter
    else { return nil }
    return ClientCheckBreach(
      message: "the request came \(ClientCheckTime.text(exchange.time - asked.time)) after an answer whose Retry-After "
        + "asks for \(ClientCheckTime.text(wait))",
      help: "wait as long as Retry-After says", proof: asked)
  }
}
