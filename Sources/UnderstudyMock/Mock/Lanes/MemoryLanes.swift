import Synchronization

/// The lanes of one process.
///
/// A lane that no request reaches for a time is closed, and the number of lanes is limited, so that clients cannot fill
/// the memory.
package final class MemoryLanes: LaneStore {
  /// The most lanes that are open at a time.
  package static let limit = 10_000
  /// The time without a request after which a lane is closed.
  package static let idleLimit: Duration = .seconds(15 * 60)

  private final class Entry: Sendable {
    let lane: Lane
    /// Microseconds since 1970.
    let lastUse: Atomic<Int>

    init(_ state: LaneState, at now: Int) {
      lane = Lane(state)
      lastUse = Atomic(now)
    }
  }

  private struct Table {
    var entries: [LaneName: Entry] = [:]
    var lastSweep = 0
  }

  /// The least time between two searches for idle lanes when no more may be opened, in microseconds: each looks at all.
  private static let fullSweepInterval = 1_000_000

  private let defaultLane: Lane
  private let table = Mutex(Table())
  private let now: @Sendable () -> Int
  private let limit: Int
  /// In microseconds.
  private let idleLimit: Int

  package init(
    _ state: LaneState, limit: Int = MemoryLanes.limit, idleLimit: Duration = MemoryLanes.idleLimit,
    now: @escaping @Sendable () -> Int = { Timestamp.microseconds() }
  ) {
    defaultLane = Lane(state)
    self.limit = limit
    self.idleLimit = Int(idleLimit / .microseconds(1))
    self.now = now
  }

  package var unnamed: any LaneAccess { defaultLane }

  package var names: [LaneName] {
    let time = now()
    return table.withLock { table in
      sweep(&table, at: time)
      return table.entries.keys.sorted { $0.text < $1.text }
    }
  }

  package func find(_ name: LaneName) -> (any LaneAccess)? {
    let time = now()
    let entry: Entry? = table.withLock { table in
      guard let entry = table.entries[name] else { return nil }
      if isIdle(entry, at: time) {
        table.entries[name] = nil
        return nil
      }
      return entry
    }
    entry?.lastUse.store(time, ordering: .relaxed)
    return entry?.lane
  }

  package func open(_ name: LaneName, _ state: LaneState) throws(LaneProblem) {
    let (time, limit) = (now(), limit)
    let problem: LaneProblem.Kind? = table.withLock { table in
      let interval = table.entries.count >= limit ? Self.fullSweepInterval : idleLimit / 4
      // The clock of the machine may have been set back.
      if abs(time - table.lastSweep) > interval { sweep(&table, at: time) }
      if let entry = table.entries[name], !isIdle(entry, at: time) { return .taken }
      guard table.entries.count < limit else { return .tooMany }
      table.entries[name] = Entry(state, at: time)
      return nil
    }
    switch problem {
    case nil: return
    case .taken?:
      throw LaneProblem(
        .taken, "the lane `\(name)` is open", help: "close it, or take a name that is unique to the test")
    default:
      throw LaneProblem(
        .tooMany, "\(limit) lanes are open",
        help: "close each at the end of its test; one without requests for \(idleLimit / 60_000_000) minutes is closed")
    }
  }

  package func close(_ name: LaneName) -> LaneState? {
    table.withLock { $0.entries.removeValue(forKey: name) }?.lane.value
  }

  private func isIdle(_ entry: Entry, at time: Int) -> Bool {
    time - entry.lastUse.load(ordering: .relaxed) > idleLimit
  }

  private func sweep(_ table: inout Table, at time: Int) {
    table.lastSweep = time
    table.entries = table.entries.filter { !isIdle($0.value, at: time) }
    // A use that a clock before its correction has noted would keep a lane until then.
    for entry in table.entries.values where entry.lastUse.load(ordering: .relaxed) > time {
      entry.lastUse.store(time, ordering: .relaxed)
    }
  }
}
