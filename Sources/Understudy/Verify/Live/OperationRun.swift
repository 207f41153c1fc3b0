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
      result.findings.reproduce(position, as: shown, by: smallest, smallest.wire.curl(settings.redactor))
    }
  }
}
