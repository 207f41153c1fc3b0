import Understudy

/// Fails a test for what its client did.
struct TestVerdict {
  let session: Session

  private static let unusedReply = "test.reply-unused"

  /// Reports the violations that the test does not allow, and the replies that no request has met.
  func report(at location: SourceLocation) {
    let exchanges = ExchangeText(session.mock.contracts)
    for violation in Understudy.Result(session).violations
    where !session.isAllowed(violation.finding.rule) && violation.finding.isError {
      session.issues.report(
        violation.description, at: location,
        attachments: [("\(violation.call.operation ?? "unmatched").http", exchanges.text(violation.call))])
    }
    guard !session.isAllowed(Self.unusedReply) else { return }
    for (message, place) in session.script.unused {
      session.issues.report("\(message) [\(Self.unusedReply)]\n  help: \(session.journal.overview)", at: place)
    }
  }
}
