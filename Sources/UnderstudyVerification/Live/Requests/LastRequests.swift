/// Sends what comes after the requests of all operations: lists again, which may fail for what was created or deleted, then the
/// requests at which servers are known to end.
struct LastRequests {
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress
  let known: KnownValues

  func run(into results: inout [OperationResult]) async {
    if settings.mode != .negative, settings.phases.contains(.stateful) {
      for position in results.indices { await askAgain(&results[position]) }
    }
    for position in results.indices {
      for call in results[position].deferred {
        guard progress.reasonToStop == nil else {
          results[position].unsent += 1
          continue
        }
        await send(call, &results[position])
      }
      results[position].foldUnusual()
    }
  }

  /// Asks a list again that was there, where the run may change data. Its items were validated before.
  private func askAgain(_ result: inout OperationResult) async {
    let operation = result.subject.operation
    guard settings.allowsUnsafe, operation.method == "GET", operation.template.names.isEmpty,
      progress.reasonToStop == nil, let call = result.success?.call,
      !result.findings.entries.contains(where: { $0.finding.rule == Rule.responseServerError.id })
    else { return }
    await send(call, &result, only: .responseServerError)
  }

  /// - Parameter rule: The rule whose findings count; `nil` for all.
  private func send(_ call: LiveCall, _ result: inout OperationResult, only rule: Rule? = nil) async {
    let subject = result.subject
    let errors = result.findings.errors
    defer { progress.noteErrors(result.findings.errors - errors) }
    let failure: UpstreamFailure
    do throws(UpstreamFailure) {
      let answer = try await client.send(call, of: subject)
      guard await !progress.credentialsStopped(at: call, answer, of: subject, client) else { return }
      progress.noteAnswer(call, answer, of: subject)
      var validation = LiveResponseValidator(subject: subject).validate(call, answer)
      if let rule { validation.findings.removeAll { $0.rule != rule } }
      result.note(call, answer, validation)
      return result.reproduceRest(by: reproduction(of: call, subject))
    } catch {
      failure = error
    }
    switch await SilenceCheck(client: client, progress: progress).report(of: failure, at: call, of: subject) {
    case .finding(let validation):
      result.add(validation, of: LiveEvidence(call), reproduction: reproduction(of: call, subject))
    case .answered, .serverLost: break
    case .unclear: result.failures.append((call, failure))
    }
  }

  private func reproduction(of call: LiveCall, _ subject: LiveOperation) -> String {
    var reproduction = Reproduction(known: known, redactor: settings.redactor, apart: progress.apart)
    reproduction.add(call, of: subject, deletesFirst: false)
    return reproduction.text
  }
}
