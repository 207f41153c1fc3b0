internal import Foundation
internal import Testing
package import UnderstudyClient

/// Runs a function as a test with a trait, and returns the failures with their lines.
package func failures(
  of trait: LaneTrait, _ function: @escaping @Sendable () async throws -> Void
) async throws -> [String] {
  let found = FoundIssues()
  let test = try #require(Test.current)
  // Intermittent, because a function without failures is a result as well.
  try await withKnownIssue(isIntermittent: true) {
    try await trait.provideScope(for: test, testCase: Test.Case.current, performing: function)
  } matching: { issue in
    let line = issue.sourceLocation.map { $0.line == test.sourceLocation.line ? "test" : "line" } ?? "?"
    found.add("\(line): " + (issue.error.map { "\($0)" } ?? issue.comments.map(\.rawValue).joined(separator: "\n")))
    return true
  }
  return found.all
}

private final class FoundIssues: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  func add(_ text: String) { lock.withLock { texts.append(text) } }
  var all: [String] { lock.withLock { texts } }
}
