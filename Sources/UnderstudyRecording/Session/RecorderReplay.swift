/// Answers the requests of a session by a mock of planned files, in order; `nil` if the files cannot be played.
package typealias PlanPlayer =
  @Sendable (
    _ plan: RecordingPlan, _ scenario: String?, _ requests: [Exchange]
  ) -> [Exchange.Response]?

extension Recorder {
  /// The files to write, and the report.
  ///
  /// The session is played against the files first. Where a response differs from the response of the server, the
  /// scenario keeps the order of the operation if this helps, and the report names the rest.
  package mutating func finish(playing player: PlanPlayer) -> (plan: RecordingPlan, report: RecordingReport) {
    let start = self
    let first = attempt(player)
    guard !first.differences.isEmpty else { return first.result }
    let wrong = Set(first.differences.keys)
    self = start.ordering(wrong)
    let second = attempt(player)
    // An order that gives an operation no more responses again is left out.
    let helped = wrong.filter { second.differences[$0, default: 0] < first.differences[$0, default: 0] }
    if helped == wrong { return second.result }
    self = start.ordering(helped)
    return attempt(player).result
  }

  private func ordering(_ operations: Set<String>) -> Recorder {
    var copy = self
    copy.ordered = operations
    return copy
  }

  private typealias Attempt = (
    result: (plan: RecordingPlan, report: RecordingReport),
    /// The number of responses that differ, by the id of the operation.
    differences: [String: Int]
  )

  /// Makes a plan and plays the session against it.
  private mutating func attempt(_ player: PlanPlayer) -> Attempt {
    var result = finish()
    guard settings.mode != .diff else { return (result, [:]) }
    var unequal = NameTally()
    var differences: [String: Int] = [:]
    let scenario = result.report.scenarios.first
    if let responses = held.exchanges.isEmpty ? [] : player(result.plan, scenario, held.exchanges) {
      for (index, response) in responses.enumerated() {
        guard let difference = self.difference(index, response) else { continue }
        let operation = set.operations[heldOperations[index]].id
        unequal.count("\(operation)\(difference)")
        differences[operation, default: 0] += 1
      }
    } else {
      unequal.count("the files cannot be played before they are written", by: held.exchanges.count)
    }
    for (path, count) in tallies.unrouted.sorted {
      unequal.count("\(path): not in the contract, so the mock sends a problem document", by: count)
    }
    if held.lost > 0 {
      unequal.count("not compared: the session has more than \(HeldSession.limit.asBytes)", by: held.lost)
    }
    result.report.unequal = unequal.sorted.map { (what: redactor.hidingKnown(in: $0).value, count: $1) }
    return (result, differences)
  }

  /// The difference between the response to a held request and the response of a mock, as the end of a line; `nil`
  /// without a difference.
  private mutating func difference(_ index: Int, _ response: Exchange.Response) -> String? {
    let position = heldOperations[index]
    let operation = set.operations[position]
    let exchange = held.exchanges[index]
    var reply = Exchange(exchange.request, body: exchange.requestBody, response: response)
    reply.startedAt = exchange.startedAt
    guard let expected = RecordedAnswer(redactor.redact(exchange, of: operation.operation), of: operation),
      let found = RecordedAnswer(redactor.redact(reply, of: operation.operation), of: operation)
    else { return nil }
    if let difference = expected.difference(from: found) { return difference }
    guard response.body.reason == nil, let recording = operations[position] else { return nil }
    let bodies = [expected, found].map { answer in
      let type = answer.contentType.flatMap { MediaRange($0) }
      return VolatileText.maskedValues(recording.stable(answer.body, status: answer.status, type: type))
    }
    guard bodies[0] != bodies[1] else { return nil }
    let help = settings.keep == .all ? "" : "; --keep all keeps every body"
    return " \(expected.status): expected another body\(help)"
  }
}

extension RecordedAnswer {
  /// The difference from another response, apart from the body, as the end of a line; `nil` without a difference.
  fileprivate func difference(from found: RecordedAnswer) -> String? {
    guard status == found.status else { return ": expected \(status), found \(found.status)" }
    if !body.isEmpty, !isTyped(like: found) {
      let texts = [contentType, found.contentType].map { $0.map { "`\(VisibleText.line($0))`" } ?? "none" }
      return " \(status): expected the Content-Type \(texts[0]), found \(texts[1])"
    }
    let own = found.headers.map { (FieldSyntax.lowercased($0.name.utf8), Self.masked($0.value)) }
    let missing = headers.first { header in
      let name = FieldSyntax.lowercased(header.name.utf8)
      return !Self.passing.contains(name) && !own.contains { $0.0 == name && $0.1 == Self.masked(header.value) }
    }
    return missing.map { " \(status): expected another `\($0.name)`" }
  }

  /// Fields with times and versions, which one fixture has for several responses.
  private static let passing: Set<String> = ["age", "expires", "etag", "last-modified"]

  private static func masked(_ value: String) -> [UInt8] { VolatileText.maskedValues(Array(value.utf8)) }

  /// Whether another response has the media type, with all parameters.
  private func isTyped(like other: RecordedAnswer) -> Bool {
    guard let contentType, let type = other.contentType else { return contentType == nil && other.contentType == nil }
    guard let own = MediaRange(contentType), let found = MediaRange(type) else { return contentType == type }
    return own.essence == found.essence && own.parameters.allSatisfy { found[$0.name] == $0.value }
  }
}
