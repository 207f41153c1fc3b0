import Synchronization
import UnderstudyMock

/// A database in memory that conflicts and fails on demand.
final class FakeLaneDatabase: LaneDatabase {
  struct State {
    var lanes: [String: StoredLane] = [:]
    var entries: [String: StoredLaneEntry] = [:]
    /// Run before the next commits, each of which another process precedes then.
    var interruptions: [@Sendable (inout [String: StoredLane]) -> Void] = []
    var problem: LaneProblem?
    var writes: [LaneWrite] = []
  }

  let state = Mutex(State())
  /// Held by a test to make commits wait.
  let gate = Mutex(())
  let summary = "fake"
  let earlierProcesses = 0

  func lanes(at now: Int) throws(LaneProblem) -> [StoredLaneEntry] { state.withLock { Array($0.entries.values) } }

  func load(_ key: String) throws(LaneProblem) -> StoredLane? {
    let (lane, problem) = state.withLock { ($0.lanes[key], $0.problem) }
    if let problem { throw problem }
    return lane
  }

  func commit(_ write: LaneWrite) throws(LaneProblem) -> LaneCommit {
    let result: Result<LaneCommit, LaneProblem> = gate.withLock { _ in
      state.withLock { state in
        if let problem = state.problem { return .failure(problem) }
        if !state.interruptions.isEmpty { state.interruptions.removeFirst()(&state.lanes) }
        guard state.lanes[write.key]?.version == write.version else { return .success(.conflict) }
        state.lanes[write.key] = write.lane
        state.entries[write.key] = write.entry
        state.writes.append(write)
        return .success(.stored(announcement: nil))
      }
    }
    return try result.get()
  }

  func remove(_ keys: [String], expiredBy time: Int?) throws(LaneProblem) {
    let problem = state.withLock { state in
      if state.problem == nil { for key in keys { (state.lanes[key], state.entries[key]) = (nil, nil) } }
      return state.problem
    }
    if let problem { throw problem }
  }

  func append(_ exchanges: [StoredExchange]) throws(LaneProblem) {}

  func exchanges(of key: String?, after position: Int, limit: Int) throws(LaneProblem) -> [StoredExchange] { [] }

  func close() {}

  static let full = LaneProblem(.store, "the store is full", help: "make room")
}
