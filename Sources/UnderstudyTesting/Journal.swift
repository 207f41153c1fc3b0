import UnderstudyMock
import UnderstudySystem

/// What clients of a test have sent, in the order of its arrival.
final class Arrivals<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    /// The number of elements of each name that `next` has returned.
    var returned: [String: Int] = [:]
    var waiters: [Waiter] = []
    var lastWaiter = 0
    var isClosed = false
  }

  private struct Waiter {
    let id: Int
    let name: String
    let continuation: CheckedContinuation<Element?, Never>
  }

  private let state = Lock(State())
  private let name: @Sendable (Element) -> String?

  /// The most elements that are kept: a client in an endless loop must not fill the memory.
  static var limit: Int { 10_000 }

  /// - Parameter name: That of an element, by which `next` finds it.
  init(named name: @escaping @Sendable (Element) -> String?) { self.name = name }

  var elements: [Element] { state.withLock(\.elements) }

  /// Returns the position of the element, for `update`.
  @discardableResult func append(_ element: Element) -> Int {
    let name = name(element)
    let (position, waiter): (Int, Waiter?) = state.withLock { state in
      guard state.elements.count < Self.limit else { return (Self.limit, nil) }
      state.elements.append(element)
      let position = state.elements.count - 1
      guard let index = state.waiters.firstIndex(where: { $0.name == name }) else { return (position, nil) }
      state.returned[state.waiters[index].name, default: 0] += 1
      return (position, state.waiters.remove(at: index))
    }
    waiter?.continuation.resume(returning: element)
    return position
  }

  /// Changes an element.
  func update(_ position: Int, _ change: (inout Element) -> Void) {
    state.withLock { state in
      if state.elements.indices.contains(position) { change(&state.elements[position]) }
    }
  }

  /// The next element of a name; `nil` when none arrives in time, and at the end of the test.
  func next(_ name: String, within limit: Duration) async -> Element? {
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
        let known: Element?? = state.withLock { state in
          let arrived = state.elements.lazy.filter { self.name($0) == name }
          if let element = arrived.dropFirst(state.returned[name] ?? 0).first {
            state.returned[name, default: 0] += 1
            return element
          }
          if state.isClosed || Task.isCancelled { return .some(nil) }
          state.waiters.append(Waiter(id: id, name: name, continuation: continuation))
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

  private func dismiss(_ id: Int) {
    let waiter: Waiter? = state.withLock { state in
      state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
    }
    waiter?.continuation.resume(returning: nil)
  }
}

/// The requests of a test.
typealias Journal = Arrivals<Call>

extension Journal {
  convenience init() { self.init { $0.operation } }

  var calls: [Call] { elements }

  /// Takes the findings of an exchange at its end.
  func update(_ position: Int, with reply: Reply) { update(position) { $0.note(reply) } }

  /// What arrived, for a message: `the client sent readUser, readUser`.
  var overview: String {
    let names = calls.map { $0.operation ?? "\($0.method) \($0.path)" }
    return names.isEmpty ? "the client sent nothing" : "the client sent \(names.shortList)"
  }
}

/// The events of the sockets of a test, in the order in which its lane has seen them.
typealias EventLog = Arrivals<ClientEvent>

extension EventLog {
  convenience init() { self.init { $0.name } }

  /// What arrived, for a message: `the clients sent connect, changesocketid`.
  var overview: String {
    elements.isEmpty ? "no client has connected" : "the clients sent \(elements.map(\.name).shortList)"
  }
}

extension [String] {
  /// The first ones, and the number of the others.
  fileprivate var shortList: String {
    let limit = 10
    return prefix(limit).joined(separator: ", ") + (count > limit ? " and \(count - limit) more" : "")
  }
}
