package import Synchronization
package import UnderstudyMock

/// A store in memory that several replicas use, each by a database of its own.
package final class FakeReplicaStore: Sendable {
  package struct State {
    package var lanes: [String: (lane: StoredLane, entry: StoredLaneEntry)] = [:]
    package var exchanges: [StoredExchange] = []
    package var replicas: [String: StoredReplica] = [:]
    package var announcements: [(number: Int, change: LaneAnnouncement)] = []
    package var processes = 0
    package var commits = 0
    package var random = RepeatableGenerator(state: 1)
    /// The share of commits that another process precedes, in percent.
    package var conflicts = 0
    /// The share of commits whose acknowledgement is lost, in percent.
    package var lostAcknowledgements = 0
    /// Microseconds by which the time of the store goes beyond the clock of the machine.
    package var ahead = 0
    package var wakes: [String: @Sendable () -> Void] = [:]
  }

  /// A defect of a database that a checker has to find.
  package enum Defect { case staleReads, doubledEffects, lateChanges }

  package let state = Mutex(State())

  package init(seed: UInt64 = 1) { state.withLock { $0.random = RepeatableGenerator(state: seed) } }

  /// A database for a new replica.
  package func database(with defect: Defect? = nil) -> FakeReplicaDatabase {
    let number = state.withLock { state in
      defer { state.processes += 1 }
      return state.processes
    }
    return FakeReplicaDatabase(self, number, defect)
  }

  /// Ends a lease without farewell.
  package func expire(_ replica: String) {
    state.withLock { state in
      guard let known = state.replicas[replica] else { return }
      state.replicas[replica] = StoredReplica(
        name: replica, lease: Self.time(state) - 1, seen: known.seen, flushed: known.flushed, contract: known.contract)
    }
  }

  /// The time of the store, in microseconds since 1970.
  fileprivate static func time(_ state: State) -> Int { Timestamp.microseconds() + state.ahead }

  fileprivate func announce(_ change: LaneAnnouncement, in state: inout State) -> Int {
    state.announcements.append((state.announcements.count + 1, change))
    return state.announcements.count
  }

  /// Wakes all replicas but one.
  fileprivate func wakeOthers(_ replica: String) {
    let wakes = state.withLock { $0.wakes }
    for (name, wake) in wakes where name != replica { wake() }
  }
}

package final class FakeReplicaDatabase: ReplicaDatabase {
  package let store: FakeReplicaStore
  package let replica: String
  package let earlierProcesses: Int
  package let summary = "fake replicas"
  private let defect: FakeReplicaStore.Defect?
  /// Whether the store cannot be reached.
  package let isCut = Mutex(false)

  fileprivate init(_ store: FakeReplicaStore, _ number: Int, _ defect: FakeReplicaStore.Defect?) {
    (self.store, self.defect, earlierProcesses) = (store, defect, number)
    replica = "r\(number + 1)"
  }

  package static let cut = LaneProblem(.store, "the store cannot be reached", help: "connect it")
  package static let unknown = LaneProblem(.outcome, "the acknowledgement was lost", help: "look at the state")

  private func use<Value>(
    _ body: (inout FakeReplicaStore.State) -> Result<Value, LaneProblem>
  ) throws(LaneProblem) -> Value {
    if isCut.withLock({ $0 }) { throw Self.cut }
    nonisolated(unsafe) var result: Result<Value, LaneProblem> = .failure(Self.cut)
    store.state.withLock { result = body(&$0) }
    return try result.get()
  }

  package func lanes(at now: Int) throws(LaneProblem) -> [StoredLaneEntry] {
    try use { state in
      state.lanes = state.lanes.filter { $0.value.entry.expires.map { $0 > now } ?? true }
      return .success(state.lanes.values.map(\.entry))
    }
  }

  package func load(_ key: String) throws(LaneProblem) -> StoredLane? { try use { .success($0.lanes[key]?.lane) } }

  package func commit(_ write: LaneWrite) throws(LaneProblem) -> LaneCommit {
    let isLane = !write.key.hasPrefix("/")
    let result: LaneCommit = try use { state in
      let known = state.lanes[write.key]?.lane
      if defect == .staleReads, !write.exchanges.isEmpty,
        write.exchanges.allSatisfy({ $0.text.contains(#""method":"GET""#) })
      {
        // The database does not compare versions where a request reads alone.
        return .success(.stored(announcement: nil))
      }
      guard known?.version == write.version else { return .success(.conflict) }
      if isLane, state.conflicts > 0, Int(state.random.next() % 100) < state.conflicts, let known {
        // Another process writes the same state first.
        let other = StoredLane(version: known.version + 1, state: known.state, contract: known.contract)
        state.lanes[write.key]?.lane = other
        return .success(.conflict)
      }
      state.commits += 1
      state.lanes[write.key] = (write.lane, write.entry)
      for exchange in write.exchanges { Self.put(exchange, in: &state) }
      let number = write.isAnnounced ? store.announce(.lane(write.key), in: &state) : nil
      if isLane, state.lostAcknowledgements > 0, Int(state.random.next() % 100) < state.lostAcknowledgements {
        return defect == .doubledEffects ? .success(.conflict) : .failure(Self.unknown)
      }
      return .success(.stored(announcement: number))
    }
    if write.isAnnounced { store.wakeOthers(replica) }
    return result
  }

  private static func put(_ exchange: StoredExchange, in state: inout FakeReplicaStore.State) {
    let known = state.exchanges.firstIndex { $0.replica == exchange.replica && $0.number == exchange.number }
    let stored = StoredExchange(
      replica: exchange.replica, number: exchange.number, lane: exchange.lane, time: exchange.time,
      text: exchange.text, position: (known ?? state.exchanges.count) + 1)
    if let known { state.exchanges[known] = stored } else { state.exchanges.append(stored) }
  }

  package func remove(_ keys: [String], expiredBy time: Int?) throws(LaneProblem) {
    try use { state in
      for key in keys { state.lanes[key] = nil }
      return .success(())
    }
  }

  package func append(_ exchanges: [StoredExchange]) throws(LaneProblem) {
    try use { state in
      for exchange in exchanges { Self.put(exchange, in: &state) }
      return .success(())
    }
  }

  package func exchanges(of key: String?, after position: Int, limit: Int) throws(LaneProblem) -> [StoredExchange] {
    try use { state in
      .success(Array(state.exchanges.filter { $0.position > position && (key == nil || $0.lane == key) }.prefix(limit)))
    }
  }

  package func close() { store.state.withLock { $0.wakes[replica] = nil } }

  package func renew(_ duration: Int, seen: Int, flushed: Int, contract: String) throws(LaneProblem) -> Int {
    try use { state in
      let time = FakeReplicaStore.time(state)
      state.replicas[replica] = StoredReplica(
        name: replica, lease: time + duration, seen: seen, flushed: flushed, contract: contract)
      return .success(time)
    }
  }

  package func leave() throws(LaneProblem) {
    try use { state in
      state.replicas[replica] = nil
      return .success(())
    }
  }

  package func replicas() throws(LaneProblem) -> [StoredReplica] {
    try use { state in .success(state.replicas.values.sorted { $0.name < $1.name }) }
  }

  package func remove(_ replica: StoredReplica) throws(LaneProblem) -> Bool {
    try use { state in
      guard let known = state.replicas[replica.name], known.lease < FakeReplicaStore.time(state) else {
        return .success(false)
      }
      state.replicas[replica.name] = nil
      return .success(true)
    }
  }

  package func announce(_ change: LaneAnnouncement) throws(LaneProblem) -> Int {
    let number = try use { state in .success(store.announce(change, in: &state)) }
    store.wakeOthers(replica)
    return number
  }

  package func announcements(after number: Int) throws(LaneProblem) -> [(number: Int, change: LaneAnnouncement)] {
    let found = try use { state in .success(Array(state.announcements.dropFirst(number))) }
    guard defect == .lateChanges else { return found }
    // The replica acknowledges changes that it has not made.
    return found.map { entry in if case .lane = entry.change { (entry.number, .mock("{}")) } else { entry } }
  }

  package func onWake(_ body: @escaping @Sendable () -> Void) { store.state.withLock { $0.wakes[replica] = body } }
}
