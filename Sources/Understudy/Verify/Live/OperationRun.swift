/// Tests one operation of a server.
struct OperationRun: Sendable {
  let subject: LiveOperation
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress
  let triesMethods: Bool

  func result() async -> OperationResult {
    var result = OperationResult(subject: subject)
    let plan = LivePlan(
      subject, mode: settings.mode, count: settings.count, allowsUnsafe: settings.allowsUnsafe,
      triesMethods: triesMethods)
    result.notValidated = plan.notMade
    let validator = LiveResponseValidator(subject: subject)
    var failuresInARow = 0
    for (position, call) in plan.calls.enumerated() {
      if progress.reasonToStop != nil {
        result.unsent = plan.calls.count - position
        break
      }
      do {
        let answer = try await client.send(call.wire)
        progress.noteAnswer()
        failuresInARow = 0
        let known = result.findings.errors
        result.note(call, answer, validator.validate(call, answer))
        progress.noteErrors(result.findings.errors - known)
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
    if let last = result.failures.last, result.exchanges == 0, failuresInARow < LiveProgress.failureLimit {
      progress.noteLost(subject, last.failure)
    }
    await reproduce(&result, validator)
    return result
  }

  /// Shrinks the request of every finding, and adds it to the finding.
  private func reproduce(_ result: inout OperationResult, _ validator: LiveResponseValidator) async {
    for (position, entry) in result.findings.entries.enumerated() {
      var shown: Diagnostic?
      let smallest = await Shrinker(subject: subject).smallest(of: entry.evidence) { call in
        guard progress.canReproduce, let answer = try? await client.send(call.wire) else { return false }
        let validation = validator.validate(call, answer)
        let same = validation.findings.first { FindingKey($0, about: validation.subject) == entry.key }
        shown = same ?? shown
        return same != nil
      }
      result.findings.reproduce(position, as: shown, by: smallest, smallest.wire.curl(settings.redaction))
    }
  }
}

/// The result of testing one operation.
struct OperationResult: Sendable {
  let subject: LiveOperation
  var findings = FindingAggregator<LiveCell, LiveCall>()
  private(set) var exchanges = 0
  var notValidated: [Report.NotValidated] = []
  var failures: [(call: LiveCall, failure: UpstreamFailure)] = []
  var unsent = 0
  /// The number of answers to valid requests, by status.
  private(set) var validAnswers: [Int: Int] = [:]
  private(set) var firstValid: LiveCall?
  private(set) var fixtureAnswers: [(fixture: FixtureReference, status: Int)] = []
  /// The exchanges that count into the coverage.
  private(set) var seen: [LiveCoverage.Observation] = []
  /// A valid request that got a 2xx, with its answer; sequences start with it.
  private(set) var success: (call: LiveCall, answer: LiveAnswer)?

  init(subject: LiveOperation) { self.subject = subject }

  mutating func note(_ call: LiveCall, _ answer: LiveAnswer, _ validation: LiveValidation) {
    exchanges += 1
    add(validation, of: call, duration: answer.duration)
    if let fixture = call.fixture { fixtureAnswers.append((fixture, answer.status)) }
    // Contracts do not document the answers to other methods.
    if call.purpose != .method { seen.append(LiveCoverage.Observation(call, answer, holds: validation.holds)) }
    guard call.isValid else { return }
    if firstValid == nil { firstValid = call }
    validAnswers[answer.status, default: 0] += 1
    if success == nil, (200...299).contains(answer.status) { success = (call, answer) }
  }

  /// Adds the result of one exchange, or of several; `call` is the main one.
  mutating func add(
    _ validation: LiveValidation, of call: LiveCall, duration: Duration = .zero, reproduction: String? = nil
  ) {
    let about = validation.subject
    for (check, count) in validation.checks {
      findings.count(
        count, in: LiveCell(check, of: about), duration: check == .status ? duration : .zero)
    }
    for reason in validation.notValidated { notValidated.add(reason) }
    for finding in validation.findings {
      let cell = LiveCell(LiveCheck(of: finding.rule), of: about)
      findings.add(finding, about: about, in: cell, from: call, weight: call.wire.weight) {
        $0.reproduction = reproduction
      }
    }
  }

  /// Adds a reproduction to the findings that have none.
  mutating func reproduceRest(_ redaction: Redaction) {
    for (position, entry) in findings.entries.enumerated() where entry.finding.reproduction == nil {
      findings.reproduce(position, by: entry.evidence, entry.evidence.wire.curl(redaction))
    }
  }

  var validCount: Int { validAnswers.values.reduce(0, +) }

  func count(where isWanted: (Int) -> Bool) -> Int {
    validAnswers.reduce(0) { $0 + (isWanted($1.key) ? $1.value : 0) }
  }

  var wasReached: Bool { count { 200...299 ~= $0 } > 0 }

  /// Whether every valid request was refused for its credentials, so that refusals of invalid ones show nothing.
  var isLockedOut: Bool { validCount > 0 && count(where: subject.refusals.isAboutCredentials) == validCount }
}
