#if canImport(Testing)
import Testing
#endif

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
  func failure(_ kind: UnderstudyError.Kind, _ message: String, at line: TestLine) -> UnderstudyError {
    #if canImport(Testing)
    if target == .recorded {
      record(LaneEnd.Failure(message: message), at: line.sourceLocation)
      return UnderstudyError(kind, message, isReported: true)
    }
    #endif
    return UnderstudyError(kind, "\(line.text): \(message)")
  }

  #if canImport(Testing)
  /// Records a failure of Swift Testing; a line of its own takes precedence.
  func record(_ failure: LaneEnd.Failure, at location: SourceLocation) {
    let location = failure.line?.sourceLocation ?? location
    if let exchanges = failure.exchanges {
      Attachment.record(exchanges, named: "exchanges.http", sourceLocation: location)
    }
    Issue.record(Comment(rawValue: failure.message), sourceLocation: location)
  }
  #endif
}

#if canImport(Testing)
extension TestLine {
  var sourceLocation: SourceLocation {
    SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
#endif
