#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The numbers of the exchanges of all replicas, and the replicas that ended without farewell, in rows of the store that no
/// lane can have.
struct ReplicaLedger: Sendable {
  /// A replica that may have had exchanges that it had not stored.
  struct Loss: Codable, Hashable {
    let replica: String
    /// The end of its lease, in microseconds since 1970.
    let time: Int
  }

  /// The row of all replicas.
  private struct Common: Codable {
    /// The numbers of the replicas that have ended.
    var past = ReplicaTally()
    var losses: [Loss] = []
    /// The names of the last replicas that `past` includes.
    var ended: [String] = []
    /// The routes that were added for all lanes.
    var routes: [AddedRoute]?
    /// The position of the last exchange that was cleared.
    var cleared: Int?
  }

  /// The row of one replica.
  private struct Own: Codable {
    var number: Int
    var tally = ReplicaTally()
  }

  private static let attemptLimit = 100
  /// The maximum number of losses and of names that are stored.
  private static let limit = 100
  private static let common = "/replicas"
  private static func key(of name: String) -> String { "/replica/\(name)" }

  private let database: any ReplicaDatabase

  init(_ database: any ReplicaDatabase) { self.database = database }

  /// Adds a replica.
  ///
  /// - Parameter number: The number of processes that have used the store before it.
  func begin(_ name: String, _ number: Int) throws(LaneProblem) {
    try change(Self.key(of: name), Own(number: number)) { $0.number = number }
  }

  func write(_ tally: ReplicaTally, of name: String, _ number: Int) throws(LaneProblem) {
    try change(Self.key(of: name), Own(number: number)) { $0.tally = tally }
  }

  /// Removes a replica that has stored all its exchanges.
  func end(_ name: String) throws(LaneProblem) { _ = try end(name, with: nil) }

  /// Removes a replica that ended without farewell; returns the number of processes that had used the store before it.
  func bury(_ name: String, at time: Int) throws(LaneProblem) -> Int? {
    try end(name, with: Loss(replica: name, time: time))
  }

  private func end(_ name: String, with loss: Loss?) throws(LaneProblem) -> Int? {
    let own: Own? = try read(Self.key(of: name))?.value
    try change(Self.common, Common()) { common in
      guard !common.ended.contains(name) else { return }
      if let own { common.past += own.tally }
      if let loss { common.losses = common.losses.suffix(Self.limit - 1) + [loss] }
      common.ended = common.ended.suffix(Self.limit - 1) + [name]
    }
    try database.remove([Self.key(of: name)], expiredBy: nil)
    return own?.number
  }

  /// The numbers of all replicas, as far as they are stored, and the losses since a time.
  func read(_ replicas: [StoredReplica], since time: Int) throws(LaneProblem) -> (ReplicaTally, [Loss]) {
    let common = try common()
    var sum = common.past
    for replica in replicas where !common.ended.contains(replica.name) {
      let own: Own? = try read(Self.key(of: replica.name))?.value
      if let own { sum += own.tally }
    }
    return (sum, common.losses.filter { $0.time >= time })
  }

  /// Counts the requests of the lane without a name from zero.
  func restartUnnamed() throws(LaneProblem) {
    try change(Self.common, Common()) { $0.past.unnamed = UnnamedRequests() }
  }

  /// The routes that were added for all lanes; `nil` if there never were any.
  func routes() throws(LaneProblem) -> [AddedRoute]? { try common().routes }
  func use(_ routes: [AddedRoute]) throws(LaneProblem) { try change(Self.common, Common()) { $0.routes = routes } }

  /// The position of the last exchange that was cleared; 0 for none.
  func cleared() throws(LaneProblem) -> Int { try common().cleared ?? 0 }
  func clear(upTo position: Int) throws(LaneProblem) { try change(Self.common, Common()) { $0.cleared = position } }

  private func common() throws(LaneProblem) -> Common { try read(Self.common)?.value ?? Common() }

  // MARK: - Rows

  private func read<Row: Decodable>(_ key: String) throws(LaneProblem) -> (value: Row, version: Int)? {
    guard let stored = try database.load(key) else { return nil }
    do {
      return (try JSONDecoder().decode(Row.self, from: Data(stored.state.utf8)), stored.version)
    } catch {
      throw LaneProblem(
        .store, "the row `\(key)` of the store cannot be read: \(error)",
        help: "serve it with the version of understudy that wrote it")
    }
  }

  private func change<Row: Codable>(
    _ key: String, _ new: Row, _ body: (inout Row) -> Void
  ) throws(LaneProblem) {
    for _ in 0..<Self.attemptLimit {
      let known: (value: Row, version: Int)? = try read(key)
      var row = known?.value ?? new
      body(&row)
      guard let data = try? JSONEncoder().encode(row) else { return }
      let lane = StoredLane(
        version: (known?.version ?? 0) + 1, state: String(decoding: data, as: UTF8.self), contract: "")
      let write = LaneWrite(
        key: key, version: known?.version, lane: lane, entry: StoredLaneEntry(key: key, due: nil, expires: nil),
        format: LaneStateFormat.current, time: 0, number: LaneWrite.newNumber())
      if try database.commit(write).isStored { return }
    }
    throw LaneProblem(
      .store, "the row `\(key)` of the store changed \(Self.attemptLimit) times meanwhile",
      help: "send the request again")
  }
}

/// The numbers of the exchanges of a replica since its start.
package struct ReplicaTally: Codable, Sendable, Hashable {
  /// The numbers of exchanges by the operation and the status.
  package var requests: [JournalTotals.Key: Int]
  package var unnamed: UnnamedRequests

  package init(requests: [JournalTotals.Key: Int] = [:], unnamed: UnnamedRequests = UnnamedRequests()) {
    (self.requests, self.unnamed) = (requests, unnamed)
  }

  static func += (sum: inout ReplicaTally, other: ReplicaTally) {
    sum.requests.merge(other.requests, uniquingKeysWith: +)
    sum.unnamed = sum.unnamed + other.unnamed
  }
}

extension ReplicaGroup {
  /// The numbers of the exchanges of all replicas.
  ///
  /// - Parameter time: The time from which exchanges count, in microseconds since 1970.
  /// - Returns: Also the reasons that numbers may be missing.
  package func tally(since time: Int) throws(LaneProblem) -> (ReplicaTally, reasons: [String]) {
    let late = try flushAll()
    let (tally, losses) = try ledger.read(try database.replicas(), since: time)
    let reasons =
      late.map { "the replica \($0) did not store its exchanges in time" }
      + losses.map {
        "the replica \($0.replica) ended without farewell after \(Timestamp.text(microseconds: $0.time)), so that its last "
          + "requests may be missing"
      }
      + (exchanges.lost > 0 ? ["\(exchanges.lost) exchanges of the replica \(name) were not stored"] : [])
    return (tally, reasons)
  }

  /// Counts the requests of the lane without a name from zero, in all replicas.
  package func restartUnnamed() throws(LaneProblem) {
    try ledger.restartUnnamed()
    try announce(.object([("restartUnnamed", true)]))
  }

  /// The routes that were added for all lanes; `nil` if there never were any.
  package func routes() throws(LaneProblem) -> [AddedRoute]? { try ledger.routes() }

  /// Adds routes for all lanes, in all replicas.
  package func use(_ routes: [AddedRoute]) throws(LaneProblem) {
    try ledger.use(routes)
    try announce(.object([("routes", true)]))
  }

  /// Leaves the exchanges up to now out of all lists.
  package func clearExchanges() throws(LaneProblem) {
    _ = try flushAll()
    var last = try ledger.cleared()
    while let newest = try database.exchanges(of: nil, after: last, limit: 10_000).last?.position { last = newest }
    try ledger.clear(upTo: last)
  }
}
