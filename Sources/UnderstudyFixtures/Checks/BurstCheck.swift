/// One tap sends one request.
enum BurstCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.burst", .error, "A client sent several requests at once where one is meant",
    help: """
      More than `limit` requests (default 1) of one operation within `interval` (default 500ms): a double tap, a button \
      that is reused by two rows, a map that asks on every move. Without `operations` the check is about every operation \
      that changes something. A retry of a request that failed does not count.
      """,
    breaking: [
      "0s POST /pets, {\"name\": \"Tom\"} -> 201\n0.05s POST /pets, {\"name\": \"Kim\"} -> 201": "2"
    ],
    keeping: [
      "0s POST /pets, {\"name\": \"Tom\"} -> 201\n0.6s POST /pets, {\"name\": \"Kim\"} -> 201",
      "0s POST /pets, {\"name\": \"Tom\"} -> 401\n0.1s POST /pets, {\"name\": \"Tom\"} -> 201",
      "0s GET /pets -> 200\n0.1s GET /pets -> 200",
    ])
  static let defaults = ClientCheckSettings(rule, limit: 1, interval: .milliseconds(500))

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard settings.covers(exchange), !settings.operations.isEmpty || !exchange.isSafe, exchange.operation != nil
    else { return nil }
    let start = earlier.lastIndex { exchange.time - $0.time >= settings.interval ?? 0 }
    let recent = earlier[(start.map { $0 + 1 } ?? earlier.startIndex)...].filter {
      $0.operation == exchange.operation && $0.credential == exchange.credential
        && !($0.invitesRetry && $0.isRepeated(by: exchange))
    }
    guard let first = recent.first, recent.count >= settings.limit ?? 1 else { return nil }
    return ClientCheckBreach(
      message: "\(recent.count + 1) requests within \(ClientCheckTime.text(exchange.time - first.time)); "
        + "at most \(settings.limit ?? 1) in \(ClientCheckTime.text(settings.interval ?? 0)) are expected",
      help: "ignore further taps until the answer is there, or wait until the input rests", proof: first)
  }
}
