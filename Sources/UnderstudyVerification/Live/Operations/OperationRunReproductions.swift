/// How an operation shows its findings again.
extension OperationRun {
  /// Shrinks the request of every finding, and adds it to the finding.
  func reproduce() async {
    for (position, entry) in result.findings.entries.enumerated() {
      let (evidence, subject) = (entry.evidence, subject)
      var shown: Diagnostic?
      var smallest = evidence.call
      // Readers compare an example with the contract, and one request shows a finding of many operations.
      if evidence.call.purpose != .example, !evidence.call.isRepeated, evidence.status != 0, !hasTakenItsTime,
        progress.isRare(entry.finding)
      {
        smallest = await Shrinker(subject: subject, known: plan.known).smallest(of: evidence.call) { call in
          guard progress.canReproduce, !repeatsNames(call),
            let answer = try? await client.send(
              withFreshNames(call), of: subject, as: .reduction, after: [Ledger.Base(evidence.call)]),
            evidence.showsSame(LiveEvidence(call, answer))
          else { return false }
          let validation = validator.validate(call, answer)
          let same = validation.findings.first {
            FindingKey(
              $0, about: validation.subject,
              variant: LiveEvidence(call, answer).variant(of: $0, about: validation.subject))
              == entry.key
              && Self.shape($0.message) == Self.shape(entry.finding.message)
          }
          shown = same ?? shown
          return same != nil
        }
      }
      result.findings.reproduce(
        position, as: shown, by: LiveEvidence(smallest, like: evidence),
        reproduction(of: smallest, status: evidence.status))
    }
  }

  private static func shape(_ message: String) -> String { MessageShape.of(message) }

  /// The commands that repeat a request, after those that created what it names. What it creates is deleted before, so that it
  /// creates it again. `status` is the status of the response that shows the finding.
  private func reproduction(of call: LiveCall, status: Int) -> String {
    var reproduction = Reproduction(known: plan.known, redactor: settings.redactor, apart: progress.apart)
    // What is not there any more must not be created.
    if status == 404 || status == 410, !call.draft.pathValues(of: subject.operation).isEmpty {
      reproduction.addAlone(call)
      return reproduction.text
    }
    // What the first creates is in the way of the second.
    let isConflict =
      status == 409 || call.isRepeated || (needsFreshNames && Refusals.mayBeConflict(status) && status < 500)
    if isConflict, call.draft.method == "POST", call.draft.body != nil {
      reproduction.add(call, of: subject, deletesFirst: false)
    }
    // Where names must differ, so must those of every repetition, unless the server refused the request.
    if needsFreshNames, !isConflict, 200...299 ~= status || status >= 500,
      // A server may fail for an empty name as such.
      let named = FreshValues(subject: subject, run: settings.run).call(
        like: call, marked: Reproduction.moment, takesEmpty: status < 500)
    {
      reproduction.addNamed(named, of: subject, else: call)
      return reproduction.text
    }
    reproduction.add(call, of: subject, deletesFirst: mayCreate(call, status))
    return reproduction.text
  }

  /// Whether a request creates what its path names, or failed where a later one of the run may have created that.
  private func mayCreate(_ call: LiveCall, _ status: Int) -> Bool {
    switch call.draft.method {
    case "PUT": return status == 201
    case "POST":
      let (draft, operation) = (call.draft, subject.operation)
      guard status == 201 || status >= 500, let item = draft.pathValues(of: operation).last?.argument.parameter.name,
        operation.path.hasSuffix("{\(item)}")
      else { return false }
      return !plan.known.known(inPathOf: draft, operation).contains(item)
    default: return false
    }
  }
}
