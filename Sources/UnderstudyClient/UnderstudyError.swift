public import Foundation

/// Why a test cannot go on.
public struct UnderstudyError: Error, Sendable, CustomStringConvertible {
  /// What went wrong.
  public enum Kind: Sendable, Hashable {
    /// No mock answers, or another server does.
    case unreachable
    /// The mock is of another version, or lacks a feature.
    case unsupported
    /// The mock refuses a request of the test, with a status.
    case refused(status: Int)
    /// The mock has as many lanes as it can have.
    case full
    /// No request came in time.
    case silent
    /// The client did what the test does not expect.
    case failed
    /// The test has ended, or asks for something that cannot be.
    case misused
  }

  /// What went wrong.
  public let kind: Kind
  /// The problem and what to do next.
  public let description: String
  /// Whether the test has failed at the right line already.
  let isReported: Bool

  package init(_ kind: Kind, _ message: String, help: String? = nil, isReported: Bool = false) {
    self.kind = kind
    description = message + (help.map { "\n  help: \($0)" } ?? "")
    self.isReported = isReported
  }
}

extension UnderstudyError: LocalizedError {
  /// The same as `description`, for XCTest on Apple's systems.
  public var errorDescription: String? { description }
}
