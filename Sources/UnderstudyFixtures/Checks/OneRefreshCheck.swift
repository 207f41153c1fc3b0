/// After a 401 the client refreshes its token once.
enum OneRefreshCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.one-refresh", .error, "A client refreshed its token more than once after a 401",
    help: """
      Several requests that get 401 at about the same time share one refresh. Where each starts its own, several new tokens \
      turn up within seconds, and a server that rotates refresh tokens ends the session. `interval` is the time in which \
      one new token may turn up (default 5s).
      """,
    breaking: [
      """
      0s GET /pets, Authorization: Bearer a -> 401
      0.1s GET /pets/7, Authorization: Bearer a -> 401
      1s GET /pets, Authorization: Bearer b -> 200
      1.1s GET /pets/7, Authorization: Bearer c -> 200
      """: "4"
    ],
    keeping: [
      """
      0s GET /pets, Authorization: Bearer a -> 401
      0.1s GET /pets/7, Authorization: Bearer a -> 401
      1s GET /pets, Authorization: Bearer b -> 200
      1.1s GET /pets/7, Authorization: Bearer b -> 200
      3700s GET /pets, Authorization: Bearer b -> 401
      3701s GET /pets, Authorization: Bearer c -> 200
      """
    ])
  static let defaults = ClientCheckSettings(rule, interval: .seconds(5))

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard exchange.credential != nil, let refused = earlier.last(at: { earlier[$0].status == 401 }),
      // The first use of another token after the 401.
      let first = earlier.first(where: {
        $0.number > refused.number && $0.credential != nil && $0.credential != refused.credential
      }),
      first.credential != exchange.credential, exchange.credential != refused.credential,
      !earlier.contains(where: { $0.credential == exchange.credential }),
      exchange.time - first.time <= settings.interval ?? 0
    else { return nil }
    return ClientCheckBreach(
      message: "a second new credential was sent after the 401 of request \(refused.number)",
      help: "let all requests that get 401 wait for the same refresh", proof: first)
  }
}
