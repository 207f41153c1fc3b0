import UnderstudyVerification

/// A request of a run that breaks the contract.
struct RequestViolation: Sendable {
  /// The id of the operation, else method and path.
  let request: String
  let diagnostic: Diagnostic
  /// The same for two requests of an operation that break a rule at the same place.
  let key: FindingKey

  /// Those of a run, each once.
  static func all(in run: SweepRun) -> [RequestViolation] {
    var found = FindingAggregator<String, Diagnostic>()
    for request in run.sent where !request.followsRedirect {
      for diagnostic in request.reply.diagnostics where diagnostic.owner == .client {
        // The text of a body, and so the place in it that a message names, may differ between runs.
        var cause = diagnostic
        cause.message = ""
        found.add(
          cause, about: request.subject, in: request.name, variant: diagnostic.location?.pointer ?? "",
          from: diagnostic)
      }
    }
    return found.entries.map { RequestViolation(request: $0.cell, diagnostic: $0.evidence, key: $0.key) }
  }
}
