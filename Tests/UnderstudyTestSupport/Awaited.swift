import Foundation

/// A value that one thread changes and another waits for.
package final class Awaited<Value: Sendable>: Sendable {
  private let state: State

  /// Used only while the condition is locked.
  private final class State: @unchecked Sendable {
    let condition = NSCondition()
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  package init(_ value: Value) { state = State(value) }

  package var value: Value { state.condition.withLock { state.value } }

  package func change<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    try state.condition.withLock {
      defer { state.condition.broadcast() }
      return try body(&state.value)
    }
  }

  /// Waits until the value meets a condition; returns `false` after 20 seconds, which only a failing test reaches.
  package func waits(until isMet: (Value) -> Bool) -> Bool {
    let end = Date.now.addingTimeInterval(20)
    state.condition.lock()
    defer { state.condition.unlock() }
    while !isMet(state.value) { guard state.condition.wait(until: end) else { return isMet(state.value) } }
    return true
  }
}
