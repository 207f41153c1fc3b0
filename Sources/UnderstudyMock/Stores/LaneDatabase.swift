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
  /// Writes a lane; `false` if the database has another version than the write expects, and nothing has happened then.
  func commit(_ write: LaneWrite) throws(LaneProblem) -> Bool
  /// Removes lanes.
  ///
  /// - Parameter time: Keeps lanes that expire after this time, in microseconds since 1970; `nil` to keep none.
  func remove(_ keys: [String], expiredBy time: Int?) throws(LaneProblem)
  /// Ends all work, after what was begun.
  func close()
}

/// A lane of a database without its state.
package struct StoredLaneEntry: Sendable {
  package let key: String
  /// The time of the next timer by the clock of the lane, in microseconds since 1970; `nil` without timers.
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

  package init(
    key: String, version: Int?, lane: StoredLane, entry: StoredLaneEntry, format: Int, time: Int
  ) {
    (self.key, self.version, self.lane, self.entry) = (key, version, lane, entry)
    (self.format, self.time) = (format, time)
  }
}
