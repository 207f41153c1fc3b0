struct OperationResult: Sendable {
  let subject: LiveOperation
  var findings = FindingAggregator<LiveCell, LiveEvidence>()
  private(set) var exchanges = 0
  /// The exchanges whose answer was read to its end.
  private(set) var wholeExchanges = 0
  var notValidated: [Report.NotValidated] = []
  var failures: [(call: LiveCall, failure: UpstreamFailure)] = []
  var unsent = 0
  var deferred: [LiveCall] = []
  /// The number of answers to valid requests, by status.
  private(set) var validAnswers: [Int: Int] = [:]
  private(set) var firstValid: LiveCall?
  private(set) var fixtureAnswers: [(fixture: FixtureReference, status: Int)] = []
  /// The exchanges that count into the coverage.
  private(set) var seen: [LiveCoverage.Observation] = []
  /// A valid request that got a 2xx, with its answer; sequences start with it.
  private(set) var success: (call: LiveCall, answer: Exchange.Response)?
  private var stateRefusals = StateRefusals()

  init(subject: LiveOperation) { self.subject = subject }

  mutating func note(_ call: LiveCall, _ answer: Exchange.Response, _ validation: LiveValidation) {
    exchanges += 1
    if answer.body.reason == nil { wholeExchanges += 1 }
    let evidence = LiveEvidence(call, answer)
    add(validation, of: evidence, duration: answer.duration ?? .zero)
    if let fixture = call.fixture { fixtureAnswers.append((fixture, answer.status)) }
    // Contracts do not document the answers to other methods.
    if !call.purpose.isOfForeignMethod { seen.append(LiveCoverage.Observation(call, answer, holds: validation.holds)) }
    guard call.isValid else { return }
    stateRefusals.note(evidence)
    if firstValid == nil { firstValid = call }
    validAnswers[answer.status, default: 0] += 1
    if success == nil, (200...299).contains(answer.status) { success = (call, answer) }
  }

  /// Adds the result of one exchange, or of several; the evidence is the main one.
  mutating func add(
    _ validation: LiveValidation, of evidence: LiveEvidence, duration: Duration = .zero, reproduction: String? = nil
  ) {
    let about = validation.subject
    for (check, count) in validation.checks {
      findings.count(
        count, in: LiveCell(check, of: about), duration: check == .status ? duration : .zero)
    }
    for reason in validation.notValidated { notValidated.add(reason) }
    for finding in validation.findings {
      let cell = LiveCell(LiveCheck(of: finding.rule), of: about)
      findings.add(
        finding, about: about, in: cell, variant: evidence.variant(of: finding, about: about), from: evidence,
        weight: evidence.call.wire.weight
      ) { $0.reproduction = reproduction }
    }
  }

  /// Adds a reproduction to the findings that have none.
  mutating func reproduceRest(by reproduction: String) {
    for (position, entry) in findings.entries.enumerated() where entry.finding.reproduction == nil {
      findings.reproduce(position, by: entry.evidence, reproduction)
    }
  }

  /// Discards refusals of valid requests for lack of data, where none succeeded, unless the server gave the whole path.
  mutating func discardUnclearRefusals(but isGiven: (LiveCall) -> Bool) {
    guard !wasReached, count(where: { [404, 409].contains($0) }) > 0 else { return }
    let known = findings.entries.count
    findings.removeAll { $0.finding.rule == Rule.providerValidRejected.id && !isGiven($0.evidence.call) }
    guard findings.entries.count < known else { return }
    notValidated.add("whether valid requests are refused for their form, as others of the operation got 404 or 409")
  }

  /// Discards refusals of requests to what the run named itself, where none succeeded: its kind may be wrong.
  mutating func discardRefusalsOfOwn(_ namesOwn: (LiveCall) -> Bool) {
    guard !wasReached, subject.operation.method != "PUT" else { return }
    let known = findings.entries.count
    findings.removeAll { $0.finding.rule == Rule.providerValidRejected.id && namesOwn($0.evidence.call) }
    guard findings.entries.count < known else { return }
    notValidated.add("whether valid requests are accepted, as the run has only a resource of its own for them")
  }

  /// Discards refusals of valid requests that say nothing about the requests.
  mutating func discardRefusalsOfState() {
    guard stateRefusals.areAll else { return }
    let known = findings.entries.count
    findings.removeAll { [Rule.providerValidRejected.id, Rule.providerExample.id].contains($0.finding.rule) }
    guard findings.entries.count < known else { return }
    notValidated.add(
      "whether valid requests are accepted, as every one got the same refusal, also one without any part")
  }

  /// Discards documented refusals of requests whose path names no known resource, if other requests succeeded: such a refusal,
  /// with any status, is about the data of the server.
  mutating func discardRefusalsOfUnknown(_ namesUnknown: (LiveCall) -> Bool) {
    guard wasReached else { return }
    let known = findings.entries.count
    findings.removeAll { entry in
      entry.finding.rule == Rule.providerValidRejected.id && namesUnknown(entry.evidence.call)
    }
    guard findings.entries.count < known else { return }
    notValidated.add("a refusal of a valid request whose path names what the server does not have")
  }

  /// Discards refusals of unusual requests that say what a refusal of a valid one says, and all where no valid one succeeded,
  /// unless the server has no data for any.
  mutating func discardUnclearUnusual() {
    let refusals = findings.entries.filter { $0.finding.rule == Rule.providerValidRejected.id }
    let known = refusals.filter(\.evidence.call.isValid)
    let isClear = wasReached || lacksData
    findings.removeAll { entry in
      entry.finding.rule == Rule.providerValidRejected.id && !entry.evidence.call.isValid
        && (!isClear
          || known.contains {
            $0.finding.subject == entry.finding.subject && $0.finding.variant.words == entry.finding.variant.words
          })
    }
  }

  /// Counts failures of invalid and unusual requests among those of valid ones that say the same. Where the response says
  /// nothing, only those of requests that keep the contract.
  mutating func foldUnusual() {
    let leading = findings.entries.filter { !$0.finding.variant.isOfInvalid }
    findings.fold { entry in
      guard entry.finding.variant.isOfInvalid else { return nil }
      let isSure =
        !entry.finding.variant.words.isEmpty || entry.evidence.call.violation == nil
        || entry.finding.rule == Rule.providerNoResponse.id
      return leading.first { valid in
        isSure && valid.finding.rule == entry.finding.rule && valid.finding.subject == entry.finding.subject
          && valid.finding.variant.words == entry.finding.variant.words
      }?.key
    }
  }

  var validCount: Int { validAnswers.values.reduce(0, +) }

  func count(where isWanted: (Int) -> Bool) -> Int {
    validAnswers.reduce(0) { $0 + (isWanted($1.key) ? $1.value : 0) }
  }

  var wasReached: Bool { count { 200...299 ~= $0 } > 0 }

  /// Whether every valid request got 404, so that a refusal with another status is about the value.
  var lacksData: Bool { validCount > 0 && count { $0 == 404 } == validCount }

  /// Whether every valid request was refused for its credentials, so that refusals of invalid ones show nothing.
  var isLockedOut: Bool { validCount > 0 && count(where: subject.refusals.isAboutCredentials) == validCount }

  func addCases(to report: inout Report) {
    var cases = findings.cases { (subject.subject(status: $0.status), $0.check.name) }
    if isLockedOut {
      // A refusal for the credentials shows nothing about other errors.
      for index in cases.indices where Self.needsEntry.contains(cases[index].name) && cases[index].findings.isEmpty {
        cases[index].outcome = .skipped("valid requests are refused for their credentials as well")
        report.skip(
          "whether invalid requests are refused, as valid ones are refused for their credentials",
          count: cases[index].checked)
        cases[index].checked = 0
      }
    }
    report.cases += cases
    var outcome: Report.Outcome?
    if let (call, failure) = failures.first {
      let sent = failures.count + exchanges
      outcome = .failedToRun(
        "\(failures.count) of \(sent) requests got no answer, the first \(call.wire.request.method.rawValue) "
          + "\(call.wire.target): \(failure.message)"
          + (unsent > 0 ? "; \(unsent) more were not sent" : ""))
    } else if unsent > 0 {
      report.skip("requests that were not sent before the run ended", count: unsent)
      if exchanges == 0 { outcome = .skipped("the run ended before its turn") }
    } else if exchanges == 0, findings.entries.isEmpty {
      outcome = .skipped(notValidated.first?.reason ?? "no request could be made")
    }
    if let outcome { report.cases.append(Report.Case(subject.subject(), "live.answered", outcome: outcome)) }
    for reason in notValidated { report.skip(reason.reason, count: reason.count) }
  }

  private static let needsEntry: Set<String> = Set(
    [Rule.providerInvalidAccepted, .providerHeaderIgnored, .providerMediaUnsupported].map(\.id))
}
