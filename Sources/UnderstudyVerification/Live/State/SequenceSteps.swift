/// Sends the requests of a sequence that starts with a new resource.
struct SequenceSteps {
  let subjects: LiveOperations
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress
  let known: KnownValues

  typealias Step = (call: LiveCall, answer: Exchange.Response)

  /// Creates a resource: by a fresh name, else by other valid requests, since the first one may create only once.
  func creation(of subject: LiveOperation, like first: LiveCall, _ results: inout [OperationResult]) async -> Step? {
    let valid = ValidRequests(subject: subject, count: settings.count, known: known)
    let others = (0..<3).compactMap { valid.call(settings.count + 10 + $0) }
    let named = FreshValues(subject: subject, run: settings.run).call(like: first, number: 20_000, namesOnly: true)
    for call in [named].compactMap(\.self) + others + [first] {
      guard let answer = await send(call, of: subject, &results) else { return nil }
      if 200...299 ~= answer.status { return (call, answer) }
    }
    return nil
  }

  /// A valid request of the sequence with the fewest parts.
  func call(
    of subject: LiveOperation, setting parameter: Parameter? = nil, to value: JSON? = nil, _ label: String
  ) -> LiveCall? {
    guard var draft = ValidRequests(subject: subject, count: 2, known: known).draft(1) else { return nil }
    if let parameter, let value { draft = draft.setting(parameter, to: value) }
    var call = subject.validCall(draft, .valid, label)
    call?.phase = .stateful
    return call
  }

  /// Sends a request, and reports it if it gets no response.
  func send(
    _ call: LiveCall, of subject: LiveOperation, after steps: [Step] = [], _ results: inout [OperationResult]
  ) async -> Exchange.Response? {
    guard progress.reasonToStop == nil else { return nil }
    let failure: UpstreamFailure
    do throws(UpstreamFailure) {
      let answer = try await client.send(call, of: subject, as: .sequence, after: steps.map { Ledger.Base($0.call) })
      guard await !progress.credentialsStopped(at: call, answer, of: subject, client) else { return nil }
      progress.noteAnswer(call, answer, of: subject)
      return answer
    } catch {
      failure = error
    }
    let report = await SilenceCheck(client: client, progress: progress).report(of: failure, at: call, of: subject)
    guard let position = results.firstIndex(where: { $0.subject.index == subject.index }) else { return nil }
    switch report {
    case .finding(let validation):
      results[position].add(validation, of: LiveEvidence(call), reproduction: transcript(steps, then: call))
    case .answered: results[position].notValidated.add("a sequence with a request that got no response at first")
    case .unclear: results[position].failures.append((call, failure))
    case .serverLost: break
    }
    return nil
  }

  /// Sends a request, and reports which of some rules its response breaks.
  func validate(
    _ call: LiveCall, of subject: LiveOperation, after steps: [Step], by rules: [Rule],
    _ results: inout [OperationResult]
  ) async {
    guard let answer = await send(call, of: subject, after: steps, &results),
      let position = results.firstIndex(where: { $0.subject.index == subject.index })
    else { return }
    var validation = LiveResponseValidator(subject: subject).validate(call, answer)
    validation.findings.removeAll { !rules.contains($0.rule) }
    results[position].note(call, answer, validation)
    results[position].reproduceRest(by: transcript(steps + [(call, answer)]))
  }

  private func transcript(_ steps: [Step], then last: LiveCall? = nil) -> String {
    SequenceTranscript(redactor: settings.redactor, known: known).text(of: steps, then: last)
  }

  /// Runs a sequence, and counts the errors that it finds.
  func counted(_ results: inout [OperationResult], _ run: (inout [OperationResult]) async -> Void) async {
    let errors = results.reduce(0) { $0 + $1.findings.errors }
    await run(&results)
    progress.noteErrors(results.reduce(0) { $0 + $1.findings.errors } - errors)
  }
}
