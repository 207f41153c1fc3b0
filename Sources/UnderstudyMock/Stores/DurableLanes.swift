import Dispatch
import Synchronization
import UnderstudySystem

/// The lanes of a store, which one process uses, or several replicas of a mock. A lane without sockets and requests for a time
/// is closed; the time goes on while no process has the store.
package final class DurableLanes: LaneStore {
  private let keeper: LaneKeeper
  private let lane: DurableLane
  private let entries: Lock<[LaneName: Entry]>
  private let limit: Int
  private let lastSweep = Atomic(0)
  /// The number of lanes of a shared store when they were listed last, with the lanes that this process has opened since.
  private let storedCount = Atomic(0)
  /// Disconnects the sockets of a process in a lane.
  private let end = Lock<(@Sendable (any LaneAccess, Range<Int>) -> Void)?>(nil)

  private struct Entry {
    /// `nil` until a request needs it.
    var lane: DurableLane?
    /// The last use by an earlier process, in microseconds since 1970.
    var lastUse: Int
    /// The time of the next timer of a lane that this process has not used yet.
    var due: Int?
  }

  /// - Parameters:
  ///   - clock: The clock of the mock, which follows a shared store.
  ///   - report: Gets a line about a lane whose parts begin anew.
  /// - Throws: The reason that the store cannot be used.
  package init(
    _ database: any LaneDatabase, serving mock: Mock, limit: Int = MemoryLanes.limit,
    idleLimit: Duration = MemoryLanes.idleLimit, now: (@Sendable () -> Int)? = nil,
    clock: ReplicaClock = ReplicaClock(),
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(LaneProblem) {
    self.limit = limit
    keeper = try LaneKeeper(database, serving: mock, idleLimit: idleLimit, now: now, clock: clock, report: report)
    // Before the first lane is read, so that no change of another replica is missed.
    try keeper.replicas?.join()
    let time = keeper.now()
    var entries: [LaneName: Entry] = [:]
    var knowsUnnamed = false
    for entry in try database.lanes(at: time) {
      // The other rows belong to replicas.
      guard let name = try? LaneName(entry.key) else { continue }
      guard name != .unnamed else {
        knowsUnnamed = true
        continue
      }
      let lastUse = entry.expires.map { $0 - idleLimit.wholeMicroseconds } ?? time
      entries[name] = Entry(lane: nil, lastUse: lastUse, due: entry.due)
    }
    // Another replica may add routes to a lane at any time.
    if !entries.isEmpty || keeper.replicas != nil { mock.options.addedRoutes.isUsed = true }
    storedCount.store(entries.count, ordering: .relaxed)
    self.entries = Lock(keeper.replicas == nil ? entries : entries.filter { $0.value.due != nil })
    lane = DurableLane(.unnamed, knowsUnnamed ? nil : mock.newState(), in: keeper, usedAt: time)
    keeper.replicas?.handle { handlers in
      handlers.changed = { [weak self] in self?.changed($0) }
      handlers.closed = { [weak self] in self?.forget($0) }
      handlers.forgetAll = { [weak self] in self?.forgetAll() }
      handlers.tick = { [weak self] in self?.keepSockets() }
    }
    do throws(LaneProblem) {
      // Its demand is known from here on, so that requests without state do not wait.
      try lane.update { _ in }
    } catch {
      // Another replica may serve the contract of the lane for a time.
      if keeper.replicas == nil || !lane.isLoaded { throw error }
    }
  }

  package var storeFacts: LaneStoreFacts? { keeper.facts }
  package var replicas: ReplicaGroup? { keeper.replicas }
  package var unnamed: any LaneAccess { lane }

  package var names: [LaneName] {
    guard keeper.replicas != nil else {
      sweep(at: keeper.now())
      return entries.withLock { Array($0.keys) }.sorted { $0.text < $1.text }
    }
    return ((try? storedEntries()) ?? []).map(\.name).sorted { $0.text < $1.text }
  }

  package var used: [any LaneAccess] { entries.withLock { $0.values.compactMap(\.lane) } }

  /// The lanes with a timer that an earlier process has left.
  package var waiting: [any LaneAccess] {
    let names = entries.withLock { entries in entries.filter { $0.value.due != nil }.map(\.key) }
    return [lane] + names.compactMap { (try? find($0)) ?? nil }
  }

  package func knows(_ name: LaneName) -> Bool {
    keeper.replicas == nil || name == .unnamed || entries.withLock { $0[name]?.lane != nil }
  }

  package func find(_ name: LaneName) throws(LaneProblem) -> (any LaneAccess)? {
    let time = keeper.now()
    if let known = known(name, at: time) { return known }
    guard keeper.replicas != nil, let stored = try keeper.database.load(name.text),
      try LaneStateText.read(stored.state).1.isClosed != true
    else { return nil }
    return entries.withLock { entries in
      let found = entries[name]?.lane ?? DurableLane(name, nil, in: keeper, usedAt: time)
      entries[name] = Entry(lane: found, lastUse: time)
      return found
    }
  }

  private func known(_ name: LaneName, at time: Int) -> DurableLane? {
    let found = entries.withLock { entries -> DurableLane? in
      guard var entry = entries[name], !isIdle(entry, at: time) else {
        // Another replica may use the lane.
        if keeper.replicas != nil { entries[name] = nil }
        return nil
      }
      let found = entry.lane ?? DurableLane(name, nil, in: keeper, usedAt: time)
      found.lastUse.store(time, ordering: .relaxed)
      if entry.lane == nil {
        entry.lane = found
        entries[name] = entry
      }
      return found
    }
    if let found, keeper.replicas != nil { prolong(found, at: time) }
    return found
  }

  /// Keeps a lane from its end in the store, where requests without state leave no trace.
  private func prolong(_ lane: DurableLane, at time: Int) {
    let last = lane.lastWrite.load(ordering: .relaxed)
    guard time - last > keeper.idleLimit / 4,
      lane.lastWrite.compareExchange(expected: last, desired: time, ordering: .relaxed).exchanged
    else { return }
    lane.schedule { try? lane.update { _ in } }
  }

  package func open(_ name: LaneName, _ state: LaneState) throws(LaneProblem) {
    let time = keeper.now()
    if abs(time - lastSweep.load(ordering: .relaxed)) > keeper.idleLimit / 4 { sweep(at: time) }
    var version: Int?
    if keeper.replicas != nil {
      if known(name, at: time) != nil { throw .taken(name) }
      if let stored = try keeper.database.load(name.text) {
        guard try LaneStateText.read(stored.state).1.isClosed == true else { throw .taken(name) }
        // The replica that has closed the lane ended before it removed it.
        version = stored.version
      }
      if storedCount.load(ordering: .relaxed) >= limit { try storedEntries() }
    }
    let isShared = keeper.replicas != nil
    let problem: LaneProblem? = entries.withLock { entries in
      if let entry = entries[name] {
        guard isIdle(entry, at: time) else { return .taken(name) }
        entry.lane?.detach()
      }
      let count = isShared ? storedCount.load(ordering: .relaxed) : entries.count
      guard count < limit || entries[name] != nil else {
        return .tooMany(limit, idleMicroseconds: keeper.idleLimit)
      }
      let new = DurableLane(name, state, in: keeper, usedAt: time)
      if let version { new.replace(version: version) }
      entries[name] = Entry(lane: new, lastUse: time)
      storedCount.add(1, ordering: .relaxed)
      return nil
    }
    if let problem { throw problem }
  }

  package func abandon(_ name: LaneName) {
    guard keeper.replicas != nil else {
      _ = try? close(name)
      return
    }
    // Another replica may have opened the lane in the store.
    entries.withLock { $0.removeValue(forKey: name) }?.lane?.detach()
  }

  package func close(_ name: LaneName) throws(LaneProblem) -> (any LaneAccess)? {
    if keeper.replicas != nil { _ = try find(name) }
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
    storedCount.subtract(1, ordering: .relaxed)
    try keeper.replicas?.announce(.closed(name.text))
    return found
  }

  package func use(_ mock: Mock) -> Bool {
    keeper.use(mock)
    if keeper.replicas != nil { mock.options.addedRoutes.isUsed = true }
    // A store that fails now leaves the demand of the lane unknown: each request asks for its state, and gets 503.
    try? lane.update { _ in }
    return true
  }

  /// Ends the use of the store, after the changes that have begun.
  package func close() {
    endSockets()
    keeper.replicas?.leave()
    keeper.database.close()
  }

  /// Disconnects the sockets of this replica, which the store would otherwise show as connected.
  private func endSockets() {
    guard keeper.replicas != nil, let end = end.withLock({ $0 }) else { return }
    let lanes = [lane] + entries.withLock { $0.values.compactMap(\.lane) }
    let ended = DispatchGroup()
    for lane in lanes where lane.hasSockets {
      end(lane, keeper.sockets)
      ended.enter()
      lane.schedule { ended.leave() }
    }
    _ = ended.wait(timeout: .now() + Self.endLimit)
  }

  private static let endLimit: DispatchTimeInterval = .seconds(2)

  // MARK: - Other replicas

  /// Calls `body` with a lane of this process that another replica has changed.
  package func onChange(_ body: @escaping @Sendable (any LaneAccess) -> Void) {
    keeper.replicas?.handle { handlers in
      handlers.changed = { [weak self] name in if let lane = self?.changed(name) { body(lane) } }
    }
  }

  /// Calls `body` with a lane of this process that another replica has closed.
  package func onClose(_ body: @escaping @Sendable (any LaneAccess) -> Void) {
    keeper.replicas?.handle { handlers in
      handlers.closed = { [weak self] name in
        guard let self, let lane = forget(name) else { return }
        keeper.workers.submit { body(lane) }
      }
    }
  }

  /// Ends the sockets of another replica, by their numbers, in one lane after the other.
  package func onTakeOver(_ body: @escaping @Sendable (any LaneAccess, Range<Int>) -> Void) {
    end.withLock { $0 = body }
    keeper.replicas?.handle { handlers in
      handlers.takeOver = { [weak self] sockets in
        guard let self else { return }
        keeper.workers.submit {
          body(self.lane, sockets)
          for (name, _) in (try? self.storedEntries()) ?? [] {
            if let lane = (try? self.find(name)) ?? nil { body(lane, sockets) }
          }
        }
      }
    }
  }

  /// Calls `body` with lanes whose timers are overdue, as the replica that had them has ended.
  package func onOverdue(_ body: @escaping @Sendable (any LaneAccess) -> Void) {
    keeper.replicas?.handle { handlers in
      handlers.tick = { [weak self] in
        guard let self else { return }
        keepSockets()
        let time = keeper.now() - Self.patience
        for (name, due) in (try? storedEntries()) ?? [] where due.map({ $0 < time }) ?? false {
          if let lane = (try? find(name)) ?? nil { body(lane) }
        }
        body(lane)
      }
    }
  }

  /// The time after which a timer is overdue, in microseconds.
  private static let patience = 500_000

  /// Keeps lanes with sockets of this replica from their end in the store.
  private func keepSockets() {
    let time = keeper.now()
    for entry in entries.withLock({ Array($0.values) }) {
      if let lane = entry.lane, lane.hasSockets { prolong(lane, at: time) }
    }
  }

  @discardableResult
  private func changed(_ name: LaneName) -> DurableLane? {
    let found: DurableLane? = name == .unnamed ? lane : entries.withLock { $0[name]?.lane }
    found?.forget()
    return found
  }

  /// Forgets a lane that another replica has closed.
  @discardableResult
  private func forget(_ name: LaneName) -> DurableLane? {
    let lane = entries.withLock { $0.removeValue(forKey: name) }?.lane
    lane?.forget()
    return lane
  }

  private func forgetAll() {
    lane.forget()
    for entry in entries.withLock({ Array($0.values) }) { entry.lane?.forget() }
  }

  /// The lanes of a shared store, without the lane without a name.
  @discardableResult
  private func storedEntries() throws(LaneProblem) -> [(name: LaneName, due: Int?)] {
    let found = try keeper.database.lanes(at: keeper.now()).compactMap { entry in
      (try? LaneName(entry.key)).map { ($0, entry.due) }
    }.filter { $0.0 != .unnamed }
    storedCount.store(found.count, ordering: .relaxed)
    return found
  }

  // MARK: - Idle lanes

  private func isIdle(_ entry: Entry, at time: Int) -> Bool {
    let lastUse = entry.lane?.lastUse.load(ordering: .relaxed) ?? entry.lastUse
    return time - lastUse > keeper.idleLimit && entry.lane?.hasSockets != true
  }

  /// Closes the idle lanes; their rows are removed by a worker. A row of a shared store ends by its own time.
  private func sweep(at time: Int) {
    lastSweep.store(time, ordering: .relaxed)
    let idle = entries.withLock { entries in
      let idle = entries.filter { isIdle($0.value, at: time) }
      for name in idle.keys { entries[name] = nil }
      return idle
    }
    if keeper.replicas != nil {
      keeper.workers.submit { _ = try? self.storedEntries() }
      return
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
