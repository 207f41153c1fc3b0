/// After a 401 a request needs another credential.
enum RetryAfter401Check: ClientCheck {
  static let rule = Rule.ofClient(
    "check.retry-after-401", .error, "A client sent a credential again that had got a 401",
    help: """
      The token is refreshed first, then the request is repeated with the new one: a refresh is asynchronous, and a retry \
      that does not wait for it sends the old token, gets 401 again, and may do so for ever (RFC 9110, 15.5.2). Other \
      requests may have been under way: they may come with the old token within `interval` (default 1s) of the 401.
      """,
    breaking: [
      "0s GET /pets, Authorization: Bearer a -> 401\n0.1s GET /pets, Authorization: Bearer a -> 401": "2",
      "0s GET /pets, Authorization: Bearer a -> 401\n2s GET /pets/7, Authorization: Bearer a -> 401": "2",
    ],
    keeping: [
      "0s GET /pets, Authorization: Bearer a -> 401\n0.1s GET /pets, Authorization: Bearer b -> 200",
      "0s GET /pets, Authorization: Bearer a -> 401\n0.1s GET /pets/7, Authorization: Bearer a -> 401",
      "0s GET /pets, Authorization: Bearer a -> 200\n0.1s GET /pets, Authorization: Bearer a -> 200",
    ])
  static let defaults = ClientCheckSettings(rule, interval: .seconds(1))

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard
      let refused = earlier.last(at: {
        earlier[$0].status == 401 && !earlier[$0].isBroken && earlier[$0].credential == exchange.credential
          && settings.covers(earlier[$0])
          && (earlier[$0].isSameTarget(as: exchange)
            || earlier[$0].credential != nil && exchange.time - earlier[$0].time > settings.interval ?? 0)
      })
    else { return nil }
    return ClientCheckBreach(
      exchange.credential, missing: "the request was repeated without a credential after a 401",
      wrong: "the credential that got a 401 was sent again",
      help: "refresh the token, wait for it, and repeat the request with the new one", proof: refused)
  }
}
