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
    let validator = LiveResponseValidator(subject: subject)
    let errors = result.findings.errors
    defer { progress.noteErrors(result.findings.errors - errors) }
    let failure: UpstreamFailure
    do throws(UpstreamFailure) {
      let answer = try await client.send(call.wire)
      guard await !progress.credentialsStopped(at: call, answer, of: subject, client) else { return }
      progress.noteAnswer(call, answer, of: subject)
      result.note(call, answer, validator.validate(call, answer))
      return result.reproduceRest(by: reproduction(of: call, subject))
    } catch {
      failure = error
    }
    progress.noteFailure(failure)
    var validation = failure.isDefect ? validator.malformed(failure) : nil
    if validation == nil {
      let check = SilenceCheck(client: client, progress: progress)
      switch await check.silence(after: failure, at: call, of: subject, isFirst: true) {
      case .ofRequest: validation = validator.silent(failure)
      case .answered, .ofServer: return
      case .unclear: break
      }
    }
    guard let validation else { return result.failures.append((call, failure)) }
    result.add(validation, of: LiveEvidence(call), reproduction: reproduction(of: call, subject))
  }

  private func reproduction(of call: LiveCall, _ subject: LiveOperation) -> String {
    var reproduction = Reproduction(known: known, redactor: settings.redactor, apart: progress.apart)
    reproduction.add(call, of: subject, deletesFirst: false)
    return reproduction.text
  }
}
