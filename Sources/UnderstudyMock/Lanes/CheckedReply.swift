extension RequestDigest {
  /// The maximum wait that `Retry-After` requests, in seconds.
  private static let waitLimit = 86_400

  init(
    _ request: HTTPRequest, _ body: [UInt8], _ view: RequestView?, _ reply: Reply, number: Int, at time: Int,
    _ checks: [ClientCheckSettings]
  ) {
    self.init(
      number: number, time: time, operation: reply.operation?.id, method: request.method.rawValue,
      target: request.path ?? "", status: reply.status, isBroken: reply.fault != nil && reply.fault != .drip,
      body: StableHash.fold(body, onto: StableHash.start))
    due = reply.fault?.pace == nil && reply.fault?.hangs != true ? time &+ reply.delay.wholeMicroseconds : nil
    isUnderWay = due != time && checks.contains { ClientChecks.named($0.rule)?.checksEnds == true }
    let headers = request.headerFields
    func hash(_ name: String) -> UInt64? {
      let lines = headers.lines(named: name)
      return lines.isEmpty ? nil : StableHash.of(lines)
    }
    let credentials = (reply.operation?.credentialNames ?? ["authorization"]).compactMap(hash)
    credential = credentials.isEmpty ? nil : credentials.reduce(StableHash.start) { ($0 ^ $1) &* 0x100_0000_01B3 }
    idempotencyKey = hash("idempotency-key")
    ifMatch = hash("if-match")
    let answer = reply.response.headerFields
    let tag = answer.lines(named: "etag")
    entityTag = tag.isEmpty ? nil : StableHash.of(tag)
    retryAfter = Self.retryAfter(answer, at: time)
    for name in checks.flatMap(\.fields) {
      guard let values = view?.values(.body, name), !values.isEmpty else { continue }
      fields[name] = StableHash.of(values)
    }
    for offer in checks.compactMap(\.offer) {
      offered += OfferedValuesCheck.offered(by: reply.operation?.id, reply.status, reply.body, offer)
    }
  }

  /// The wait that a response requests: seconds, or until a date (RFC 9110, 10.2.3), from `time` without a `Date`.
  private static func retryAfter(_ answer: HTTPFields, at time: Int) -> Int? {
    guard let text = answer.lines(named: "retry-after").first else { return nil }
    if let seconds = Int(text) { return min(max(0, seconds), waitLimit) * 1_000_000 }
    guard let end = Timestamp.microseconds(http: text.utf8) else { return nil }
    // `Date` has whole seconds, so the response may be almost a second younger.
    let date = answer.lines(named: "date").first.flatMap { Timestamp.microseconds(http: $0.utf8) }
    return min(max(0, end - (date.map { $0 + 999_999 } ?? time)), waitLimit * 1_000_000)
  }
}
