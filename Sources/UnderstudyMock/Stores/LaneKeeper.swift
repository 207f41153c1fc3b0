import Synchronization
import UnderstudySystem

/// The parts that all durable lanes of a process share: the database, the mock that they are stored by, and workers.
final class LaneKeeper: Sendable {
  /// The mock that changes are made by, and its contract.
  struct Serving {
    let mock: Mock
    let contract: LaneContract
    /// Grows with each mock.
    let generation: Int
  }

  let database: any LaneDatabase
  /// The processes that share the database; `nil` for a database of one process.
  let replicas: ReplicaGroup?
  /// The numbers of the sockets of this process.
  let sockets: Range<Int>
  let workers = WorkerPool("lanes")
  let now: @Sendable () -> Int
  /// The time without a request after which a lane is closed, in microseconds.
  let idleLimit: Int
  /// Gets a line about a lane whose parts begin anew.
  private let report: @Sendable (String) -> Void
  private let current: Lock<Serving>
  private let currentGeneration = Atomic(0)
  private let counts: Lock<LaneStoreFacts>

  init(
    _ database: any LaneDatabase, serving mock: Mock, idleLimit: Duration, now: (@Sendable () -> Int)?,
    clock: ReplicaClock,
    report: @escaping @Sendable (String) -> Void
  ) throws(LaneProblem) {
    (self.database, self.report) = (database, report)
    self.idleLimit = idleLimit.wholeMicroseconds
    let facts = LaneStoreFacts(summary: database.summary, earlierProcesses: database.earlierProcesses)
    counts = Lock(facts)
    sockets = facts.sockets
    let contract = LaneContract(mock)
    current = Lock(Serving(mock: mock, contract: contract, generation: 0))
    let group = (database as? any ReplicaDatabase).map {
      ReplicaGroup($0, number: facts.earlierProcesses, serving: mock, contract.text, clock: clock, report: report)
    }
    replicas = group
    self.now = now ?? { clock.now() }
  }

  var serving: Serving { current.withLock { $0 } }
  /// Read for every request, so it takes no lock.
  var generation: Int { currentGeneration.load(ordering: .acquiring) }
  var facts: LaneStoreFacts {
    var facts = counts.withLock { $0 }
    facts.lostExchanges = replicas?.exchanges.lost
    facts.isCutOff = replicas?.isCutOff ?? false
    return facts
  }

  func use(_ mock: Mock) {
    let contract = LaneContract(mock)
    let generation = current.withLock { serving in
      serving = Serving(mock: mock, contract: contract, generation: serving.generation + 1)
      return serving.generation
    }
    currentGeneration.store(generation, ordering: .releasing)
    replicas?.use(mock, contract.text)
  }

  func count(_ change: (inout LaneStoreFacts) -> Void) { counts.withLock { change(&$0) } }

  func noteReset(_ parts: [String], of name: LaneName) {
    if parts.isEmpty { return }
    report("lane \(name): the contract has changed; \(parts.joined(separator: ", ")) begin anew\n")
  }
}
