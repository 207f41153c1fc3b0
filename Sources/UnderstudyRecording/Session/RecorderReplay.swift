extension Recorder {
  /// The operations whose requests alone do not reproduce the responses.
  struct Sharpening: Sendable {
    /// The ids of operations that keep responses which differ only by values.
    var distinguished: Set<String> = []
    /// The ids of operations whose responses follow the order of the session.
    var ordered: Set<String> = []
  }

  /// The files to write, and the report.
  ///
  /// The session is played against the files first. An operation with other responses than the server's keeps those that
  /// differ only by values, and then the order of the session, as far as that helps. The report names the rest.
  package func finish(playing player: PlanPlayer) -> (plan: RecordingPlan, report: RecordingReport) {
    let start = self
    func attempt(_ sharpening: Sharpening) -> Attempt {
      var recorder = start
      recorder.sharpening = sharpening
      return recorder.attempt(player)
    }
    var (sharpening, best) = (Sharpening(), attempt(Sharpening()))
    for step in [\Sharpening.distinguished, \Sharpening.ordered] {
      let wrong = Set(best.differences.keys)
      guard !wrong.isEmpty else { break }
      var next = sharpening
      next[keyPath: step] = wrong
      let result = attempt(next)
      // A step that reproduces no additional response is left out.
      let helped = wrong.filter { result.differences[$0, default: 0] < best.differences[$0, default: 0] }
      guard !helped.isEmpty else { continue }
      next[keyPath: step] = helped
      (sharpening, best) = (next, helped == wrong ? result : attempt(next))
    }
    return best.result
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
    let session = PlayedSession(requests: held.exchanges, sockets: playedSockets)
    let isEmpty = session.requests.isEmpty && session.sockets.isEmpty
    if let outcome = isEmpty ? .init(responses: []) : player(result.plan, result.report.scenarios.first, session) {
      for (index, response) in outcome.responses.enumerated() {
        guard let difference = self.difference(index, response) else { continue }
        let operation = set.operations[heldOperations[index]].id
        unequal.count("\(operation)\(difference)")
        differences[operation, default: 0] += 1
      }
      for (index, (socket, outputs)) in zip(session.sockets, outcome.outputs).enumerated() {
        for difference in socket.differences(from: outputs) { unequal.count("socket \(index + 1): \(difference)") }
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

  /// The difference between a held response and a mock's, as the end of a line; `nil` without a difference.
  private mutating func difference(_ index: Int, _ response: Exchange.Response) -> String? {
    let position = heldOperations[index]
    let operation = set.operations[position]
    let exchange = held.exchanges[index]
    var reply = Exchange(exchange.request, body: exchange.requestBody, response: response)
    reply.startedAt = exchange.startedAt
    let types = [exchange.response, response].map { $0?.fields.first(named: "content-type") }
    guard let expected = RecordedAnswer(redactor.redact(exchange, of: operation.operation), of: operation),
      let found = RecordedAnswer(redactor.redact(reply, of: operation.operation), of: operation)
    else { return nil }
    guard expected.status == found.status else { return ": expected \(expected.status), found \(found.status)" }
    if !MediaRange.areEqual(types[0], types[1]) {
      let texts = types.map { $0.map { "`\(VisibleText.line($0))`" } ?? "none" }
      return " \(expected.status): expected the Content-Type \(texts[0]), found \(texts[1])"
    }
    let fields = [expected, found].map { RecordedAnswer.stable($0.headers) }
    if let missing = fields[0].first(where: { !fields[1].contains($0) }) {
      return " \(expected.status): expected another `\(missing.name)`"
    }
    if let other = fields[1].first(where: { !fields[0].contains($0) }) {
      return " \(expected.status): expected no `\(other.name)`"
    }
    guard exchange.method != "HEAD", exchange.response?.body.reason == nil, response.body.reason == nil,
      let recording = operations[position]
    else { return nil }
    let bodies = [expected, found].map { answer in
      let type = answer.contentType.flatMap { MediaRange($0) }
      return VolatileText.maskedValues(recording.stable(answer.body, status: answer.status, type: type))
    }
    guard bodies[0] != bodies[1] else { return nil }
    let help = settings.keep == .all ? "" : "; --keep all keeps every body"
    return " \(expected.status): expected another body\(help)"
  }

  /// Counts the fields of a response that its fixture does not keep.
  mutating func countLost(_ response: Exchange.Response, of operation: CompiledOperation) {
    let headers = RecordedHeaders(of: operation, status: response.status, requestURL: "")
    for name in headers.lost(of: response.fields) { tallies.lostFields.count(name) }
  }
}
