import Testing

/// Reports the failures of a test.
struct IssueLog: Sendable {
  enum Target: Sendable {
    /// Swift Testing, at the line of the test that they are about.
    case recorded
    /// The error that a call throws.
    case thrown
  }

  private let target: Target

  init(_ target: Target) { self.target = target }

  /// Reports a failure that ends the test; the error to throw.
  func failure(
    _ kind: UnderstudyError.Kind, _ message: String, at sourceLocation: SourceLocation
  ) -> UnderstudyError {
    guard target == .recorded else { return UnderstudyError(kind, "\(sourceLocation.text): \(message)") }
    record(LaneEnd.Failure(message: message), at: sourceLocation)
    return UnderstudyError(kind, message, isReported: true)
  }

  /// Records a failure of Swift Testing; a line of its own takes precedence.
  func record(_ failure: LaneEnd.Failure, at sourceLocation: SourceLocation) {
    let location = failure.line ?? sourceLocation
    if let exchanges = failure.exchanges {
      Attachment.record(exchanges, named: "exchanges.http", sourceLocation: location)
    }
    Issue.record(Comment(rawValue: failure.message), sourceLocation: location)
  }
}

extension SourceLocation {
  /// The file and the line: `ChatTests/ChatTests.swift:12`.
  var text: String { "\(fileID):\(line)" }
}
