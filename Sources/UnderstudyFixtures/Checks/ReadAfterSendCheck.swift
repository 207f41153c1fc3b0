/// What was just sent is not read again as a whole.
enum ReadAfterSendCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.read-after-send", .error, "A client read a list again right after it had added to it",
    help: """
      The answer to a POST has what the client needs to show the new element. A GET of the same path within `interval` \
      (default 1s) after a POST that succeeded loads everything again, after every message.
      """,
    breaking: ["0s POST /pets, {\"name\": \"Tom\"} -> 201\n0.2s GET /pets -> 200": "2"],
    keeping: [
      "0s POST /pets, {\"name\": \"Tom\"} -> 201\n5s GET /pets -> 200",
      "0s POST /pets, {\"name\": \"Tom\"} -> 503\n0.2s GET /pets -> 200",
    ])
  static let defaults = ClientCheckSettings(rule, interval: .seconds(1))

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard exchange.isSafe, settings.covers(exchange),
      let sent = earlier.last(where: { $0.isSamePath(as: exchange) }), sent.method == "POST",
      !sent.isBroken, 200...299 ~= sent.status, exchange.time - sent.time <= settings.interval ?? 0
    else { return nil }
    return ClientCheckBreach(
      message: "the list was read \(ClientCheckTime.text(exchange.time - sent.time)) after something was added to it",
      help: "take the new element from the answer to the POST", proof: sent)
  }
}
