import UnderstudyMock
import UnderstudyRecording
import UnderstudyVerification

/// Sends the requests of a recorded session to the upstream again, to find what changes though nothing else does.
struct SessionRepeat {
  /// The requests that are sent again.
  enum Choice: String, CaseIterable {
    /// GET, HEAD and OPTIONS.
    case safe
    /// All, in their order, with the ids that the server gives this time.
    case all
  }

  let mock: Mock
  let transport: Transport
  let choice: Choice

  /// Requests beyond this number are not sent again.
  static let limit = 1000

  func compare(_ session: HeldSession, in comparison: inout SessionComparison) async {
    switch choice {
    case .safe: await repeatSafe(session.exchanges, &comparison)
    case .all: await repeatAll(session.exchanges, &comparison)
    }
  }

  /// Sends every safe request twice, since a later request of the session may have changed what it answers.
  private func repeatSafe(
    _ exchanges: [Exchange], _ comparison: inout SessionComparison
  ) async {
    let lastChange = exchanges.lastIndex { !Self.isSafe($0) } ?? -1
    var last: [String: Int] = [:]
    for (index, exchange) in exchanges.enumerated() {
      if Self.isSafe(exchange) { last[Self.key(exchange), default: index] = index }
    }
    for _ in 0..<exchanges.count(where: { !Self.isSafe($0) }) {
      comparison.skip("it may change something: `--twice all` sends it again as well")
    }
    let chosen = last.values.sorted().filter { Self.isRepeatable(exchanges[$0], &comparison) }
    for _ in chosen.dropFirst(Self.limit) { comparison.skip("only \(Self.limit) requests are sent again") }
    var second = HeldSession()
    var asked: [Int] = []
    for index in chosen.prefix(Self.limit) {
      guard let answer = await answer(to: exchanges[index], &comparison) else { continue }
      if index > lastChange { comparison.compare(exchanges[index], answer) }
      second.add(answer, isOwn: true)
      if second.exchanges.count > asked.count { asked.append(index) }
    }
    for (index, exchange) in zip(asked, second.exchanges) {
      guard let answer = await answer(to: exchanges[index], &comparison) else { continue }
      comparison.compare(exchange, answer)
    }
    for _ in 0..<second.lost { comparison.skip("the answers have more than \(HeldSession.limit.asBytes)") }
  }

  private func repeatAll(
    _ exchanges: [Exchange], _ comparison: inout SessionComparison
  ) async {
    var values = RepeatedValues()
    for exchange in exchanges.prefix(Self.limit) where Self.isRepeatable(exchange, &comparison) {
      guard let answer = await answer(to: values.applied(to: exchange), &comparison) else { continue }
      if let first = exchange.response, let second = answer.response { values.learn(first, second) }
      comparison.compare(exchange, answer)
    }
    for _ in exchanges.dropFirst(Self.limit) { comparison.skip("only \(Self.limit) requests are sent again") }
  }

  /// The same exchange with the upstream.
  private func answer(
    to entry: Exchange, _ comparison: inout SessionComparison
  ) async -> Exchange? {
    var request = entry.request
    if request.path?.utf8.first != UInt8(ascii: "/") { request.path = "/" + (request.path ?? "") }
    let body = entry.requestBody.bytes
    let start = Timestamp.microseconds()
    guard let forward = mock.reply(to: request, body: body).forward else { return nil }
    var reply = await forward.reply(by: transport, body: Body(body))
    if case .streamed(_, let content) = reply.content {
      do { for try await _ in content {} } catch { comparison.skip("the answer was cut off the second time") }
      _ = reply.end(within: .unlimited)
    }
    let exchange = ServedRequest(
      startedAt: start, microseconds: 0, request: SharedRequest(request), body: body, reply: reply,
      status: reply.status)
    guard var repeated = exchange.recordedFromUpstream else {
      comparison.skip("the upstream did not answer the second time")
      return nil
    }
    (repeated.position.index, repeated.isOwn) = (entry.position.index, true)
    return repeated
  }

  private static func isSafe(_ entry: Exchange) -> Bool { ["GET", "HEAD", "OPTIONS"].contains(entry.method) }

  private static func isRepeatable(_ entry: Exchange, _ comparison: inout SessionComparison) -> Bool {
    if entry.requestBody.reason != nil {
      comparison.skip("the request's body is not known")
    } else if entry.status < 200 {
      comparison.skip("a change of protocol, such as a WebSocket")
    } else if entry.response?.mediaType?.syntax == .eventStream {
      comparison.skip("an event stream may have no end")
    } else {
      return true
    }
    return false
  }

  /// The same for requests that differ in nothing.
  private static func key(_ entry: Exchange) -> String {
    let fields = entry.requestFields.map { "\($0.name.rawName): \($0.value)" }.joined(separator: "\n")
    return "\(entry.method) \(entry.url)\n\(fields)\n\(String(decoding: entry.requestBody.bytes, as: UTF8.self))"
  }
}
