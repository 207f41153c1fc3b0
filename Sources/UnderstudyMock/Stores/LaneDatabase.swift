import Synchronization

/// Stores the states of lanes outside of the process. Each write is conditional on the version that it replaces, so that
/// processes which share a database never lose a change.
///
/// Calls wait for the database, so no event loop makes them. All of them throw the reason that the database did nothing.
package protocol LaneDatabase: Sendable {
  /// The kind and the name of the database, for the banner: `SQLite lanes.db`.
  var summary: String { get }
  /// The number of processes that have used the database before this one.
  var earlierProcesses: Int { get }

  /// The lanes that have not expired by a time, in microseconds since 1970; expired lanes are removed.
  func lanes(at now: Int) throws(LaneProblem) -> [StoredLaneEntry]
  /// The lane with a key; `nil` if the database has none.
  func load(_ key: String) throws(LaneProblem) -> StoredLane?
  /// Writes a lane and its exchanges. A write whose acknowledgement was lost is looked up by its identity before it is
  /// repeated; while that is impossible, the thrown problem says that the outcome is unknown.
  func commit(_ write: LaneWrite) throws(LaneProblem) -> LaneCommit
  /// Removes lanes.
  ///
  /// - Parameter time: Keeps lanes that expire after this time, in microseconds since 1970; `nil` to keep none.
  func remove(_ keys: [String], expiredBy time: Int?) throws(LaneProblem)
  /// Stores exchanges that change no lane.
  func append(_ exchanges: [StoredExchange]) throws(LaneProblem)
  /// The exchanges of a lane, or of all, in the order of their storage.
  ///
  /// - Parameters:
  ///   - position: The position of the last known exchange; 0 for all.
  ///   - limit: The maximum number of exchanges.
  func exchanges(of key: String?, after position: Int, limit: Int) throws(LaneProblem) -> [StoredExchange]
  /// Ends all work, after what was begun.
  func close()
}

/// The outcome of a write.
package enum LaneCommit: Sendable, Hashable {
  /// The number of the announcement that the write contains; `nil` without one.
  case stored(announcement: Int?)
  /// The database has another version than the write expects; nothing has happened.
  case conflict

  package var isStored: Bool { self != .conflict }
}

/// An exchange of a database: redacted JSON of the journal, under the replica that has served it and its number there.
package struct StoredExchange: Sendable, Hashable {
  package let replica: String
  /// The number of the exchange at its replica, from 1.
  package let number: Int
  /// The key of its lane.
  package let lane: String
  /// The time of the response, in microseconds since 1970.
  package let time: Int
  package let text: String
  /// The position in the order of storage; 0 before it is stored.
  package let position: Int

  package init(replica: String, number: Int, lane: String, time: Int, text: String, position: Int = 0) {
    (self.replica, self.number, self.lane) = (replica, number, lane)
    (self.time, self.text, self.position) = (time, text, position)
  }
}

/// A lane of a database without its state.
package struct StoredLaneEntry: Sendable {
  package let key: String
  /// The time of the next timer while the clock of the lane runs, in microseconds since 1970; `nil` without timers.
  package let due: Int?
  /// The time after which the lane is closed, in microseconds since 1970.
  package let expires: Int?

  package init(key: String, due: Int?, expires: Int?) { (self.key, self.due, self.expires) = (key, due, expires) }
}

package struct StoredLane: Sendable {
  package let version: Int
  /// JSON of a `LaneState`.
  package let state: String
  /// The text of a `LaneContract`.
  package let contract: String

  package init(version: Int, state: String, contract: String) {
    (self.version, self.state, self.contract) = (version, state, contract)
  }
}

package struct LaneWrite: Sendable {
  package let key: String
  /// The version that the write replaces; `nil` for a new lane, which may replace an expired one.
  package let version: Int?
  /// The lane with its new version: the next number, from 1.
  package let lane: StoredLane
  package let entry: StoredLaneEntry
  /// The format number of the state.
  package let format: Int
  /// The time of the write, in microseconds since 1970.
  package let time: Int
  /// Identifies the write among all of this process, to look it up after a lost acknowledgement.
  package let number: Int
  package let exchanges: [StoredExchange]
  /// Whether the write announces `.lane` with its key.
  package let isAnnounced: Bool

  package init(
    key: String, version: Int?, lane: StoredLane, entry: StoredLaneEntry, format: Int, time: Int, number: Int = 0,
    exchanges: [StoredExchange] = [], isAnnounced: Bool = false
  ) {
    (self.key, self.version, self.lane, self.entry) = (key, version, lane, entry)
    (self.format, self.time, self.number) = (format, time, number)
    (self.exchanges, self.isAnnounced) = (exchanges, isAnnounced)
  }

  private static let lastNumber = Atomic(0)

  /// A number for a write, unique in the process.
  package static func newNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }
}
