import Synchronization
import UnderstudySystem

/// The lanes of a store, which one process uses. A lane without sockets and requests for a time is closed; the time goes on
/// while no process has the store.
package final class DurableLanes: LaneStore {
  private let keeper: LaneKeeper
  private let lane: DurableLane
  private let entries: Lock<[LaneName: Entry]>
  private let limit: Int
  private let lastSweep = Atomic(0)

  private struct Entry {
    /// `nil` until a request needs it.
    var lane: DurableLane?
    /// The last use by an earlier process, in microseconds since 1970.
    var lastUse: Int
    /// The time of the next timer of a lane that this process has not used yet.
    var due: Int?
  }

  /// - Parameters:
  ///   - report: Gets a line about a lane whose parts begin anew.
  /// - Throws: The reason that the store cannot be used.
  package init(
    _ database: any LaneDatabase, serving mock: Mock, limit: Int = MemoryLanes.limit,
    idleLimit: Duration = MemoryLanes.idleLimit, now: @escaping @Sendable () -> Int = { Timestamp.microseconds() },
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(LaneProblem) {
    self.limit = limit
    keeper = LaneKeeper(database, serving: mock, idleLimit: idleLimit, now: now, report: report)
    let time = now()
    var entries: [LaneName: Entry] = [:]
    var knowsUnnamed = false
    for entry in try database.lanes(at: time) {
      let name = try LaneName(entry.key)
      guard name != .unnamed else {
        knowsUnnamed = true
        continue
      }
      let lastUse = entry.expires.map { $0 - idleLimit.wholeMicroseconds } ?? time
      entries[name] = Entry(lane: nil, lastUse: lastUse, due: entry.due)
    }
    if !entries.isEmpty { mock.options.addedRoutes.isUsed = true }
    self.entries = Lock(entries)
    lane = DurableLane(.unnamed, knowsUnnamed ? nil : mock.newState(), in: keeper, usedAt: time)
    // Its demand is known from here on, so that requests without state do not wait.
    try lane.update { _ in }
  }

  package var storeFacts: LaneStoreFacts? { keeper.facts }
  package var unnamed: any LaneAccess { lane }

  package var names: [LaneName] {
    sweep(at: keeper.now())
    return entries.withLock { Array($0.keys) }.sorted { $0.text < $1.text }
  }

  package var used: [any LaneAccess] { entries.withLock { $0.values.compactMap(\.lane) } }

  /// The lanes with a timer that an earlier process has left.
  package var waiting: [any LaneAccess] {
    let names = entries.withLock { entries in entries.filter { $0.value.due != nil }.map(\.key) }
    return [lane] + names.compactMap(find)
  }

  package func find(_ name: LaneName) -> (any LaneAccess)? {
    let time = keeper.now()
    return entries.withLock { entries -> DurableLane? in
      guard var entry = entries[name], !isIdle(entry, at: time) else { return nil }
      let found = entry.lane ?? DurableLane(name, nil, in: keeper, usedAt: time)
      found.lastUse.store(time, ordering: .relaxed)
      if entry.lane == nil {
        entry.lane = found
        entries[name] = entry
      }
      return found
    }
  }

  package func open(_ name: LaneName, _ state: LaneState) throws(LaneProblem) {
    let time = keeper.now()
    if abs(time - lastSweep.load(ordering: .relaxed)) > keeper.idleLimit / 4 { sweep(at: time) }
    let problem: LaneProblem? = entries.withLock { entries in
      if let entry = entries[name] {
        guard isIdle(entry, at: time) else { return .taken(name) }
        entry.lane?.detach()
      }
      guard entries.count < limit || entries[name] != nil else {
        return .tooMany(limit, idleMicroseconds: keeper.idleLimit)
      }
      let new = DurableLane(name, state, in: keeper, usedAt: time)
      entries[name] = Entry(lane: new, lastUse: time)
      return nil
    }
    if let problem { throw problem }
  }

  package func close(_ name: LaneName) throws(LaneProblem) -> (any LaneAccess)? {
    let found: DurableLane? = entries.withLock { entries in
      guard var entry = entries[name] else { return nil }
      let found = entry.lane ?? DurableLane(name, nil, in: keeper, usedAt: keeper.now())
      entry.lane = found
      entries[name] = entry
      return found
    }
    guard let found else { return nil }
    try found.close()
    entries.withLock { $0[name] = nil }
    return found
  }

  package func use(_ mock: Mock) -> Bool {
    keeper.use(mock)
    // A store that fails now leaves the demand of the lane unknown: each request asks for its state, and gets 503.
    try? lane.update { _ in }
    return true
  }

  /// Ends the use of the store, after the changes that have begun.
  package func close() { keeper.database.close() }

  private func isIdle(_ entry: Entry, at time: Int) -> Bool {
    let lastUse = entry.lane?.lastUse.load(ordering: .relaxed) ?? entry.lastUse
    return time - lastUse > keeper.idleLimit && entry.lane?.hasSockets != true
  }

  /// Closes the idle lanes; their rows are removed by a worker.
  private func sweep(at time: Int) {
    lastSweep.store(time, ordering: .relaxed)
    let idle = entries.withLock { entries in
      let idle = entries.filter { isIdle($0.value, at: time) }
      for name in idle.keys { entries[name] = nil }
      return idle
    }
    if idle.isEmpty { return }
    for entry in idle.values { entry.lane?.detach() }
    let keys = idle.keys.map(\.text)
    keeper.workers.submit { [keeper] in
      // A row that stays expires, and the next process removes it.
      try? keeper.database.remove(keys, expiredBy: time)
    }
  }
}

extension LaneProblem {
  static func taken(_ name: LaneName) -> LaneProblem {
    LaneProblem(.taken, "the lane `\(name)` is open", help: "close it, or take a name that is unique to the test")
  }

  static func tooMany(_ limit: Int, idleMicroseconds: Int) -> LaneProblem {
    LaneProblem(
      .tooMany, "\(limit) lanes are open",
      help: "close each at the end of its test; one without requests for \(idleMicroseconds / 60_000_000) minutes is "
        + "closed")
  }
}
