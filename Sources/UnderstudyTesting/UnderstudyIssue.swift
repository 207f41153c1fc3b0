import Testing

/// A failure with the line of the test that it is about.
public struct UnderstudyIssue: Error, Sendable, CustomStringConvertible {
  /// The problem and what to do next.
  public let message: String
  /// The line of the test.
  public let sourceLocation: SourceLocation
  /// The file of that line, as `XCTSourceCodeLocation` takes it.
  public var filePath: String { sourceLocation.filePath }
  /// The request and its answer, or the table of a sweep; secrets are replaced.
  public let attachments: [Attachment]

  /// A text that belongs to a failure, for `XCTAttachment` or a log.
  public struct Attachment: Sendable {
    /// The name of a file: `sendChat.http`, `sweep.txt`.
    public let name: String
    /// The content.
    public let text: String
  }

  init(message: String, sourceLocation: SourceLocation, attachments: [Attachment] = []) {
    self.message = message
    self.sourceLocation = sourceLocation
    self.attachments = attachments
  }

  /// `ChatTests/ChatTests.swift:12: ...`
  public var description: String { "\(sourceLocation.fileID):\(sourceLocation.line): \(message)" }
}
