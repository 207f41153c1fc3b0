/// A request that a newer one replaces is cancelled.
enum CancelledCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.cancelled", .error, "A client asked again while its earlier request was still running",
    help: """
      Text that is typed into a search, a screen that opens again, a timer that does not wait for the last answer: the new \
      request takes the place of the earlier one, which the client has to cancel, so that its connection closes. Otherwise \
      both answers arrive, in any order, and an old one may overwrite a new one. Two requests of a user for the same path \
      must not wait for their answers together for longer than `interval` (default 500ms), even if their queries or bodies \
      differ. Answers have to take time for this, as with `--delay searchPets=2s`; those of an upstream do not count. \
      Without `operations` the check is about every GET, with them about these alone: leave out what a client asks for side \
      by side, such as the pages of a list.
      """,
    breaking: [
      """
      0s GET /pets?name=T -> 200 after 2s
      0.3s GET /pets?name=To -> 200 after 2s
      """: "1",
      """
      0s GET /pets?name=T -> left after 1.5s
      0.3s GET /pets?name=To -> 200 after 2s
      """: "1",
    ],
    keeping: [
      """
      0s GET /pets?name=T -> left after 0.3s
      0.3s GET /pets?name=To -> 200 after 2s
      """,
      "0s GET /pets -> 200 after 2s\n1.8s GET /pets -> 200 after 2s",
      "0s GET /pets/7 -> 200 after 2s\n0.1s GET /pets/8 -> 200 after 2s",
      "0s GET /pets, Authorization: a -> 200 after 2s\n0.1s GET /pets, Authorization: b -> 200 after 2s",
    ])
  static let defaults = ClientCheckSettings(rule, interval: .milliseconds(500))
  static let checksEnds = true

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? { nil }

  static func breach(
    atEndOf exchange: RequestDigest, before later: ArraySlice<RequestDigest>, at time: Int,
    _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard settings.covers(exchange), !settings.operations.isEmpty || exchange.isSafe,
      let newer = later.first(where: {
        $0.operation == exchange.operation && $0.isSameTarget(as: exchange) && $0.credential == exchange.credential
      }),
      time - newer.time > settings.interval ?? 0
    else { return nil }
    return ClientCheckBreach(
      message: "a request was still under way \(ClientCheckTime.text(time - newer.time)) after the client had asked "
        + "again",
      help: "cancel the earlier request, so that its connection closes, or wait for its answer", proof: newer)
  }
}
