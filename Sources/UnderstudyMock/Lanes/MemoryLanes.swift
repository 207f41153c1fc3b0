import Synchronization
import UnderstudySystem

/// The lanes of one process, in parts by name, so that clients seldom wait for each other. A lane without sockets and
/// requests for a time is closed, and the number of lanes is limited, so that clients cannot fill the memory.
package final class MemoryLanes: LaneStore {
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

  private final class Part: Sendable {
    let entries = Lock<[LaneName: Entry]>([:])
  }

  /// The least time between two searches for idle lanes when no more may be opened, in microseconds: each looks at all.
  private static let fullSweepInterval = 1_000_000

  private let defaultLane: Lane
  private let parts = (0..<64).map { _ in Part() }
  private let count = Atomic(0)
  private let lastSweep = Atomic(0)
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
    self.idleLimit = idleLimit.wholeMicroseconds
    self.now = now
  }

  package var unnamed: any LaneAccess { defaultLane }

  package var names: [LaneName] {
    sweep(at: now())
    return parts.flatMap { part in part.entries.withLock { Array($0.keys) } }.sorted { $0.text < $1.text }
  }

  package func find(_ name: LaneName) -> (any LaneAccess)? {
    let time = now()
    let entry: Entry? = part(of: name).entries.withLock { entries in
      guard let entry = entries[name] else { return nil }
      if isIdle(entry, at: time) {
        remove(name, from: &entries)
        return nil
      }
      return entry
    }
    entry?.lastUse.store(time, ordering: .relaxed)
    return entry?.lane
  }

  package func open(_ name: LaneName, _ state: LaneState) throws(LaneProblem) {
    let (time, limit) = (now(), limit)
    let interval = count.load(ordering: .relaxed) >= limit ? Self.fullSweepInterval : idleLimit / 4
    // The clock of the machine may have been set back.
    if abs(time - lastSweep.load(ordering: .relaxed)) > interval { sweep(at: time) }
    let problem: LaneProblem.Kind? = part(of: name).entries.withLock { entries in
      if let entry = entries[name] {
        guard isIdle(entry, at: time) else { return .taken }
        remove(name, from: &entries)
      }
      guard count.add(1, ordering: .relaxed).newValue <= limit else {
        count.subtract(1, ordering: .relaxed)
        return .tooMany
      }
      entries[name] = Entry(state, at: time)
      return nil
    }
    switch problem {
    case nil: return
    case .taken?: throw .taken(name)
    default: throw .tooMany(limit, idleMicroseconds: idleLimit)
    }
  }

  package func close(_ name: LaneName) -> (any LaneAccess)? {
    part(of: name).entries.withLock { entries in remove(name, from: &entries) }?.lane
  }

  private func part(of name: LaneName) -> Part { parts[Int(UInt(bitPattern: name.hashValue) % UInt(parts.count))] }

  @discardableResult
  private func remove(_ name: LaneName, from entries: inout [LaneName: Entry]) -> Entry? {
    guard let entry = entries.removeValue(forKey: name) else { return nil }
    count.subtract(1, ordering: .relaxed)
    return entry
  }

  private func isIdle(_ entry: Entry, at time: Int) -> Bool {
    time - entry.lastUse.load(ordering: .relaxed) > idleLimit && !entry.lane.hasSockets
  }

  private func sweep(at time: Int) {
    lastSweep.store(time, ordering: .relaxed)
    for part in parts {
      part.entries.withLock { entries in
        for (name, entry) in entries where isIdle(entry, at: time) { remove(name, from: &entries) }
        // A use that a clock before its correction has noted would keep a lane until then.
        for entry in entries.values where entry.lastUse.load(ordering: .relaxed) > time {
          entry.lastUse.store(time, ordering: .relaxed)
        }
      }
    }
  }
}
