import Synchronization
import UnderstudySockets
import UnderstudySystem

/// The state of one lane in a store, with a copy in memory: the last version that the store has acknowledged.
///
/// A change waits until it is stored, and others that wait by then are stored with it. A change that was not stored leaves no
/// trace. The state is loaded at its first use.
final class DurableLane: LaneAccess {
  let name: LaneName
  private let keeper: LaneKeeper
  private let held: Lock<Held>
  private let queue = LaneQueue()
  private let scheduled = Lock(Scheduled())
  private let demandCode: Atomic<UInt8>
  /// The generation of the mock that the state is adapted to; -1 before the first change in this process.
  private let generation = Atomic(-1)
  private let socketsAreConnected = Atomic(false)
  /// Microseconds since 1970.
  let lastUse: Atomic<Int>

  private struct Held {
    /// `nil` until it is loaded.
    var state: LaneState?
    var revision = 0
    /// `nil` until it is stored.
    var version: Int?
    /// The contract that the state is stored by; `nil` for a new state.
    var contract: LaneContract?
    /// Whether the state comes from another process, whose sockets have left.
    var isForeign = false
    /// Whether the lane is closed: it has left the store, and goes on in memory.
    var isClosed = false
    /// The generation of the mock that the state is adapted to.
    var generation = -1
  }

  private struct Scheduled {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
  }

  /// The maximum number of attempts at a change; each conflict means that another process was first.
  private static let attemptLimit = 100
  /// The maximum number of scheduled jobs between two turns of other lanes.
  private static let turnLimit = 100

  /// - Parameter state: The state of a new lane; `nil` for a lane that the store has.
  init(_ name: LaneName, _ state: LaneState?, in keeper: LaneKeeper, usedAt time: Int) {
    (self.name, self.keeper) = (name, keeper)
    lastUse = Atomic(time)
    held = Lock(Held(state: state))
    demandCode = Atomic((state?.demand ?? .everything).rawValue)
  }

  var demand: LaneDemand {
    guard generation.load(ordering: .relaxed) == keeper.generation else { return .everything }
    return LaneDemand(rawValue: demandCode.load(ordering: .relaxed)) ?? .everything
  }
  var clock: LaneClock { held.withLock { $0.state?.clock } ?? LaneClock() }
  var id: ObjectIdentifier? { ObjectIdentifier(self) }
  var isDurable: Bool { true }
  var hasSockets: Bool { socketsAreConnected.load(ordering: .relaxed) }

  func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) throws(LaneProblem) {
    let held = try loaded()
    if let state = held.state { body(state, held.revision) }
  }

  func update(
    _ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void
  ) throws(LaneProblem) {
    let problem = withoutActuallyEscaping(body) { body in
      withoutActuallyEscaping(deliver) { deliver in
        let work = LaneWork(body, then: deliver)
        queue.run(work, by: store)
        return work.problem
      }
    }
    if let problem { throw problem }
  }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    let isFirst = scheduled.withLock { scheduled in
      scheduled.jobs.append(work)
      defer { scheduled.isRunning = true }
      return !scheduled.isRunning
    }
    if isFirst { keeper.workers.submit { self.runScheduled() } }
  }

  private func runScheduled() {
    let jobs = scheduled.withLock { scheduled in
      let jobs = Array(scheduled.jobs.prefix(Self.turnLimit))
      scheduled.jobs.removeFirst(jobs.count)
      return jobs
    }
    for job in jobs { job() }
    let isLast = scheduled.withLock { scheduled in
      scheduled.isRunning = !scheduled.jobs.isEmpty
      return !scheduled.isRunning
    }
    if !isLast { keeper.workers.submit { self.runScheduled() } }
  }

  /// Removes the lane from the store; it goes on in memory.
  func close() throws(LaneProblem) {
    let hadClosed = held.withLock { held in
      defer { held.isClosed = true }
      return held.isClosed
    }
    do throws(LaneProblem) {
      // After the changes that are being stored.
      try update { _ in }
      if !hadClosed { try keeper.database.remove([name.text], expiredBy: nil) }
    } catch {
      held.withLock { $0.isClosed = hadClosed }
      throw error
    }
  }

  /// Goes on in memory, as the store has the lane no longer.
  func detach() { held.withLock { $0.isClosed = true } }

  // MARK: - The store

  private func loaded() throws(LaneProblem) -> Held {
    let known = held.withLock { $0 }
    guard known.state == nil else { return known }
    let stored = try keeper.database.load(name.text)
    let state = try stored.map { stored throws(LaneProblem) in try LaneStateText.read(stored.state) }
    return held.withLock { held in
      // Another thread may have been first.
      guard held.state == nil else { return held }
      held.state = state ?? LaneOpening().state(of: keeper.serving.mock, isNamed: name != .unnamed)
      held.version = stored?.version
      held.contract = stored.flatMap { LaneContract(text: $0.contract) }
      held.isForeign = stored != nil
      held.revision &+= 1
      return held
    }
  }

  /// Stores the changes of a batch in order, and delivers each; returns the reason that nothing is stored.
  private func store(_ batch: [LaneWork]) -> LaneProblem? {
    do throws(LaneProblem) {
      for _ in 0..<Self.attemptLimit {
        if try attempt(batch) { return nil }
      }
      throw LaneProblem(
        .store, "the lane `\(name)` changed \(Self.attemptLimit) times meanwhile in another process",
        help: "send the requests of a lane to one process")
    } catch {
      keeper.count { $0.failures += 1 }
      return error
    }
  }

  /// - Returns: Whether the changes are stored; otherwise another process has changed the lane.
  private func attempt(_ batch: [LaneWork]) throws(LaneProblem) -> Bool {
    let serving = keeper.serving
    var next = try loaded()
    guard let before = next.state else { return false }
    var state = before
    let reset = adapt(&state, &next, serving)
    for work in batch {
      work.apply(to: &state, next.revision)
      next.revision &+= 1
    }
    let isNew = next.version == nil || next.contract != serving.contract
    let isChanged = isNew || !reset.isEmpty || state.differs(from: before)
    next.contract = serving.contract
    if isChanged, !next.isClosed {
      let write = try write(state, next)
      guard try keeper.database.commit(write).isStored else {
        keeper.count { $0.conflicts += 1 }
        reload(keeping: before)
        return false
      }
      keeper.count { facts in
        facts.commits += 1
        facts.bytes += write.lane.state.utf8.count
      }
      next.version = write.lane.version
    }
    publish(state, next)
    keeper.noteReset(reset, of: name)
    for work in batch { work.shown() }
    return true
  }

  private func adapt(_ state: inout LaneState, _ next: inout Held, _ serving: LaneKeeper.Serving) -> [String] {
    guard next.generation != serving.generation || next.isForeign else { return [] }
    var reset: [String] = []
    if next.version != nil, next.contract != serving.contract {
      reset = serving.mock.adapt(&state, isNamed: name != .unnamed, from: next.contract, to: serving.contract)
    }
    // Its responses belong to the operations of another mock.
    state.resources.answers = ItemResponses()
    if next.isForeign { serving.mock.resume(&state) }
    (next.isForeign, next.generation) = (false, serving.generation)
    return reset
  }

  private func write(_ state: LaneState, _ next: Held) throws(LaneProblem) -> LaneWrite {
    // A lane with connected sockets is not idle; a process that ends leaves it to the next one.
    let expires = name == .unnamed ? nil : keeper.now() + keeper.idleLimit
    return LaneWrite(
      key: name.text, version: next.version,
      lane: StoredLane(
        version: (next.version ?? 0) + 1, state: try LaneStateText.write(state), contract: next.contract?.text ?? ""),
      entry: StoredLaneEntry(key: name.text, due: state.sockets.nextDue, expires: expires),
      format: LaneStateFormat.current, time: keeper.now())
  }

  private func publish(_ state: LaneState, _ next: Held) {
    held.withLock { held in
      let isClosed = held.isClosed
      held = next
      (held.state, held.isClosed) = (state, isClosed)
    }
    demandCode.store(state.demand.rawValue, ordering: .relaxed)
    generation.store(next.generation, ordering: .relaxed)
    socketsAreConnected.store(!state.sockets.sockets.isEmpty, ordering: .relaxed)
  }

  /// Forgets the copy in memory after a conflict, but for the parts that belong to this process.
  private func reload(keeping before: LaneState) {
    held.withLock { held in (held.state, held.revision) = (nil, held.revision &+ 1) }
    // A store that fails now fails the next attempt as well.
    guard (try? loaded()) != nil else { return }
    held.withLock { held in
      held.state?.sockets.takeLocalParts(of: before.sockets)
      held.isForeign = false
    }
  }
}

extension LaneState {
  /// Whether a store would hold another text for this state.
  fileprivate func differs(from before: LaneState) -> Bool {
    var before = before
    before.sockets.takeLocalParts(of: sockets)
    return self != before
  }
}
