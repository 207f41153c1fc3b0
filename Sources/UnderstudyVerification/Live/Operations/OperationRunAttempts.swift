/// How an operation comes to requests that its server accepts.
extension OperationRun {
  private static let originalLimit = 5
  private static let explanationLimit = 4

  /// Where the server accepts no request: others with one optional parameter, then with fresh names.
  func sendUntilAccepted() async {
    for call in plan.lone where bases.smallest == nil && !isAbandoned {
      plan.addLone(call)
      await send(validatesAnswers: sendsValid)
    }
    guard !subject.isSafe else { return }
    if bases.smallest == nil, Refusals.mayBeConflict(lastStatus), let refused = plan.fallback.smallestWithBody {
      for call in plainFresh.calls(like: refused, number: 1) where bases.smallest == nil {
        plan.addLone(call)
        await send(validatesAnswers: sendsValid)
      }
    }
    await findWhetherNamesAreTaken()
  }

  private var fresh: FreshValues { FreshValues(subject: subject, run: settings.run) }
  private var plainFresh: FreshValues { FreshValues(subject: subject, run: settings.run, usesPlainNames: true) }

  /// Sends an accepted request again: a server that refuses it now, or fails, keeps names apart. It is accepted once more where
  /// the first has another name since.
  private func findWhetherNamesAreTaken() async {
    guard subject.operation.method == "POST", var call = bases.smallestWithBody,
      fresh.call(like: call, number: 0, namesOnly: true, takesEmpty: true) != nil
    else { return }
    call.isRepeated = true
    guard var answer = await repeated(call) else { return }
    if 200...299 ~= answer.status {
      guard let second = await repeated(call) else { return }
      answer = second
    }
    guard Refusals.mayBeConflict(answer.status) else { return }
    if answer.status == 500, await !passesWithFreshName(call) { return }
    needsFreshNames = true
    progress.noteNamesApart(of: subject)
  }

  private func repeated(_ call: LiveCall) async -> Exchange.Response? {
    guard progress.reasonToStop == nil, !isAbandoned,
      let answer = try? await client.send(call, of: subject, as: .repetition)
    else { return nil }
    progress.noteAnswer(call, answer, of: subject)
    if sendsValid, settings.phases.contains(.coverage) { noteRepeated(call, answer) }
    return answer
  }

  /// The fresh names that are tried: a server may fail once more after a failure.
  private static let freshLimit = 3

  /// Whether a fresh name escapes a failure, which is about the name then.
  private func passesWithFreshName(_ call: LiveCall) async -> Bool {
    for _ in 0..<Self.freshLimit {
      freshCount += 1
      let other = fresh.call(like: call, number: 10_000 + freshCount, namesOnly: true, takesEmpty: true)
      guard let other else { return false }
      if await passes(other) { return true }
    }
    return false
  }

  /// The call with names of its own, where the server keeps names apart.
  func withFreshNames(_ call: LiveCall) -> LiveCall {
    guard needsFreshNames || bases.havePlainNames, call.purpose != .example, !call.purpose.isOfForeignMethod else {
      return call
    }
    freshCount += 1
    return (bases.havePlainNames ? plainFresh : fresh).call(like: call, number: 100 + freshCount, namesOnly: true)
      ?? call
  }

  /// Whether a call has names that the server keeps, and cannot be given others.
  func repeatsNames(_ call: LiveCall) -> Bool {
    needsFreshNames && fresh.call(like: call, number: 0, namesOnly: true) == nil
      && fresh.call(like: call, number: 0, namesOnly: true, takesEmpty: true) != nil
  }

  func sortFreshFirst(_ calls: inout ArraySlice<LiveCall>) {
    let split = calls.map { (call: $0, isFresh: fresh.call(like: $0, number: 0, namesOnly: true) != nil) }
    calls = (split.filter(\.isFresh) + split.filter { !$0.isFresh }).map(\.call)[...]
  }

  // MARK: - What others own

  /// Reads what a request changes and the run did not create.
  func keepOriginal(before call: LiveCall) async {
    guard ["PUT", "PATCH"].contains(call.draft.method), !call.purpose.isOfForeignMethod,
      askedFor.count < Self.originalLimit,
      !askedFor.contains(Self.path(of: call)), subject.operation.pathNode["get"] != nil,
      !plan.known.created(lastOf: call.draft, subject.operation)
    else { return }
    askedFor.insert(Self.path(of: call))
    var read = call.draft
    (read.method, read.body) = ("GET", nil)
    guard let wire = subject.writer.write(read), let answer = try? await client.send(wire, LedgerPurpose(.original)),
      answer.status == 200,
      let body = LinkValue(call, answer).body
    else { return }
    originals[Self.path(of: call)] = (call, body, false)
  }

  /// The target without its query: other queries change the same thing.
  static func path(of call: LiveCall) -> String { String(call.wire.target.prefix { $0 != "?" }) }

  func restore() async {
    for (_, original) in originals.sorted(by: { $0.key < $1.key }) where original.isChanged {
      guard let media = subject.operation.requestBody?.content.first, progress.reasonToStop == nil,
        let wire = subject.writer.write(original.call.draft.with(body: .value(original.body, media))),
        let answer = try? await client.send(wire, LedgerPurpose(.restoration))
      else { continue }
      guard !(200...299 ~= answer.status) else { continue }
      result.notValidated.add("whether what a request changed, and the run did not create, has its old value again")
    }
    originals = [:]
  }

  // MARK: - Refusals

  /// Discards refusals that are about the data of the run: a taken name, or a reference to something missing.
  func explainRefusals() async {
    let rules = [Rule.providerValidRejected.id, Rule.providerExample.id]
    let entries = result.findings.entries.filter { rules.contains($0.finding.rule) }.prefix(Self.explanationLimit)
    for entry in entries {
      let call = entry.evidence.call
      let isEnded = !progress.canReproduce && mayBeAboutData(call)
      let reason =
        isEnded
        ? "whether a refusal is about the data of the run, which ended"
        : await explanation(of: entry.evidence, saying: entry.finding.variant.words.lowercased())
      guard let reason else { continue }
      result.findings.removeAll { $0.key == entry.key }
      result.notValidated.add(reason)
    }
  }

  /// Whether another request could show that a refusal is about data.
  private func mayBeAboutData(_ call: LiveCall) -> Bool {
    !subject.isSafe
      && (!fresh.calls(like: call, number: 0).isEmpty || !plan.known.unknownReferences(in: call.draft).isEmpty)
  }

  /// What a response says of an unused id.
  private static let ofAbsence = [
    "not found", "exist", "unknown", "no such", "foreign key", "invalid id", "invalid pk",
  ]

  /// The words of a server that is not set up for a request.
  private static let ofConfiguration = [
    "disabled", "not enabled", "not configured", "supported by this", "supported by the", "in this mode", "mode is",
    "read-only", "readonly",
  ]

  private func explanation(of evidence: LiveEvidence, saying words: String) async -> String? {
    let call = evidence.call
    if Self.ofConfiguration.contains(where: { words.contains($0) }) {
      return "a valid request that the server rejects for its configuration"
    }
    // What the contract allows without doubt is refused for itself, unless the server says that it has it, or has it not.
    if !call.unusual.isEmpty {
      let isAboutData = (Self.ofAbsence + Self.ofConflict).contains { words.contains($0) }
      return isAboutData ? "a valid request with unusual values that is refused for the data of the server" : nil
    }
    // `text is not a directory`: the item is there, and of another kind than the query asks for.
    if subject.isSafe, evidence.namesItem,
      let plain = subject.validCall(call.draft.withoutOptionalQuery, .valid, call.label),
      plain.wire.target != call.wire.target, await passes(plain)
    {
      return "a valid request that does not suit the item it names"
    }
    let references = plan.known.unknownReferences(in: call.draft)
    if !subject.isSafe, await isTaken(evidence, saying: words) {
      return "a valid request that conflicts with what the run had created"
    }
    guard !references.isEmpty, case .value(let body, let media)? = call.draft.body else { return nil }
    let unclear = "a valid request that names something that was not created"
    if Self.ofAbsence.contains(where: { words.contains($0) }) { return unclear }
    let without = references.reduce(body) { value, path in value.setting(path[...], to: nil) ?? value }
    guard let other = subject.validCall(call.draft.with(body: .value(without, media)), .valid, call.label) else {
      return unclear
    }
    freshCount += 1
    let named = fresh.call(like: other, number: 10_000 + freshCount, namesOnly: true) ?? other
    return await passes(named) ? unclear : nil
  }

  /// What a response says of a value that is there already.
  private static let ofPresence = ["already exist", "unique constraint", "duplicate key", "duplicate entry"]
  /// What a response may say of a value that is taken.
  private static let ofConflict = ["unique", "duplicate", "already", "exists", "taken", "in use"]

  /// Whether a name is taken: a fresh one passes, and is taken then. Otherwise the server minds the value.
  private func isTaken(_ evidence: LiveEvidence, saying words: String) async -> Bool {
    if Self.ofPresence.contains(where: { words.contains($0) }) { return true }
    freshCount += 1
    let number = 10_000 + freshCount
    // Where the server says so itself, with fresh texts it says something else.
    if Self.ofConflict.contains(where: { words.contains($0) }) {
      for namesOnly in [true, false] {
        let other = fresh.call(like: evidence.call, number: number, namesOnly: namesOnly, takesEmpty: true)
        if let other, await !isRefused(other, like: evidence) { return true }
      }
    }
    // What a PUT names, it may name again; another name of the same form shows enough. An empty name may be refused as such.
    if evidence.call.draft.method != "POST" {
      let other = fresh.call(like: evidence.call, number: number, namesOnly: true)
      if let other, await passes(other) { return true }
    }
    for other in fresh.calls(like: evidence.call, number: number) where await passes(other) {
      return await isRefused(other, like: evidence)
    }
    // Where an empty name is refused as such, the server says something else.
    guard let other = fresh.call(like: evidence.call, number: number, namesOnly: true, takesEmpty: true),
      await passes(other)
    else { return false }
    return await isRefused(other, like: evidence)
  }

  private func isRefused(_ call: LiveCall, like evidence: LiveEvidence) async -> Bool {
    guard let answer = try? await client.send(call, of: subject, as: .explanation, after: [Ledger.Base(evidence.call)]),
      answer.status >= 400
    else { return false }
    return evidence.showsSame(LiveEvidence(call, answer))
  }

  private func passes(_ call: LiveCall) async -> Bool {
    guard let status = (try? await client.send(call, of: subject, as: .explanation))?.status else { return false }
    return 200...299 ~= status
  }
}
