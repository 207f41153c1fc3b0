import Dispatch
import Synchronization
import UnderstudySystem

/// This process among the replicas of a store: leases, and announced changes.
///
/// A replica that announces a change waits until each replica with a valid lease has acknowledged it. One without contact to
/// the store for the time of its lease is cut off: it changes no lane until it has joined again.
package final class ReplicaGroup: Sendable {
  /// The changes of this replica that depend on other replicas.
  struct Handlers: Sendable {
    var changed: @Sendable (LaneName) -> Void = { _ in }
    var closed: @Sendable (LaneName) -> Void = { _ in }
    /// Forgets all copies in memory.
    var forgetAll: @Sendable () -> Void = {}
    /// Handles a change of the whole mock.
    var mock: @Sendable (JSON) -> Void = { _ in }
    /// Ends the sockets of a replica, by their numbers.
    var takeOver: @Sendable (Range<Int>) -> Void = { _ in }
    /// Ends the sockets of this replica, which others count as ended.
    var rejoined: @Sendable () -> Void = {}
    /// Looks at the lanes of the store, some times a minute.
    var tick: @Sendable () -> Void = {}
    /// The numbers of the exchanges of this replica since its start.
    var tally: @Sendable () -> ReplicaTally = { ReplicaTally() }
  }

  private struct State {
    var seen = 0
    var flushed = 0
    var contract: String
    /// The end of the lease by the clock, in microseconds since it was made; `nil` before the first contact.
    var leaseEnd: Int?
    var failures = 0
    var problem: LaneProblem?
    var isEnded = false
    /// The replicas that did not acknowledge a change in time, by the time of the change.
    var late: [(time: Int, name: String)] = []
    /// The time of the last look at the lanes, by the clock.
    var lastTick = 0
    var tally: ReplicaTally?
    var handlers = Handlers()
  }

  /// The time for which a replica counts as alive after its last contact with the store, in microseconds.
  static let lease = 5_000_000
  /// The time between two contacts, in microseconds.
  static let interval = 1_000_000
  /// The time for which a change waits for its acknowledgements, in microseconds.
  static let acknowledgementLimit = 5_000_000
  /// The time between two looks at all lanes of the store, in microseconds.
  private static let tickInterval = 5_000_000

  let database: any ReplicaDatabase
  let clock: ReplicaClock
  /// The exchanges of this replica that are not stored yet.
  package let exchanges: SharedExchanges
  let ledger: ReplicaLedger
  private let number: Int
  private let state: Lock<State>
  /// The end of the lease for every request, by the clock; it takes no lock.
  private let leaseEnd = Atomic(0)
  private let report: @Sendable (String) -> Void
  private let wake = DispatchSemaphore(value: 0)
  private let isWoken = Atomic(false)
  /// Threads for those who wait for the store or for other replicas.
  package let workers = WorkerPool("replicas", limit: 16)
  /// One contact at a time.
  private let contact = Lock(())
  /// One write of numbers at a time, so that none overtakes a later one.
  private let flushing = Lock(())

  /// - Parameter number: The number of processes that have used the store before this one.
  init(
    _ database: any ReplicaDatabase, number: Int, serving mock: Mock, _ contract: String, clock: ReplicaClock,
    report: @escaping @Sendable (String) -> Void
  ) {
    (self.database, self.number, self.clock, self.report) = (database, number, clock, report)
    state = Lock(State(contract: contract))
    exchanges = SharedExchanges(database, serving: mock)
    ledger = ReplicaLedger(database)
  }

  package var name: String { database.replica }

  func handle(_ change: (inout Handlers) -> Void) { state.withLock { change(&$0.handlers) } }

  func use(_ mock: Mock, _ contract: String) {
    state.withLock { $0.contract = contract }
    exchanges.use(mock)
    poke()
  }

  /// Gets the changes of the whole mock that another replica announces.
  package func onChange(of body: @escaping @Sendable (JSON) -> Void) { handle { $0.mock = body } }

  // MARK: - The lease

  /// Whether the replica has had no contact with the store for the time of its lease. Read for every request.
  package var isCutOff: Bool { clock.elapsed > leaseEnd.load(ordering: .relaxed) }

  /// Throws while the replica is cut off.
  func requireLease() throws(LaneProblem) {
    guard isCutOff else { return }
    let problem = state.withLock { $0.problem }
    throw LaneProblem(
      .store, "this replica is cut off from the store" + (problem.map { ": \($0.message)" } ?? ""),
      help: problem?.help ?? "it tries to reach the store again; send the request to another replica meanwhile")
  }

  /// The value of the header field of responses that a replica sends while it is cut off.
  package var warning: String { "cut off from the store; the state of lanes may have changed" }

  /// Joins the replicas, and stays in contact from then on.
  func join() throws(LaneProblem) {
    database.onWake { [weak self] in self?.poke() }
    try meet()
    try ledger.begin(name, number)
    let pause = DispatchQueue(label: "replica")
    pause.async { [weak self] in
      // The group ends with its last user.
      while let group = self, group.step() { _ = group }
    }
  }

  /// Contacts the store soon.
  func poke() {
    if !isWoken.exchange(true, ordering: .acquiringAndReleasing) { wake.signal() }
  }

  /// Waits for the next contact; `false` once the replica has ended.
  private func step() -> Bool {
    let failures = state.withLock { $0.failures }
    // Replicas that lost a store together do not come back together.
    let limit = min(Self.interval << min(failures, 2), Self.lease)
    let pause = failures == 0 ? limit : Int.random(in: limit / 2...limit)
    let isTimed = wake.wait(timeout: .now() + .microseconds(pause)) == .timedOut
    isWoken.store(false, ordering: .releasing)
    if state.withLock({ $0.isEnded }) { return false }
    do throws(LaneProblem) {
      try meet()
      if isTimed {
        try bury()
        tick()
      }
    } catch {
      // `meet` has noted the problem.
    }
    return true
  }

  /// Learns of changes, acknowledges them, and prolongs the lease.
  package func meet() throws(LaneProblem) {
    do throws(LaneProblem) {
      try contact.withLock { _ throws(LaneProblem) in try meetAlone() }
      let wasCutOff = state.withLock { state in
        defer { (state.failures, state.problem) = (0, nil) }
        return state.failures > 0
      }
      if wasCutOff { exchanges.retry() }
    } catch {
      let isFirst = state.withLock { state in
        state.failures += 1
        defer { state.problem = error }
        return state.problem == nil
      }
      if isFirst { report("warning: \(error.message)\n") }
      throw error
    }
  }

  private func meetAlone() throws(LaneProblem) {
    let known = state.withLock { $0 }
    if known.isEnded { return }
    let isFirst = known.leaseEnd == nil
    let isLapsed = known.leaseEnd.map { clock.elapsed > $0 } ?? false
    // Others count this replica as ended, and may have reused its lanes.
    if isLapsed { known.handlers.forgetAll() }
    let begin = clock.elapsed
    var seen = known.seen
    var flushed = known.flushed
    if isFirst || isLapsed {
      // Others wait for its acknowledgements from here on, so that it misses no change.
      let time = try database.renew(Self.lease, seen: seen, flushed: flushed, contract: known.contract)
      clock.adjust(to: time, between: begin, clock.elapsed)
    }
    var asksForFlush = false
    let changes = try database.announcements(after: seen)
    // The store has dropped changes that this replica does not know.
    if !isFirst, let first = changes.first, first.number > seen + 1 { known.handlers.forgetAll() }
    for (number, change) in changes {
      seen = max(seen, number)
      // The copies of a new replica are newer.
      if isFirst { continue }
      switch change {
      case .lane(let key): if let name = try? LaneName(key) { known.handlers.changed(name) }
      case .closed(let key): if let name = try? LaneName(key) { known.handlers.closed(name) }
      case .flush: asksForFlush = true
      case .mock(let text):
        if let value = try? JSONParser.parse(Array(text.utf8)).root { known.handlers.mock(value) }
      }
    }
    if asksForFlush || isFirst {
      try flush()
      flushed = seen
    }
    let renewal = clock.elapsed
    let time = try database.renew(Self.lease, seen: seen, flushed: flushed, contract: known.contract)
    clock.adjust(to: time, between: renewal, clock.elapsed)
    leaseEnd.store(renewal + Self.lease, ordering: .releasing)
    state.withLock { state in
      (state.seen, state.flushed, state.leaseEnd) = (seen, flushed, renewal + Self.lease)
    }
    if isLapsed {
      report("this replica has joined the store again\n")
      known.handlers.rejoined()
    }
  }

  /// Stores all exchanges that this replica holds, and their numbers.
  private func flush() throws(LaneProblem) {
    try exchanges.flush()
    try flushing.withLock { _ throws(LaneProblem) in try writeTally() }
  }

  private func writeTally() throws(LaneProblem) {
    let (tally, known) = state.withLock { ($0.handlers.tally(), $0.tally) }
    guard tally != known else { return }
    try ledger.write(tally, of: name, number)
    state.withLock { $0.tally = tally }
  }

  /// Looks at the lanes of the store, unless it did so a short time ago.
  package func tick(atOnce: Bool = false) {
    let body = state.withLock { state -> (@Sendable () -> Void)? in
      guard atOnce || clock.elapsed - state.lastTick > Self.tickInterval else { return nil }
      state.lastTick = clock.elapsed
      return state.handlers.tick
    }
    if let body { workers.submit(body) }
  }

  /// Removes replicas that have ended without farewell, and ends their sockets.
  package func bury() throws(LaneProblem) {
    let time = clock.now()
    for other in try database.replicas() where other.name != name && other.lease < time {
      guard try database.remove(other) else { continue }
      let dead = try ledger.bury(other.name, at: other.lease)
      report("warning: the replica \(other.name) ended without farewell\n")
      if let dead { state.withLock({ $0.handlers }).takeOver(LaneStoreFacts.sockets(ofProcess: dead)) }
    }
  }

  /// Stores what this replica holds, and leaves the others.
  func leave() {
    let isFirst = state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
    guard isFirst else { return }
    wake.signal()
    contact.withLock { _ in
      do throws(LaneProblem) {
        try flush()
        try ledger.end(name)
        try database.leave()
      } catch {
        report("warning: this replica ends without farewell: \(error.message)\n")
      }
    }
  }

  // MARK: - Changes

  /// Sets the numbers of the exchanges of this replica since its start.
  package func tally(by body: @escaping @Sendable () -> ReplicaTally) { handle { $0.tally = body } }

  /// Ends the sockets of this replica once others have counted it as ended.
  package func onRejoin(_ body: @escaping @Sendable () -> Void) { handle { $0.rejoined = body } }

  /// Announces a change, and waits until all replicas have acknowledged it.
  func announce(_ change: LaneAnnouncement) throws(LaneProblem) {
    try awaitAcknowledgement(of: try database.announce(change))
  }

  /// Announces a change of the whole mock, and waits until all replicas have acknowledged it.
  package func announce(_ value: JSON) throws(LaneProblem) { try announce(.mock(JSONWriter.text(value))) }

  /// Waits until every replica with a valid lease has acknowledged a change; notes the replicas that did not in time.
  func awaitAcknowledgement(of number: Int) throws(LaneProblem) {
    let late = try wait { $0.seen >= number }
    guard !late.isEmpty else { return }
    let time = clock.elapsed
    state.withLock { state in state.late = state.late.suffix(100) + late.map { (time, $0) } }
    report("warning: \(late.joined(separator: ", ")) did not acknowledge a change in time\n")
  }

  /// Lets all replicas store their exchanges; returns the replicas that did not in time.
  package func flushAll() throws(LaneProblem) -> [String] {
    try flush()
    guard try database.replicas().contains(where: { $0.name != name }) else { return [] }
    let number = try database.announce(.flush)
    return try wait { $0.flushed >= number }
  }

  /// The replicas that did not acknowledge a change of the last seconds in time.
  package func late(since elapsed: Int) -> [String] {
    state.withLock { state in Set(state.late.filter { $0.time >= elapsed }.map(\.name)) }.sorted()
  }

  /// The time that `late(since:)` takes, in microseconds.
  package var elapsed: Int { clock.elapsed }

  /// Waits for all other replicas with a valid lease; returns the names of those that do not follow in time.
  private func wait(_ isReady: (StoredReplica) -> Bool) throws(LaneProblem) -> [String] {
    let end = clock.elapsed + Self.acknowledgementLimit
    var pause = 1_000
    let timer = DispatchSemaphore(value: 0)
    while true {
      let now = clock.now()
      let late = try database.replicas().filter { $0.name != name && $0.lease > now && !isReady($0) }
      if late.isEmpty { return [] }
      guard clock.elapsed < end else { return late.map(\.name).sorted() }
      _ = timer.wait(timeout: .now() + .microseconds(pause))
      pause = min(pause * 2, 50_000)
    }
  }

  /// A replica with a valid lease, besides this one, that serves a contract.
  func replica(serving contract: String) throws(LaneProblem) -> String? {
    let now = clock.now()
    return try database.replicas().first { $0.name != name && $0.lease > now && $0.contract == contract }?.name
  }

  /// The replicas that have not left, with their state, for the console and the health of the mock.
  package func members() throws(LaneProblem) -> [StoredReplica] { try database.replicas() }
}
