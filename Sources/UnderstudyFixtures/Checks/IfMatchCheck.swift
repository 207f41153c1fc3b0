/// A change names the version that the client has seen.
enum IfMatchCheck: ClientCheck {
  static let rule = Rule.ofClient(
    "check.if-match", .error, "A client changed a resource without naming the version that it has read",
    help: """
      A resource with an `ETag` is changed by PUT, PATCH or DELETE with `If-Match` and the tag that the client has read \
      (RFC 9110, 13.1.1). Without it, or with an old tag, the change of another user is lost.
      """,
    breaking: [
      "0s GET /pets/7 -> 200, ETag: \"1\"\n1s DELETE /pets/7 -> 204": "2",
      """
      0s GET /pets/7 -> 200, ETag: "1"
      1s GET /pets/7 -> 200, ETag: "2"
      2s DELETE /pets/7, If-Match: "1" -> 204
      """: "3",
    ],
    keeping: [
      "0s GET /pets/7 -> 200, ETag: \"1\"\n1s DELETE /pets/7, If-Match: \"1\" -> 204",
      "0s GET /pets/7 -> 200\n1s DELETE /pets/7 -> 204",
    ])
  static let defaults = ClientCheckSettings(rule)

  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? {
    guard ["PUT", "PATCH", "DELETE"].contains(exchange.method), settings.covers(exchange),
      let read = earlier.last(where: {
        $0.isSamePath(as: exchange) && !$0.isBroken && 200...299 ~= $0.status
      }), let tag = read.entityTag, exchange.ifMatch != tag
    else { return nil }
    return ClientCheckBreach(
      exchange.ifMatch, missing: "the request has no If-Match, but the resource had an ETag",
      wrong: "If-Match is not the ETag of the last answer",
      help: "send the ETag of the last answer as If-Match", proof: read)
  }
}
