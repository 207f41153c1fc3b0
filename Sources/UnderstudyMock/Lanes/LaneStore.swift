/// Hands out the lanes of a server: from memory, or from a store that outlives the process.
package protocol LaneStore: Sendable {
  /// The store of the lanes and its use; `nil` for lanes in memory.
  var storeFacts: LaneStoreFacts? { get }
  var unnamed: any LaneAccess { get }
  /// The names of the other lanes, in order, as far as the store is known.
  var names: [LaneName] { get }

  /// The lanes that this process has used, without the unnamed lane.
  var used: [any LaneAccess] { get }

  /// The lane of a name, if it is open.
  ///
  /// - Throws: The reason that a shared store cannot be asked for it.
  func find(_ name: LaneName) throws(LaneProblem) -> (any LaneAccess)?
  /// Whether `find` knows without a question to a store; event loops ask nothing else.
  func knows(_ name: LaneName) -> Bool

  /// Opens a lane; a store gets it with its first change.
  /// - Throws: Where a lane of this name is open, or there are too many.
  func open(_ name: LaneName, _ state: LaneState) throws(LaneProblem)

  /// Forgets a new lane that was not stored.
  func abandon(_ name: LaneName)

  /// Closes a lane and returns it; `nil` if no lane of this name is open.
  /// - Throws: The reason that the store still has the lane.
  func close(_ name: LaneName) throws(LaneProblem) -> (any LaneAccess)?

  /// Uses a mock from now on.
  ///
  /// - Returns: Whether the lanes adapt to the mock by themselves.
  func use(_ mock: Mock) -> Bool
}

extension LaneStore {
  package var storeFacts: LaneStoreFacts? { nil }
  package var isDurable: Bool { storeFacts != nil }
  package var used: [any LaneAccess] { names.compactMap { (try? find($0)) ?? nil } }
  package func knows(_ name: LaneName) -> Bool { true }
  package func use(_ mock: Mock) -> Bool { false }
  package func abandon(_ name: LaneName) { _ = try? close(name) }

  /// Opens a lane, which its store has when this returns.
  package func openStored(_ name: LaneName, _ state: LaneState) throws(LaneProblem) {
    try open(name, state)
    guard isDurable else { return }
    do throws(LaneProblem) {
      try find(name)?.update(.opening, { _, _ in }, noting: { nil }, then: {})
    } catch {
      abandon(name)
      throw error
    }
  }

  /// The lane of a name, which is opened where it is not.
  package func lane(_ name: LaneName, opening state: () -> LaneState) throws(LaneProblem) -> any LaneAccess {
    if name == .unnamed { return unnamed }
    if let lane = try find(name) { return lane }
    do throws(LaneProblem) {
      try open(name, state())
    } catch  where error.kind == .taken {
      // Another request was first.
    }
    guard let lane = try find(name) else {
      throw LaneProblem(.unknown, "the lane `\(name)` was closed meanwhile", help: "open it again")
    }
    return lane
  }
}

/// The store of the lanes and its use since the start, for the banner, `/metrics` and the health of the mock.
package struct LaneStoreFacts: Sendable {
  /// The kind and the name of the store: `SQLite lanes.db`.
  package let summary: String
  /// The number of processes that have used the store before this one.
  package let earlierProcesses: Int

  /// The number of sockets that each process with a store has to itself.
  private static let socketCount = 10_000_000
  /// The numbers of the sockets of this process.
  package var sockets: Range<Int> { Self.sockets(ofProcess: earlierProcesses) }
  static func sockets(ofProcess number: Int) -> Range<Int> {
    (number * socketCount + 1)..<((number + 1) * socketCount + 1)
  }
  /// The number of stored changes; requests that waited together share a change.
  package internal(set) var commits = 0
  /// The size of the stored states, in bytes.
  package internal(set) var bytes = 0
  /// The number of changes that were repeated on a newer state.
  package internal(set) var conflicts = 0
  /// The number of changes that were not stored.
  package internal(set) var failures = 0
  /// The number of exchanges that a shared store did not get; `nil` for a store of one process.
  package internal(set) var lostExchanges: Int?
  /// Whether a replica has had no contact with a shared store for the time of its lease.
  package internal(set) var isCutOff = false
}
