/// A database that several processes use at a time: the replicas of one mock.
///
/// A replica that others must not overtake announces its change; each replica acknowledges the number of the last change that
/// it has seen, together with its lease. Times are microseconds since 1970 by the clock of the database.
package protocol ReplicaDatabase: LaneDatabase {
  /// The name of this replica, unique among all that have used the database.
  var replica: String { get }

  /// Adds this replica, or prolongs its lease; returns the time of the database.
  ///
  /// - Parameters:
  ///   - duration: Microseconds from now, after which the replica counts as ended.
  ///   - seen: The number of the last change that it has seen.
  ///   - flushed: The number of the last change before which all its exchanges are stored.
  ///   - contract: The text of the `LaneContract` that it serves.
  func renew(_ duration: Int, seen: Int, flushed: Int, contract: String) throws(LaneProblem) -> Int
  /// Removes this replica: it has stored its exchanges, and ends.
  func leave() throws(LaneProblem)
  /// The replicas that have not left, with their leases.
  func replicas() throws(LaneProblem) -> [StoredReplica]
  /// Removes a replica that has ended without `leave`; `false` if its lease is valid, or another replica was first.
  func remove(_ replica: StoredReplica) throws(LaneProblem) -> Bool

  /// Stores a change that belongs to no write of a lane, and wakes the other replicas.
  ///
  /// - Returns: The number of the change.
  func announce(_ change: LaneAnnouncement) throws(LaneProblem) -> Int
  /// The changes after a number, in their order.
  func announcements(after number: Int) throws(LaneProblem) -> [(number: Int, change: LaneAnnouncement)]
  /// Calls `body` when another replica may have announced a change; calls may be missing, so the caller asks at times as well.
  func onWake(_ body: @escaping @Sendable () -> Void)
}

/// A change that every replica must know before it counts as made.
package enum LaneAnnouncement: Sendable, Hashable {
  /// The lane with a key has changed, so that copies in memory are out of date.
  case lane(String)
  /// A lane was closed.
  case closed(String)
  /// Each replica stores the exchanges that it holds.
  case flush
  /// A change of the whole mock, such as a reload or a fault of all lanes: JSON.
  case mock(String)
}

package struct StoredReplica: Sendable, Hashable {
  package let name: String
  /// The end of its lease, in microseconds since 1970.
  package let lease: Int
  package let seen: Int
  package let flushed: Int
  package let contract: String

  package init(name: String, lease: Int, seen: Int, flushed: Int, contract: String) {
    (self.name, self.lease, self.seen) = (name, lease, seen)
    (self.flushed, self.contract) = (flushed, contract)
  }
}
