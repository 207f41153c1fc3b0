import Synchronization

/// Counts the open connections of a server and of the ports of its lanes, which end on several event loops.
package final class OpenConnections: Sendable {
  private let state = Atomic(0)

  package init() {}

  package var count: Int { state.load(ordering: .relaxed) }

  func add() { state.add(1, ordering: .relaxed) }

  func remove() { state.subtract(1, ordering: .relaxed) }
}
