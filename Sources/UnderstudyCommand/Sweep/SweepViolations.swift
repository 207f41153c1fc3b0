package import UnderstudyMock
package import UnderstudyVerification

/// What the requests of a sweep break. The cell is the operation, else method and path, and the evidence the first finding
/// of its cause.
typealias SweepViolation = FindingAggregator<String, Diagnostic>.Entry

extension SweepRun {
  var violations: [SweepViolation] {
    var found = FindingAggregator<String, Diagnostic>()
    for request in sent where !request.followsRedirect {
      for diagnostic in request.reply.diagnostics where diagnostic.owner == .client {
        // The text of a body, and so the place in it that a message names, may differ between runs.
        var cause = diagnostic
        cause.message = ""
        found.add(
          cause, about: request.subject, in: request.name, variant: "\(diagnostic.location?.pointer ?? "")",
          from: diagnostic)
      }
    }
    return found.entries
  }
}

extension SweepRun.Request {
  /// The subject of its findings.
  package var subject: Report.Subject {
    Report.Subject(request: reply.operation?.id, request.method.rawValue, target)
  }
}
