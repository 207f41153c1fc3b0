import UnderstudyMock
import UnderstudySystem
import UnderstudyText

/// Reports the failures of a test.
final class IssueLog: Sendable {
  enum Target: Sendable {
    /// Swift Testing.
    case recorded
    /// A function, or without it the error of `stop`.
    case reported((@Sendable (UnderstudyIssue) -> Void)?)
  }

  private struct State {
    var kept: [UnderstudyIssue] = []
    var isEnded = false
  }

  private let target: Target
  private let state = Lock(State())

  init(_ target: Target) { self.target = target }

  /// The failures that nothing has reported, for the error of `stop`; those that come later are issues of Swift Testing.
  func end() -> [UnderstudyIssue] {
    state.withLock { state in
      state.isEnded = true
      return state.kept
    }
  }

  /// - Parameter attachments: Texts with their file names.
  func report(
    _ finding: Redacted<Diagnostic>, help: String? = nil, at location: SourceLocation,
    attachments: [(name: String, text: String)] = []
  ) {
    let finding = finding.value
    let notes = finding.notes.map { "\n  \($0.message)" }.joined()
    let advice = (help ?? finding.help).map { "\n  help: \($0)" } ?? ""
    report("\(finding.message) [\(finding.rule.id)]\(notes)\(advice)", at: location, attachments: attachments)
  }

  func report(_ message: String, at location: SourceLocation, attachments: [(name: String, text: String)] = []) {
    switch target {
    case .recorded: record(message, at: location, attachments)
    case .reported(let report):
      let issue = UnderstudyIssue(
        message: message, sourceLocation: location,
        attachments: attachments.map { UnderstudyIssue.Attachment(name: $0.name, text: $0.text) })
      if let report { return report(issue) }
      let isEnded = state.withLock { state in
        if !state.isEnded { state.kept.append(issue) }
        return state.isEnded
      }
      if isEnded { record(message, at: location, attachments) }
    }
  }

  /// Reports a failure that ends the test; the error to throw.
  func failure(
    _ message: String, at location: SourceLocation, attachments: [(name: String, text: String)] = []
  ) -> UnderstudyError {
    if case .reported(nil) = target {
      return UnderstudyError(UnderstudyIssue(message: message, sourceLocation: location).description)
    }
    report(message, at: location, attachments: attachments)
    return UnderstudyError(message, isReported: true)
  }

  private func record(_ message: String, at location: SourceLocation, _ attachments: [(name: String, text: String)]) {
    for (name, text) in attachments { Attachment.record(text, named: name, sourceLocation: location) }
    Issue.record(Comment(rawValue: message), sourceLocation: location)
  }
}
