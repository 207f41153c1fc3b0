import Synchronization

/// Reports the failures of a test.
final class IssueLog: Sendable {
  enum Target: Sendable {
    /// Swift Testing.
    case recorded
    /// A function, or without it the error of `stop`.
    case reported((@Sendable (UnderstudyIssue) -> Void)?)
  }

  private let target: Target
  private let state = Mutex<[UnderstudyIssue]>([])

  init(_ target: Target) { self.target = target }

  /// The failures that nothing has reported yet.
  var kept: [UnderstudyIssue] { state.withLock { $0 } }

  /// - Parameter attachments: Texts with their file names.
  func report(_ message: String, at location: SourceLocation, attachments: [(name: String, text: String)] = []) {
    switch target {
    case .recorded:
      for (name, text) in attachments { Attachment.record(text, named: name, sourceLocation: location) }
      Issue.record(Comment(rawValue: message), sourceLocation: location)
    case .reported(let report):
      let issue = UnderstudyIssue(
        message: message, sourceLocation: location,
        attachments: attachments.map { UnderstudyIssue.Attachment(name: $0.name, text: $0.text) })
      guard let report else { return state.withLock { $0.append(issue) } }
      report(issue)
    }
  }

  /// Reports a failure that ends the test; the error to throw.
  func failure(_ message: String, at location: SourceLocation) -> UnderstudyError {
    if case .reported(nil) = target {
      return UnderstudyError(UnderstudyIssue(message: message, sourceLocation: location).description)
    }
    report(message, at: location)
    return UnderstudyError(message, isReported: true)
  }
}
