import Synchronization
import UnderstudySockets
import UnderstudySystem

/// The state of one lane in a store, with a copy in memory: the last version that the store has acknowledged.
///
/// A change waits until it is stored, and others that wait by then are stored with it. A change that was not stored leaves no
/// trace. The state is loaded at its first use, and again after another process has changed it.
final class DurableLane: LaneAccess {
  let name: LaneName
  let keeper: LaneKeeper
  let held: Lock<Held>
  private let queue = LaneQueue()
  private let scheduled = Lock(Scheduled())
  private let demandCode: Atomic<UInt8>
  /// The generation of the mock that the state is adapted to; -1 before the first change in this process.
  private let generation = Atomic(-1)
  private let socketsAreConnected = Atomic(false)
  /// Microseconds since 1970.
  let lastUse: Atomic<Int>
  /// The time of the last write, in microseconds since 1970.
  let lastWrite: Atomic<Int>

  struct Held {
    /// `nil` until it is loaded.
    var state: LaneState?
    var revision = 0
    /// `nil` until it is stored.
    var version: Int?
    /// The contract that the state is stored by; `nil` for a new state.
    var contract: LaneContract?
    var notes = LaneNotes()
    /// Whether the state comes from another process, whose sockets have left.
    var isForeign = false
    /// Whether the lane is closed: it has left the store, and goes on in memory.
    var isClosed = false
    /// The generation of the mock that the state is adapted to.
    var generation = -1
    /// Grows when another process has changed the lane.
    var epoch = 0
    /// The parts of the sockets that belong to this process, while the state is not loaded.
    var local: SocketState?
    /// The number of the raise that all replicas have acknowledged, or had their time to.
    var raised: Int?
  }

  private struct Scheduled {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
  }

  /// The maximum number of scheduled jobs between two turns of other lanes.
  private static let turnLimit = 100

  /// - Parameter state: The state of a new lane; `nil` for a lane that the store has.
  init(_ name: LaneName, _ state: LaneState?, in keeper: LaneKeeper, usedAt time: Int) {
    (self.name, self.keeper) = (name, keeper)
    lastUse = Atomic(time)
    lastWrite = Atomic(time)
    held = Lock(Held(state: state))
    demandCode = Atomic((state?.demand ?? .everything).rawValue)
  }

  var demand: LaneDemand {
    guard generation.load(ordering: .relaxed) == keeper.generation else { return .everything }
    // A replica that is cut off does not learn that a lane was opened anew. The lane without a name never is.
    if let replicas = keeper.replicas, name != .unnamed, replicas.isCutOff { return .everything }
    return LaneDemand(rawValue: demandCode.load(ordering: .acquiring)) ?? .everything
  }
  var clock: LaneClock { held.withLock { $0.state?.clock } ?? LaneClock() }
  var id: ObjectIdentifier? { ObjectIdentifier(self) }
  var isDurable: Bool { true }
  var hasSockets: Bool { socketsAreConnected.load(ordering: .relaxed) }
  var sharedExchanges: (any ExchangeStore)? { keeper.replicas?.exchanges }

  func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) throws(LaneProblem) {
    let held = try loaded()
    if let state = held.state { body(state, held.revision) }
  }

  func update(
    _ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void
  ) throws(LaneProblem) {
    try update(.event, body, noting: { nil }, then: deliver)
  }

  func update(
    _ kind: LaneUpdateKind, _ body: (inout LaneState, _ revision: Int) -> Void,
    noting exchange: () -> NumberedExchange?,
    then deliver: () -> Void
  ) throws(LaneProblem) {
    let problem = withoutActuallyEscaping(body) { body in
      withoutActuallyEscaping(exchange) { exchange in
        withoutActuallyEscaping(deliver) { deliver in
          let work = LaneWork(kind, body, noting: exchange, then: deliver)
          queue.run(work, by: store)
          return work.problem
        }
      }
    }
    if let problem { throw problem }
  }

  func refresh() throws(LaneProblem) {
    guard keeper.replicas != nil, !held.withLock({ $0.isClosed }) else { return }
    // A new lane has no row yet.
    let known = held.withLock { $0 }
    if known.state != nil, known.version == nil { return }
    let stored = try keeper.database.load(name.text)
    if known.state == nil || stored?.version != known.version { forget(after: known.epoch) }
    _ = try loaded(stored, since: known.epoch + 1)
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

  /// Whether the state is in memory, so that reading it waits for nothing.
  var isLoaded: Bool { held.withLock { $0.state != nil } }

  /// Goes on in memory, as the store has the lane no longer.
  func detach() { held.withLock { $0.isClosed = true } }

  /// Replaces the stored version of a lane that is being closed.
  func replace(version: Int) { held.withLock { $0.version = version } }

  // MARK: - The copy in memory

  /// Forgets the copy in memory, which another process has changed. From here on every request asks for the state.
  ///
  /// - Parameter epoch: Does nothing if the copy is of a later epoch; `nil` to forget any copy.
  func forget(after epoch: Int? = nil) {
    held.withLock { held in
      guard !held.isClosed, epoch.map({ $0 == held.epoch }) ?? true else { return }
      // A new lane without a row has nothing to load.
      if held.version == nil, held.state != nil { return }
      held.local = held.state?.sockets ?? held.local
      held.state = nil
      held.revision &+= 1
      held.epoch += 1
      demandCode.store(LaneDemand.everything.rawValue, ordering: .releasing)
    }
  }

  func loaded() throws(LaneProblem) -> Held {
    while true {
      let known = held.withLock { $0 }
      guard known.state == nil else { return known }
      let stored = try keeper.database.load(name.text)
      if let loaded = try loaded(stored, since: known.epoch) { return loaded }
    }
  }

  /// - Returns: `nil` if another process has changed the lane since an epoch.
  @discardableResult
  private func loaded(_ stored: StoredLane?, since epoch: Int) throws(LaneProblem) -> Held? {
    let record = try stored.map { stored throws(LaneProblem) in try LaneStateText.read(stored.state) }
    if keeper.replicas != nil, name != .unnamed, record == nil || record?.1.isClosed == true {
      throw LaneProblem(
        .closed, "the lane `\(name)` was closed",
        help: "a request to a new lane, or POST to the admin API, opens it again")
    }
    let serving = keeper.serving
    return held.withLock { held in
      // Another thread may have been first.
      guard held.state == nil else { return held }
      guard held.epoch == epoch else { return nil }
      held.state = record?.0 ?? LaneOpening().state(of: serving.mock, isNamed: name != .unnamed)
      held.notes = record?.1 ?? LaneNotes()
      if let local = held.local { held.state?.sockets.takeLocalParts(of: local) }
      held.version = stored?.version
      held.contract = stored.flatMap { LaneContract(text: $0.contract) }
      // The processes of a shared store go on.
      held.isForeign = stored != nil && keeper.replicas == nil
      held.revision &+= 1
      return held
    }
  }

  /// Shows a stored state to requests.
  ///
  /// - Parameter local: The parts of the sockets that belong to this process.
  func publish(_ state: LaneState, _ next: Held) {
    let demand = next.notes.raise == nil ? state.demand : .everything
    held.withLock { held in
      let isClosed = held.isClosed
      let isCurrent = held.epoch == next.epoch
      let epoch = held.epoch
      held = next
      (held.state, held.isClosed, held.epoch) = (state, isClosed, epoch)
      if !isCurrent, !isClosed {
        // Another process has changed the lane since.
        (held.local, held.state) = (state.sockets, nil)
      }
      demandCode.store((isCurrent || isClosed ? demand : .everything).rawValue, ordering: .releasing)
    }
    generation.store(next.generation, ordering: .relaxed)
    let own = keeper.replicas == nil ? 0..<Int.max : keeper.sockets
    socketsAreConnected.store(state.sockets.sockets.contains { own.contains($0.id) }, ordering: .relaxed)
  }

  /// Serves requests without state by a stored state that belongs to another contract.
  func showDemand(_ next: Held, _ serving: LaneKeeper.Serving) {
    held.withLock { held in
      guard held.epoch == next.epoch, let state = held.state, held.notes.raise == nil else { return }
      demandCode.store(state.demand.rawValue, ordering: .releasing)
    }
    generation.store(serving.generation, ordering: .relaxed)
  }

  /// Forgets the copy in memory after a conflict, but for the parts that belong to this process.
  func reload(keeping before: LaneState) {
    held.withLock { held in
      (held.state, held.local, held.revision) = (nil, before.sockets, held.revision &+ 1)
    }
    // A store that fails now fails the next attempt as well.
    _ = try? loaded()
    held.withLock { $0.isForeign = false }
  }
}
