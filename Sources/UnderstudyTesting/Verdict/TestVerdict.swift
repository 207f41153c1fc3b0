import UnderstudyMock

/// Fails a test for what its client did.
struct TestVerdict {
  let session: Session
  /// The requests that waited for their answers when the test ended.
  let pending: [Call]

  /// Reports the violations that the test does not allow, the requests without their answers, and the replies that no
  /// request has met.
  func report(at location: SourceLocation) {
    let exchanges = ExchangeText(session.mock.contracts)
    var hidden = HiddenSecrets(of: session.journal.calls, session.mock.contracts)
    for violation in Understudy.Result(session).violations
    where !session.isAllowed(violation.finding.rule) && violation.finding.isError {
      session.issues.report(
        violation.description, at: location,
        attachments: [("\(violation.call.operation ?? "unmatched").http", exchanges.text(violation.call))])
    }
    for event in session.events.elements {
      for finding in event.findings where !session.isAllowed(finding.rule) && finding.isError {
        session.issues.report(
          "socket \(event.socket), `\(event.name)`: \(finding)" + (finding.help.map { "\n  help: \($0)" } ?? ""),
          at: location)
      }
    }
    for finding in session.socketFindings where !session.isAllowed(finding.rule.id) && finding.severity == .error {
      session.issues.report(hidden.hide(finding), at: location)
    }
    for missing in session.missingRequests where !session.isAllowed(missing.rule.id) {
      session.issues.report(
        hidden.hide(missing), help: session.journal.overview, at: location, attachments: session.lastExchanges)
    }
    if !session.isAllowed(AllowableRules.pendingRequest) {
      for call in pending {
        session.issues.report(
          "\(call.method) \(hidden.path(of: call)) (\(call.operation ?? "no operation")): the test ended before the answer, "
            + "\(call.late) [\(AllowableRules.pendingRequest)]\n"
            + "  help: await the client, or cancel it, before the test ends",
          at: location, attachments: [("\(call.operation ?? "unmatched").http", exchanges.text(call))])
      }
    }
    guard !session.isAllowed(AllowableRules.unusedReply) else { return }
    for (message, place) in session.script.unused {
      session.issues.report(
        "\(message) [\(AllowableRules.unusedReply)]\n  help: \(session.journal.overview)", at: place,
        attachments: session.lastExchanges)
    }
  }
}
