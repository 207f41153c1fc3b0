package import UnderstudyMock
package import UnderstudyVerification

/// A rule that the requests or sockets of a sweep break. The cell is the operation or, outside the contract, method and path;
/// it is empty for sockets and for the ends of requests. The evidence is the first finding of its cause.
typealias SweepViolation = FindingAggregator<String, Diagnostic>.Entry

extension SweepRun {
  /// - Parameter closing: The findings that the end of the run shows.
  func violations(besides closing: [ClosingFinding]) -> [SweepViolation] {
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
    for closing in closing {
      // Times and counts differ between runs.
      var cause = closing.finding
      (cause.message, cause.notes) = ("", [])
      found.add(cause, about: Report.Subject(contract: closing.contract), in: "", from: closing.finding)
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
