import UnderstudySystem
import UnderstudyText

/// Reads the contracts and fixtures of a running mock again, on demand.
package final class MockReload: Sendable {
  package typealias Action = @Sendable () async -> Bool

  private let action = Lock<Action?>(nil)

  /// Sets the action, which returns whether a new mock is served.
  package func use(_ action: @escaping Action) { self.action.withLock { $0 = action } }

  /// `nil` for a mock that has no files.
  package func callAsFunction() async -> Bool? {
    guard let action = action.withLock({ $0 }) else { return nil }
    return await action()
  }
}
