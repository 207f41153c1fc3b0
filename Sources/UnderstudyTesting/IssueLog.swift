import Synchronization

/// A failure with the line of the test that it is about.
public struct UnderstudyIssue: Error, Sendable, CustomStringConvertible {
  /// The problem and what to do next.
  public let message: String
  /// The line of the test.
  public let sourceLocation: SourceLocation

  /// `ChatTests/ChatTests.swift:12: ...`
  public var description: String { "\(sourceLocation.fileID):\(sourceLocation.line): \(message)" }
}

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
    case .reported(let report?): report(UnderstudyIssue(message: message, sourceLocation: location))
    case .reported(nil):
      state.withLock { $0.append(UnderstudyIssue(message: message, sourceLocation: location)) }
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
