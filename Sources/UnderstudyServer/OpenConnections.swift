import UnderstudySystem
import UnderstudyText

/// Counts the open connections of a server, which end on several event loops.
package final class OpenConnections: Sendable {
  private let state = Lock((count: 0, isListening: true))

  package init() {}

  package var count: Int { state.withLock { $0.count } }

  func add() { state.withLock { $0.count += 1 } }

  /// Returns whether the server still accepts connections.
  func remove() -> Bool {
    state.withLock { state in
      state.count -= 1
      return state.isListening
    }
  }

  func stopListening() { state.withLock { $0.isListening = false } }
}
