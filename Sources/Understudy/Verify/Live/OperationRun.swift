/// Asks a server about one operation.
struct OperationRun: Sendable {
  let subject: LiveOperation
  let settings: LiveSettings
  let exchange: LiveExchange
  let progress: LiveProgress
  let asksForMethods: Bool

  func result() async -> OperationResult {
    var result = OperationResult(subject: subject)
    let plan = LivePlan(
      subject, mode: settings.mode, count: settings.count, allowsUnsafe: settings.allowsUnsafe,
      asksForMethods: asksForMethods)
    for reason in plan.notMade { result.tally.skip(reason.reason, count: reason.count) }
    let judge = LiveJudge(subject: subject)
    var failuresInARow = 0
    for (position, call) in plan.calls.enumerated() {
      if progress.reasonToStop != nil {
        result.unsent = plan.calls.count - position
        break
      }
      do {
        let answer = try await exchange.send(call.wire)
        progress.noteAnswer()
        failuresInARow = 0
        let known = result.tally.errors
        result.note(call, answer, judge.judge(call, answer))
        progress.noteErrors(result.tally.errors - known)
      } catch {
        progress.noteFailure(error)
        result.failures.append((call, error))
        failuresInARow += 1
        guard failuresInARow < LiveProgress.failureLimit else {
          progress.noteLost(subject, error)
          result.unsent = plan.calls.count - position - 1
          break
        }
      }
    }
    if let last = result.failures.last, result.tally.exchanges == 0, failuresInARow < LiveProgress.failureLimit {
      progress.noteLost(subject, last.failure)
    }
    await reproduce(&result, judge)
    return result
  }

  /// Shrinks the request of every finding, and writes it down.
  private func reproduce(_ result: inout OperationResult, _ judge: LiveJudge) async {
    for position in result.tally.met.indices {
      let met = result.tally.met[position]
      var complaint = met.complaint
      let smallest = await Shrinker(subject: subject).smallest(of: met.call) { call in
        guard progress.canReproduce, let answer = try? await exchange.send(call.wire) else { return false }
        let same = judge.judge(call, answer).complaints.first { $0.key == complaint.key }
        if let same { complaint = same }
        return same != nil
      }
      result.tally.reproduce(position, complaint, smallest, smallest.wire.curl(settings.secrets))
    }
  }
}

/// What came of asking about one operation.
struct OperationResult: Sendable {
  let subject: LiveOperation
  var tally = LiveTally()
  /// Requests that got no answer.
  var failures: [(call: LiveCall, failure: UpstreamFailure)] = []
  /// Requests that were not sent any more.
  var unsent = 0
  /// Answers to requests that keep the contract, by status.
  private(set) var validAnswers: [Int: Int] = [:]
  private(set) var firstValid: LiveCall?
  /// Answers to requests that fixtures are for.
  private(set) var fixtureAnswers: [(fixture: FixtureReference, status: Int)] = []
  /// What coverage counts.
  private(set) var seen: [LiveCoverage.Exchange] = []
  /// A valid request that got a 2xx, with its answer, for what follows from it.
  private(set) var success: (call: LiveCall, answer: LiveAnswer)?

  init(subject: LiveOperation) { self.subject = subject }

  mutating func note(_ call: LiveCall, _ answer: LiveAnswer, _ verdict: LiveVerdict) {
    tally.add(verdict, of: call, duration: answer.duration)
    if let fixture = call.fixture { fixtureAnswers.append((fixture, answer.status)) }
    // Nobody documents what a path answers to methods that it does not have.
    if call.purpose != .method { seen.append(LiveCoverage.Exchange(call, answer, holds: verdict.holds)) }
    guard call.isValid else { return }
    if firstValid == nil { firstValid = call }
    validAnswers[answer.status, default: 0] += 1
    if success == nil, (200...299).contains(answer.status) { success = (call, answer) }
  }

  /// Adds what several exchanges show together; `call` is the one that it is about.
  mutating func add(_ verdict: LiveVerdict, of call: LiveCall?, reproduction: String? = nil) {
    guard let call = call ?? firstValid else { return }
    tally.add(verdict, of: call, reproduction: reproduction)
  }

  /// Writes down the requests of findings that have none yet.
  mutating func reproduceRest(_ secrets: [LiveSettings.Secret]) {
    for position in tally.met.indices where tally.met[position].reproduction == nil {
      let met = tally.met[position]
      tally.reproduce(position, met.complaint, met.call, met.call.wire.curl(secrets))
    }
  }

  var validCount: Int { validAnswers.values.reduce(0, +) }

  func count(where isWanted: (Int) -> Bool) -> Int {
    validAnswers.reduce(0) { $0 + (isWanted($1.key) ? $1.value : 0) }
  }

  var wasReached: Bool { count { 200...299 ~= $0 } > 0 }

  /// Whether every valid request was refused for its credentials: then a refusal of a bad one shows nothing.
  var isLockedOut: Bool { validCount > 0 && count(where: subject.refusals.isAboutCredentials) == validCount }
}
