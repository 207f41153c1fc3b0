/// A retry has the idempotency key of the first try, and another request has another one.
enum IdempotencyKeyCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.idempotency-key", .error, "A client used an idempotency key in a wrong way",
    help: """
      `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) shows a server that a POST is the same as one whose \
      answer was lost. A retry has the same key, or the server does the work twice; another request has a new key, or the \
      server ignores it.
      """,
    breaking: [
      """
      0s POST /pets, Idempotency-Key: "1", {"name": "Tom"} -> 503
      2s POST /pets, Idempotency-Key: "2", {"name": "Tom"} -> 201
      """: "2",
      """
      0s POST /pets, Idempotency-Key: "1", {"name": "Tom"} -> 201
      2s POST /pets, Idempotency-Key: "1", {"name": "Kim"} -> 201
      """: "2",
    ],
    keeping: [
      """
      0s POST /pets, Idempotency-Key: "1", {"name": "Tom"} -> 503
      2s POST /pets, Idempotency-Key: "1", {"name": "Tom"} -> 201
      3s POST /pets, Idempotency-Key: "2", {"name": "Kim"} -> 201
      """
    ])
  static let defaults = ClientCheckSettings(rule)

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard settings.covers(exchange), !exchange.isSafe else { return nil }
    if let key = exchange.idempotencyKey,
      let other = earlier.last(where: { $0.idempotencyKey == key && !$0.isRepeated(by: exchange) })
    {
      return ClientCheckBreach(
        message: "the idempotency key of another request was used again",
        help: "make a new key for each request that is not a retry", proof: other)
    }
    guard let failed = earlier.last(where: { $0.isRepeated(by: exchange) }), failed.invitesRetry, failed.status != 401,
      failed.idempotencyKey != exchange.idempotencyKey
    else { return nil }
    return ClientCheckBreach(
      exchange.idempotencyKey, missing: "the retry has no idempotency key, but the first try had one",
      wrong: "the retry has another idempotency key than the first try",
      help: "keep the key until the request has succeeded", proof: failed)
  }
}
