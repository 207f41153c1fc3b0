/// Why a test cannot go on.
public struct UnderstudyError: Error, Sendable, CustomStringConvertible {
  /// The problem and what to do next.
  public let description: String
  /// Whether the test has failed at the right line already.
  let isReported: Bool

  init(_ description: String, isReported: Bool = false) {
    self.description = description
    self.isReported = isReported
  }

  /// Ends a test that has failed already.
  static let reported = UnderstudyError("the failure was reported before", isReported: true)
}
