import UnderstudyMock
import UnderstudySystem

/// The requests of a test, in the order of their arrival.
final class Journal: Sendable {
  private struct State {
    var calls: [Call] = []
    /// The number of requests of each operation that `next` has returned.
    var returned: [String: Int] = [:]
    var waiters: [Waiter] = []
    var lastWaiter = 0
    var isClosed = false
  }

  private struct Waiter {
    let id: Int
    let operation: String
    let continuation: CheckedContinuation<Call?, Never>
  }

  private let state = Lock(State())

  /// The most requests that are kept: a client in an endless loop must not fill the memory.
  static let limit = 10_000

  var calls: [Call] { state.withLock { $0.calls } }

  /// Returns the position of the call, for `update`.
  @discardableResult func append(_ call: Call) -> Int {
    let (position, waiter): (Int, Waiter?) = state.withLock { state in
      guard state.calls.count < Self.limit else { return (Self.limit, nil) }
      state.calls.append(call)
      let position = state.calls.count - 1
      guard let index = state.waiters.firstIndex(where: { $0.operation == call.operation }) else {
        return (position, nil)
      }
      state.returned[state.waiters[index].operation, default: 0] += 1
      return (position, state.waiters.remove(at: index))
    }
    waiter?.continuation.resume(returning: call)
    return position
  }

  /// Takes the findings of an exchange at its end.
  func update(_ position: Int, with reply: Reply) {
    state.withLock { state in
      if state.calls.indices.contains(position) { state.calls[position].note(reply) }
    }
  }

  /// The next request of an operation; `nil` when none arrives in time, and at the end of the test.
  func next(_ operation: String, within limit: Duration) async -> Call? {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let timeout = Task {
      try? await Task.sleep(for: limit)
      if !Task.isCancelled { dismiss(id) }
    }
    defer { timeout.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Call?? = state.withLock { state in
          let arrived = state.calls.lazy.filter { $0.operation == operation }
          if let call = arrived.dropFirst(state.returned[operation] ?? 0).first {
            state.returned[operation, default: 0] += 1
            return call
          }
          if state.isClosed || Task.isCancelled { return .some(nil) }
          state.waiters.append(Waiter(id: id, operation: operation, continuation: continuation))
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      dismiss(id)
    }
  }

  /// Whether the test has ended.
  var isClosed: Bool { state.withLock(\.isClosed) }

  /// Ends every wait.
  func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
  }

  /// What arrived, for a message: `the client sent readUser, readUser`.
  var overview: String {
    let calls = calls
    guard !calls.isEmpty else { return "the client sent nothing" }
    let shown = calls.prefix(Self.shown).map { $0.operation ?? "\($0.method) \($0.path)" }
    return "the client sent \(shown.joined(separator: ", "))"
      + (calls.count > Self.shown ? " and \(calls.count - Self.shown) more" : "")
  }

  private static let shown = 10

  private func dismiss(_ id: Int) {
    let waiter: Waiter? = state.withLock { state in
      state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
    }
    waiter?.continuation.resume(returning: nil)
  }
}
