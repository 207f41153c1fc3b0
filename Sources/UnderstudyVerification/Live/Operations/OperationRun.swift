/// Tests one operation in two rounds: its valid requests come before the unusual ones of any operation. Unchecked, and
/// safe: it is passed from task to task, and one task at a time has it.
final class OperationRun: @unchecked Sendable {
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress
  private let triesMethods: Bool
  private let triesUnknownMethods: Bool
  let validator: LiveResponseValidator
  var plan: LivePlan
  var result: OperationResult
  var bases = AcceptedRequests()
  /// Requests in a row without an answer, or without the end of one.
  private var failuresInARow = 0
  /// Requests without an answer in time, of the whole operation.
  private var timeouts = 0
  var isAbandoned = false
  /// Of all answers together.
  private var duration = Duration.zero
  var lastStatus = 0
  /// Whether the server refuses a request that it accepted before, so that every request needs names of its own.
  var needsFreshNames = false
  var freshCount = 0
  /// The paths whose original was read before a change, or tried to be read.
  var askedFor: Set<String> = []
  /// The originals of what the run changes but did not create, by path, and whether a change succeeded.
  var originals: [String: (call: LiveCall, body: JSON, isChanged: Bool)] = [:]

  /// - Parameters:
  ///   - triesMethods: Whether methods are tried that the path does not have.
  ///   - triesUnknownMethods: Whether methods are tried with them that servers rarely know.
  init(
    _ subject: LiveOperation, settings: LiveSettings, client: LiveClient, progress: LiveProgress, triesMethods: Bool,
    triesUnknownMethods: Bool, known: KnownValues
  ) {
    self.settings = settings
    self.client = client
    self.progress = progress
    self.triesMethods = triesMethods
    self.triesUnknownMethods = triesUnknownMethods
    validator = LiveResponseValidator(subject: subject)
    plan = LivePlan(subject, settings: settings, known: known)
    result = OperationResult(subject: subject)
  }

  var subject: LiveOperation { result.subject }
  var sendsValid: Bool { settings.mode != .negative }
  var hasTakenItsTime: Bool { settings.operationTime.map { duration > $0 } ?? false }

  /// What a valid request deletes cannot be asked for again.
  private var isDestructive: Bool { subject.operation.method == "DELETE" }

  /// Sends the valid requests that show how the operation is reached, after the requests that learn values.
  func begin(after harvested: HarvestedOperation) async {
    duration = harvested.duration
    for failed in harvested.failures {
      plan.omit(failed.call)
      note(failed.silence, failed.call, failed.failure)
    }
    for exchange in harvested.exchanges {
      plan.omit(exchange.call)
      bases.note(exchange.call, exchange.answer)
      if sendsValid, settings.phases.contains(exchange.call.phase) { note(exchange.call, exchange.answer) }
    }
    if !isDestructive { await sendFirst() }
  }

  private func sendFirst() async {
    if sendsValid, settings.phases.contains(.examples) {
      plan.addExamples()
      await send()
    }
    if settings.phases.contains(.coverage) {
      plan.addBasics()
      await send(validatesAnswers: sendsValid)
      await sendUntilAccepted()
    }
  }

  /// Whether the server refuses every valid request for its credentials, which it looks at before anything else.
  private var isLockedOut: Bool {
    result.validCount > 0 && !subject.takesCredentialsInBody
      && result.count { $0 == 401 || subject.refusals.map[.unauthorized] == .status($0) } == result.validCount
  }

  func finish() async -> OperationResult {
    if isDestructive {
      await sendAroundBase()
      await sendFirst()
    }
    if isLockedOut {
      plan.skip("other requests of an operation that refuses every valid one for its credentials")
      await sendMethods(around: (bases.smallest ?? plan.fallback.smallest)?.draft)
    } else {
      if sendsValid, settings.phases.contains(.random) { await sendRandom() }
      if !isDestructive { await sendAroundBase() }
    }
    if subject.lacksDescription {
      plan.skip("whether requests are valid whose parameters the contract does not describe")
    }
    result.notValidated += plan.notMade
    if let failure = result.failures.last?.failure, result.exchanges == 0, !isAbandoned {
      progress.noteAbandoned(subject, failure)
    }
    result.discardUnclearUnusual()
    await explainRefusals()
    result.foldUnusual()
    result.deferred = plan.deferred
    // A refusal shows nothing about credentials where good ones do not help.
    if !result.wasReached { result.findings.removeAll { $0.finding.rule == Rule.providerAuthStatus.id } }
    let (known, operation) = (plan.known, subject.operation)
    result.discardRefusalsOfState()
    result.discardUnclearRefusals { known.gave(wholePathOf: $0.draft, operation) }
    result.discardRefusalsOfOwn { known.namesOwn(inPathOf: $0.draft, operation) }
    func namesUnknown(_ call: LiveCall) -> Bool {
      !call.draft.pathValues(of: operation).isEmpty && known.known(inPathOf: call.draft, operation).isEmpty
    }
    if !bases.includes(namesUnknown) { result.discardRefusalsOfUnknown(namesUnknown) }
    await reproduce()
    await restore()
    return result
  }

  /// Varies and breaks a request that the server accepted.
  private func sendAroundBase() async {
    let fallback = plan.fallback
    guard let base = bases.smallest ?? fallback.smallest else {
      return plan.skip("no valid request could be generated")
    }
    let withBody = bases.smallestWithBody ?? fallback.smallestWithBody ?? base
    let richest = bases.richest ?? fallback.richest ?? withBody
    plan.base = bases.smallest?.wire
    defer { plan.base = nil }
    if sendsValid, settings.phases.contains(.coverage) {
      await sendBoundaries(around: base.draft)
      if bases.smallest != nil { await sendEncoded(around: base.draft) }
    }
    if settings.phases.contains(.examples) {
      plan.addFixtures(around: base.draft)
      await send()
    }
    guard settings.mode != .positive, settings.phases.contains(.coverage) else { return }
    await sendInvalid(base.draft, withBody: withBody.draft)
    await sendUnusualParameters(around: base.draft)
    await sendMethods(around: base.draft)
    plan.addUnusual(base.draft, richest: richest.draft)
    plan.addUnusualBodies(around: richest.draft, all: bases.smallest == nil)
    await send()
  }

  private func sendMethods(around base: RequestDraft?) async {
    guard triesMethods, let base, settings.mode != .positive, settings.phases.contains(.coverage) else { return }
    plan.addMethods(base)
    if triesUnknownMethods, settings.allowsUnsafe { plan.addUnknownMethods(base) }
    await send()
  }

  /// Whether the last response shows nothing unusual: the server refuses every valid request with the same status.
  var isRefusedAnyway: Bool { bases.smallest == nil && lastStatus < 500 && result.validAnswers[lastStatus] != nil }

  /// What was seen of the operation: findings, and statuses of valid requests.
  var evidenceCount: Int { result.findings.entries.count + result.validAnswers.count }

  /// Sends random requests until several in a row show nothing new.
  private func sendRandom() async {
    var quiet = 0
    // What refuses every other request refuses more of them too.
    let limit = bases.smallest == nil ? 1 : max(3, settings.count / 3)
    for variant in 0..<settings.count where quiet < limit {
      let before = evidenceCount
      guard plan.addRandom(variant) else { continue }
      await send()
      quiet = evidenceCount > before ? 0 : quiet + 1
    }
  }

  /// Sends unusual values of one kind together, and each alone where the server refuses them: it may read no further.
  private func sendUnusualParameters(around base: RequestDraft) async {
    let all = plan.unusualParameters()
    // What refuses every request seldom looks at more than that.
    var chosen = bases.smallest == nil ? subject.share(of: all, as: subject.operation.id) : all
    if bases.smallest == nil, result.lacksData, !chosen.contains(where: { $0.what == UnusualParameters.emptyText }) {
      chosen += all.filter { $0.what == UnusualParameters.emptyText }
    }
    for edges in chosen {
      if plan.addTogether(edges, around: base), await send() > 0, !(400...499 ~= lastStatus) || isRefusedAnyway {
        continue
      }
      for edge in edges.edges { plan.addAlone(edge, of: edges, around: base) }
      await send()
    }
  }

  /// The broken places in a row that a server refuses before the types in the rest of the body are taken for validated.
  private static let refusalLimit = 8
  /// The requests in a row that show nothing, as the server refuses every valid one alike, before others are left out.
  static let unclearLimit = 4

  /// Breaks every location in turn, so that the limit omits none, and no location after an accepted violation.
  private func sendInvalid(_ base: RequestDraft, withBody: RequestDraft) async {
    var groups = plan.invalid(base, withBody: withBody)
    // What cannot have a name of its own may conflict with what an earlier run created.
    if needsFreshNames { for index in groups.indices { sortFreshFirst(&groups[index].calls) } }
    var left = 4 * settings.count
    var refusals = 0
    var unclear = 0
    while left > 0, !groups.isEmpty, unclear < Self.unclearLimit {
      for index in groups.indices where left > 0 && unclear < Self.unclearLimit {
        let isOfBody = groups[index].isOfBody
        guard let call = groups[index].calls.popFirst(),
          !isOfBody || refusals < Self.refusalLimit || !call.breaksTypesOnly
        else { continue }
        plan.addInvalid(call)
        let sent = await send()
        left -= sent
        guard sent > 0, let violation = call.violation else { continue }
        unclear = isRefusedAnyway ? unclear + 1 : 0
        let isAccepted = !subject.refusals.isRefusal(lastStatus, of: violation)
        if isAccepted { groups[index].calls = [] }
        if isOfBody { refusals = isAccepted || lastStatus >= 500 ? 0 : refusals + 1 }
      }
      groups.removeAll { $0.calls.isEmpty }
    }
  }

  // MARK: - Sending

  /// Returns the number of requests; without `validatesAnswers`, answers only show which requests the server accepts.
  @discardableResult
  func send(validatesAnswers: Bool = true) async -> Int {
    let calls = plan.take()
    for call in calls {
      guard !isAbandoned, progress.reasonToStop == nil else {
        if validatesAnswers { noteUnsent() }
        continue
      }
      guard !hasTakenItsTime else {
        if validatesAnswers {
          result.notValidated.add("requests of an operation whose answers took a twentieth of --max-time")
        }
        continue
      }
      let call = withFreshNames(call)
      await keepOriginal(before: call)
      let start = ContinuousClock.now
      var answer: Exchange.Response?
      do throws(UpstreamFailure) {
        answer = try await client.send(call, of: subject, after: creations(for: call))
      } catch {
        answer = await fail(call, error)
      }
      duration += start.duration(to: .now)
      guard let answer else { continue }
      if await progress.credentialsStopped(at: call, answer, of: subject, client) {
        result.unsent += 1
        continue
      }
      progress.noteAnswer(call, answer, of: subject)
      await settle(call, answer, validatesAnswers: validatesAnswers)
    }
    return calls.count
  }

  /// The requests that created what a call names.
  private func creations(for call: LiveCall) -> [Ledger.Base] {
    guard settings.ledgerSize > 0 else { return [] }
    return plan.known.createdReferences.find(in: call.draft, of: subject.operation).map { Ledger.Base($0) }
  }

  private func noteUnsent() {
    guard isAbandoned, progress.reasonToStop == nil, result.failures.isEmpty else { return result.unsent += 1 }
    result.notValidated.add("requests of an operation that gave no response, or whose responses do not end")
  }

  private func settle(_ call: LiveCall, _ answer: Exchange.Response, validatesAnswers: Bool) async {
    lastStatus = answer.status
    failuresInARow = answer.isEndless ? failuresInARow + 1 : 0
    if failuresInARow >= LiveProgress.failureLimit {
      isAbandoned = true
      result.notValidated.add("requests of an operation whose answers do not end, or are too long")
    }
    bases.note(call, answer)
    if 200...299 ~= answer.status, !call.purpose.isOfForeignMethod { originals[Self.path(of: call)]?.isChanged = true }
    if call.isOfCredentials, 200...299 ~= answer.status { await progress.checkAccess(client) }
    if call.isOfCredentials, progress.isOpened {
      result.notValidated.add("whether credentials are required, as a request of the run had switched that off")
    } else if validatesAnswers {
      note(call, answer)
    }
    if await silenceCheck.isAlive(after: call, answer, of: subject) {
      await progress.checkAccess(after: answer, of: subject, client)
    }
  }

  /// Notes the response to a repeated request. A refusal of it is not a refusal of a valid request, so those findings are left out.
  func noteRepeated(_ call: LiveCall, _ answer: Exchange.Response) {
    var validation = validator.validate(call, answer)
    validation.findings.removeAll { [.providerValidRejected, .providerExample].contains($0.rule) }
    let known = result.findings.errors
    result.note(call, answer, validation)
    progress.noteErrors(result.findings.errors - known)
  }

  private func note(_ call: LiveCall, _ answer: Exchange.Response) {
    let known = result.findings.errors
    result.note(call, answer, validator.validate(call, answer))
    if answer.status == 409, call.isValid, call.draft.method == "POST", bases.smallest != nil, !needsFreshNames {
      needsFreshNames = true
      progress.noteNamesApart(of: subject)
    }
    progress.noteErrors(result.findings.errors - known)
  }

  private var silenceCheck: SilenceCheck { SilenceCheck(client: client, progress: progress) }

  /// Looks into a request without an answer; returns the answer to the same request, where it got one then.
  private func fail(_ call: LiveCall, _ failure: UpstreamFailure) async -> Exchange.Response? {
    progress.noteFailure(failure)
    if failure.isDefect {
      result.add(validator.malformed(failure), of: LiveEvidence(call))
      countFailure(failure)
      return nil
    }
    let silence = await silenceCheck.silence(after: failure, at: call, of: subject, isFirst: failuresInARow == 0)
    if case .answered(let answer) = silence { return answer }
    note(silence, call, failure)
    return nil
  }

  private func note(_ silence: Silence, _ call: LiveCall, _ failure: UpstreamFailure) {
    switch silence {
    case .answered, .ofServer: return
    case .ofRequest where failure.kind == .timeout && subject.documentsStream:
      result.notValidated.add("a stream that sends nothing within the time limit")
    case .ofRequest: result.add(validator.silent(failure), of: LiveEvidence(call))
    case .unclear: result.failures.append((call, failure))
    }
    countFailure(failure)
  }

  private func countFailure(_ failure: UpstreamFailure) {
    // The first was sent twice.
    if failure.kind == .timeout { timeouts += failuresInARow == 0 ? 2 : 1 }
    failuresInARow += 1
    let limit =
      failure.kind == .closed && result.failures.isEmpty ? LiveProgress.closedLimit : LiveProgress.failureLimit
    guard failuresInARow >= limit || timeouts >= LiveProgress.failureLimit, !isAbandoned else { return }
    isAbandoned = true
    progress.noteAbandoned(subject, failure)
  }
}
