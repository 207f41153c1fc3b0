import Dispatch
import Synchronization
import UnderstudySystem

/// The exchanges of this replica for a shared store: redacted, and limited in number and bytes while the store is away.
///
/// The exchange of a request with state is stored with the change of its lane, as it is decided. Its end replaces it.
package final class SharedExchanges: ExchangeStore {
  private struct State {
    var waiting: [NumberedExchange] = []
    var bytes = 0
    var isScheduled = false
    var redactor: Redactor
    var mock: Mock
  }

  /// The maximum number of exchanges that wait for the store.
  private static let limit = 10_000
  /// The maximum size of the exchanges that wait for the store, in bytes.
  private static let byteLimit = 32 << 20
  /// The maximum number of exchanges of one write.
  private static let batchLimit = 200
  /// The time in which exchanges gather for one write.
  private static let pause: DispatchTimeInterval = .milliseconds(20)

  private let database: any ReplicaDatabase
  private let state: Lock<State>
  private let lastNumber = Atomic(0)
  private let lostCount = Atomic(0)
  private let worker = WorkerPool("exchanges", limit: 1)
  /// One write at a time, so that exchanges keep their order.
  private let writing = Lock(())

  init(_ database: any ReplicaDatabase, serving mock: Mock) {
    self.database = database
    state = Lock(
      State(redactor: Redactor(mock.contracts.map(\.compiled.secrets), settings: RedactionSettings()), mock: mock))
  }

  /// Hides secrets as the settings ask for.
  package func use(_ settings: RedactionSettings, _ numbers: SecretNumbers) {
    state.withLock { state in
      state.redactor = Redactor(
        state.mock.contracts.map(\.compiled.secrets), settings: settings, style: .numbered(numbers))
    }
  }

  func use(_ mock: Mock) {
    state.withLock { state in
      state.redactor = state.redactor.using(mock.contracts.map(\.compiled.secrets))
      state.mock = mock
    }
  }

  /// The number of exchanges that the store did not get.
  package var lost: Int { lostCount.load(ordering: .relaxed) }
  /// The number of exchanges that wait for the store.
  package var waitingCount: Int { state.withLock(\.waiting.count) }

  /// A number for an exchange, unique in the process.
  package func newNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

  /// Adds an exchange that has ended, or counts it as lost. Never waits for the store.
  package func append(_ served: ServedRequest) {
    let number = served.reply.stored ?? newNumber()
    let schedules = state.withLock { state in
      guard state.waiting.count < Self.limit, state.bytes < Self.byteLimit else {
        lostCount.add(1, ordering: .relaxed)
        return false
      }
      state.waiting.append(NumberedExchange(number: number, served))
      state.bytes += served.size
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if schedules { worker.submit { self.gather() } }
  }

  private func gather() {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + Self.pause)
    state.withLock { $0.isScheduled = false }
    // What a store does not take now follows with the next exchange, or when the store is back.
    try? flush()
  }

  /// Stores the exchanges again that a store did not take.
  func retry() { if waitingCount > 0 { worker.submit { try? self.flush() } } }

  /// Stores all exchanges that were added before.
  func flush() throws(LaneProblem) {
    var left = waitingCount
    while left > 0 {
      let count = try writing.withLock { _ throws(LaneProblem) in
        let batch = state.withLock { Array($0.waiting.prefix(Self.batchLimit)) }
        if batch.isEmpty { return 0 }
        try database.append(batch.map { stored($0, of: $0.served.reply.lane ?? LaneName.unnamed.text) })
        state.withLock { state in
          state.waiting.removeFirst(batch.count)
          state.bytes -= batch.reduce(0) { $0 + $1.served.size }
        }
        return batch.count
      }
      guard count > 0 else { return }
      left -= count
    }
  }

  /// An exchange as the store has it.
  func stored(_ exchange: NumberedExchange, of lane: LaneName) -> StoredExchange {
    guard lane != .unnamed else { return stored(exchange, of: lane.text) }
    // The server names the lane of a reply later.
    var reply = exchange.served.reply
    reply.lane = lane.text
    return stored(NumberedExchange(number: exchange.number, exchange.served.with(reply: reply)), of: lane.text)
  }

  private func stored(_ exchange: NumberedExchange, of lane: String) -> StoredExchange {
    let (redactor, mock) = state.withLock { state in
      // Later exchanges may have its secrets in their targets.
      state.redactor.learn(exchange.served)
      return (state.redactor, state.mock)
    }
    var printer = JournalPrinter(redactor, version: "")
    let text = printer.stored(JournalEntry(number: 0, exchange.served), by: mock)
    return StoredExchange(
      replica: database.replica, number: exchange.number, lane: lane, time: exchange.served.endedAt,
      text: JSONWriter.text(text.value))
  }
}

extension JournalPrinter {
  /// An entry of a HAR file, with all that the admin API shows of the exchange as one more member.
  fileprivate mutating func stored(_ entry: JournalEntry, by mock: Mock) -> Redacted<JSON> {
    detail(entry, by: mock).map { detail in
      let har = detail["exchange"]?.members.map { ($0.name, $0.value) } ?? []
      let rest = detail.members.map { ($0.name, $0.value) }.filter { $0.0 != "exchange" && $0.0 != "id" }
      let sent: [(String, JSON)] = entry.served.reply.isOfReceiver ? [("sent", true)] : []
      return .object(har + [(StoredEntry.key, .object(rest + sent))])
    }
  }
}

/// An exchange of a shared store, as the admin API shows it.
package struct StoredEntry: Sendable {
  /// The member of an entry with all that is known besides the exchange itself.
  static let key = "_entry"

  /// The position in the store, which is its number for clients of every replica.
  package let number: Int
  package let replica: String
  /// The number of the exchange at its replica.
  package let ownNumber: Int
  package let lane: String
  /// The members of the detailed view, without its number and the exchange.
  package let members: [(name: String, value: JSON)]
  /// An entry of a HAR file; `nil` for an exchange without a request.
  package let exchange: JSON?

  /// `nil` for text that another version wrote.
  package init?(_ stored: StoredExchange) {
    guard let root = try? JSONParser.parse(Array(stored.text.utf8)).root, let entry = root[Self.key] else { return nil }
    (number, replica, ownNumber, lane) = (stored.position, stored.replica, stored.number, stored.lane)
    members = entry.members.map { ($0.name, $0.value) }
    let har = root.members.map { ($0.name, $0.value) }.filter { $0.0 != Self.key }
    exchange = har.isEmpty ? nil : .object(har)
  }

  package subscript(name: String) -> JSON? { members.first { $0.name == name }?.value }

  private static let details = ["notValidated", "nearMisses", "steps", "findings", "sent"]

  package var isUnmatched: Bool { self["operation"] == nil && exchange?["_resourceType"] == nil }
  /// Whether the mock has sent the request.
  package var isSent: Bool { self["sent"] != nil }

  /// A line of a list.
  package func summary(withFindings: Bool = false) -> JSON {
    let shown = members.filter { !Self.details.contains($0.name) || withFindings && $0.name == "findings" }
    return .object([("id", .integer(number))] + shown.map { ($0.name, $0.value) })
  }

  /// All that the store has.
  package var detail: JSON {
    .object(
      [("id", .integer(number))] + members.filter { $0.name != "sent" }.map { ($0.name, $0.value) }
        + (exchange.map { [("exchange", $0)] } ?? [])
        + [("replica", .string(replica))])
  }
}

extension ReplicaGroup {
  /// The exchanges of all replicas after a position, the oldest first.
  ///
  /// - Parameters:
  ///   - key: The name of a lane; `nil` for all.
  ///   - flushes: Whether all replicas store their exchanges before.
  package func entries(of key: String?, after position: Int, limit: Int) throws(LaneProblem) -> [StoredEntry] {
    try database.exchanges(of: key, after: position, limit: limit).compactMap { StoredEntry($0) }
  }

  /// The position of the last exchange that was cleared; 0 for none.
  package func clearedPosition() throws(LaneProblem) -> Int { try ledger.cleared() }

  /// Runs work that waits for the store, on a thread of its own.
  package func wait<Value: Sendable>(
    _ work: @escaping @Sendable () throws(LaneProblem) -> Value
  ) async -> Result<Value, LaneProblem> {
    await withCheckedContinuation { continuation in
      workers.submit {
        do throws(LaneProblem) {
          continuation.resume(returning: .success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
  }
}
