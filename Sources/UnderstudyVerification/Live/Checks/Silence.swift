/// What a request without a response shows.
enum Silence: Sendable {
  /// The server responds to others.
  case ofRequest
  /// It responds to the same request, sent again.
  case answered(Exchange.Response)
  /// It responds to nothing any more; the run ends.
  case ofServer
  /// Nothing else was ever answered, or the request could not be sent.
  case unclear
}

/// Tells a request that gets no response from a server that is gone, by a request that the server answered before.
struct SilenceCheck: Sendable {
  let client: LiveClient
  let progress: LiveProgress

  /// - Parameter isFirst: Whether it is the first of its operation, which is sent once more.
  func silence(
    after failure: UpstreamFailure, at call: LiveCall, of subject: LiveOperation, isFirst: Bool
  ) async -> Silence {
    guard failure.kind != .unsendable, progress.reasonToStop == nil else { return .unclear }
    guard let known = progress.knownGood else { return .unclear }
    if case .failure(let end) = await ask(known) {
      // A request that had an answer before, or that could not connect, is not the one that ended the server.
      let isVictim = failure.kind == .refused || call.wire == known
      progress.noteLost(call, subject, end, isVictim: isVictim)
      return .ofServer
    }
    // A busy machine is late once, and a connection that idled is closed.
    if isFirst, [.closed, .timeout].contains(failure.kind), let answer = try? await client.send(call, of: subject) {
      return .answered(answer)
    }
    return .ofRequest
  }

  /// Whether the server still responds after an operation's first change, which the next request must not be blamed
  /// for.
  func isAlive(after call: LiveCall, _ answer: Exchange.Response, of subject: LiveOperation) async -> Bool {
    guard let known = progress.knownGood(after: call, answer, of: subject) else { return true }
    switch await ask(known.wire) {
    case .success(let status):
      guard known.succeeded, status == 401 else { return true }
      progress.noteClosed(known.wire, status, after: answer, of: subject)
    case .failure(let end): progress.noteLost(call, subject, end, isVictim: false)
    }
    return false
  }

  /// Notes the failure of a request that is sent outside of the run of its operation, and says what is reported of it.
  func report(of failure: UpstreamFailure, at call: LiveCall, of subject: LiveOperation) async -> FailureReport {
    progress.noteFailure(failure)
    let validator = LiveResponseValidator(subject: subject)
    if failure.isDefect { return .finding(validator.malformed(failure)) }
    return switch await silence(after: failure, at: call, of: subject, isFirst: true) {
    case .ofRequest: .finding(validator.silent(failure))
    case .answered: .answered
    case .ofServer: .serverLost
    case .unclear: .unclear
    }
  }

  /// The status of the response to a known request, 0 for a malformed one, or its second failure.
  private func ask(_ known: WireRequest) async -> Result<Int, UpstreamFailure> {
    do throws(UpstreamFailure) { return .success(try await status(of: known)) } catch {}
    do throws(UpstreamFailure) { return .success(try await status(of: known)) } catch { return .failure(error) }
  }

  private func status(of known: WireRequest) async throws(UpstreamFailure) -> Int {
    do throws(UpstreamFailure) { return try await client.send(known, LedgerPurpose(.liveness)).status } catch {
      if error.isDefect { return 0 }
      throw error
    }
  }
}

enum FailureReport: Sendable {
  case finding(LiveValidation)
  /// Nothing: it was answered when it was sent again.
  case answered
  /// The end of the server, which is reported by itself.
  case serverLost
  /// The failure alone.
  case unclear
}

/// The end of a server, with the first request after which it responds to nothing.
struct LostServer: Sendable {
  let call: LiveCall
  let subject: LiveOperation
  /// The status of its response; `nil` without one.
  let status: Int?
  /// A request that had succeeded before.
  let known: WireRequest
  let failure: UpstreamFailure

  var finding: Diagnostic? {
    let request = "\(known.request.method.rawValue) \(VisibleText.shortened(known.target, to: 80))"
    let answer = status.map { "got \($0)" } ?? "got no response"
    return subject.options.weighed(
      Diagnostic(
        .providerServerLost,
        "\(subject.operation.id) \(answer), and \(request), which was answered before, gets none since: "
          + failure.message, at: Location(exchange: ""), notes: .contract(subject.operation.node)))
  }
}
