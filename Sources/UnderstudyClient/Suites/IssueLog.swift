import Testing

/// Reports the failures of a test.
package struct IssueLog: Sendable {
  enum Target: Sendable {
    /// Swift Testing, at the line of the test that they are about.
    case recorded
    /// The error that a call throws.
    case thrown
  }

  private let target: Target

  init(_ target: Target) { self.target = target }

  /// Reports a failure that ends the test; the error to throw.
  ///
  /// - Parameter attachment: A text with its file name.
  package func failure(
    _ kind: UnderstudyError.Kind, _ message: String, at sourceLocation: SourceLocation,
    attaching attachment: (name: String, text: String)? = nil
  ) -> UnderstudyError {
    guard target == .recorded else { return UnderstudyError(kind, "\(sourceLocation.text): \(message)") }
    if let attachment { Attachment.record(attachment.text, named: attachment.name, sourceLocation: sourceLocation) }
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
