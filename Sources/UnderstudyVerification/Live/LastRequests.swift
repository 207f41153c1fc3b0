/// Sends the requests at which servers are known to end, after those of all operations: what such a request ends, no other
/// request needs any more.
struct LastRequests {
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress
  let known: KnownValues

  func run(into results: inout [OperationResult]) async {
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

  private func send(_ call: LiveCall, _ result: inout OperationResult) async {
    let subject = result.subject
    let errors = result.findings.errors
    defer { progress.noteErrors(result.findings.errors - errors) }
    let failure: UpstreamFailure
    do throws(UpstreamFailure) {
      let answer = try await client.send(call.wire)
      guard await !progress.credentialsStopped(at: call, answer, of: subject, client) else { return }
      progress.noteAnswer(call, answer, of: subject)
      result.note(call, answer, LiveResponseValidator(subject: subject).validate(call, answer))
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
