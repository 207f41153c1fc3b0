package protocol LaneAccess: Sendable {
  /// Read for every request, so it takes no lock.
  var demand: LaneDemand { get }
  var clock: LaneClock { get }
  /// The identity of the lane, since its name may be opened again; `nil` for a lane that forgets everything.
  var id: ObjectIdentifier? { get }
  /// Whether a change waits for a store. Event loops never wait: they leave the state of such a lane to workers.
  var isDurable: Bool { get }
  /// Runs `body` once with the state and its revision, while no request changes the state.
  ///
  /// - Throws: The reason that a store could not load the state.
  func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) throws(LaneProblem)
  /// Runs `body` with the state and its revision, while no other request of the lane has the state, and then `deliver`
  /// once, in the order of the changes.
  ///
  /// A durable lane runs `body` again on a newer state after a conflict, so `body` assigns all of its results anew. It runs
  /// `deliver` after the store has acknowledged the change.
  ///
  /// - Throws: The reason that the change was not stored. The state is then unchanged, and `deliver` has not run.
  func update(_ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void) throws(LaneProblem)
  /// Does the same for a lane that other processes may have changed.
  ///
  /// - Parameters:
  ///   - kind: Says whether a store may do without a write.
  ///   - exchange: Returns the exchange of the change, which a shared store takes along; called after `body`.
  func update(
    _ kind: LaneUpdateKind, _ body: (inout LaneState, _ revision: Int) -> Void,
    noting exchange: () -> NumberedExchange?,
    then deliver: () -> Void
  ) throws(LaneProblem)
  /// Whether the state can be read without waiting for a store.
  var isLoaded: Bool { get }
  /// Reads the state from a shared store, if another process has changed it since.
  func refresh() throws(LaneProblem)
  /// The exchanges of a store that other processes use as well; `nil` for every other lane.
  var sharedExchanges: (any ExchangeStore)? { get }
  /// Runs work that may wait for a store, after the earlier work of the lane; at once in a lane that waits for none.
  func schedule(_ work: @escaping @Sendable () -> Void)
}

/// The relation of a change to the writes of a store.
package enum LaneUpdateKind: Sendable {
  /// A client learns of the state, so that a shared store has to confirm it, even unchanged.
  case event
  /// Nothing depends on the state unless the change changes it.
  case silent
  /// The lane is new: a lane of this name in the store is a problem.
  case opening
}

/// An exchange with its number among all of its process.
package struct NumberedExchange: Sendable {
  package let number: Int
  package let served: ServedRequest

  package init(number: Int, _ served: ServedRequest) { (self.number, self.served) = (number, served) }
}

extension LaneAccess {
  package var isDurable: Bool { false }
  package var sharedExchanges: (any ExchangeStore)? { nil }
  package var isLoaded: Bool { true }
  package func refresh() throws(LaneProblem) {}
  /// The state as this process knows it; `nil` if it would have to wait for a store.
  package var known: LaneState? {
    guard isLoaded else { return nil }
    var value: LaneState?
    try? read { state, _ in value = copy state }
    return value
  }

  package func update(
    _ kind: LaneUpdateKind, _ body: (inout LaneState, _ revision: Int) -> Void,
    noting exchange: () -> NumberedExchange?,
    then deliver: () -> Void
  ) throws(LaneProblem) {
    try update(body, then: deliver)
  }

  /// Runs `body` with the state; a store writes nothing if it changes nothing.
  package func updateSilently(_ body: (inout LaneState) -> Void) throws(LaneProblem) {
    try update(.silent, { state, _ in body(&state) }, noting: { nil }, then: {})
  }

  package func schedule(_ work: @escaping @Sendable () -> Void) { work() }

  /// The state between two requests, of all processes.
  package var value: LaneState {
    get throws(LaneProblem) {
      try refresh()
      var value = LaneState()
      try read { state, _ in value = copy state }
      return value
    }
  }

  /// Runs `body` with the state and its revision, while no other request of the lane has the state.
  package func update(_ body: (inout LaneState, _ revision: Int) -> Void) throws(LaneProblem) {
    try update(body, then: {})
  }

  /// Runs `body` with the state, while no other request of the lane has the state.
  package func update(_ body: (inout LaneState) -> Void) throws(LaneProblem) { try update { state, _ in body(&state) } }
}

/// Forwards to a lane for one event loop, so that loops do not count the references of one object at each request.
package final class LaneHandle: LaneAccess {
  private let lane: any LaneAccess
  package let isDurable: Bool

  package init(_ lane: any LaneAccess) { (self.lane, isDurable) = (lane, lane.isDurable) }

  package var demand: LaneDemand { lane.demand }
  package var clock: LaneClock { lane.clock }
  package var id: ObjectIdentifier? { lane.id }

  package func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) throws(LaneProblem) { try lane.read(body) }

  package func update(
    _ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void
  ) throws(LaneProblem) {
    try lane.update(body, then: deliver)
  }

  package func update(
    _ kind: LaneUpdateKind, _ body: (inout LaneState, _ revision: Int) -> Void,
    noting exchange: () -> NumberedExchange?,
    then deliver: () -> Void
  ) throws(LaneProblem) {
    try lane.update(kind, body, noting: exchange, then: deliver)
  }

  package var isLoaded: Bool { lane.isLoaded }
  package func refresh() throws(LaneProblem) { try lane.refresh() }
  package var sharedExchanges: (any ExchangeStore)? { lane.sharedExchanges }
  package func schedule(_ work: @escaping @Sendable () -> Void) { lane.schedule(work) }
}

/// A lane that forgets everything: each request is the first one.
package struct FreshLane: LaneAccess {
  private let mock: Mock
  private let openedAt: Int

  package init(mock: Mock) {
    self.mock = mock
    openedAt = mock.options.now()
  }

  package var demand: LaneDemand { mock.initialState.demand }
  package var clock: LaneClock { LaneClock() }
  package var id: ObjectIdentifier? { nil }

  private var state: LaneState {
    var state = mock.initialState
    state.openedAt = openedAt
    return state
  }

  package func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) { body(state, 0) }

  package func update(_ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void) {
    var state = state
    body(&state, 0)
    deliver()
  }
}
