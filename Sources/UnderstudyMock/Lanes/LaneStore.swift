/// Hands out the lanes of a server, from memory; a store that several processes share needs no more than this.
package protocol LaneStore: Sendable {
  var unnamed: any LaneAccess { get }
  /// The names of the other lanes, in order.
  var names: [LaneName] { get }

  /// The lane of a name, if it is open.
  func find(_ name: LaneName) -> (any LaneAccess)?

  /// Opens a lane.
  /// - Throws: Where a lane of this name is open, or there are too many.
  func open(_ name: LaneName, _ state: LaneState) throws(LaneProblem)

  /// Closes a lane and returns it; `nil` if no lane of this name is open.
  func close(_ name: LaneName) -> (any LaneAccess)?
}

extension LaneStore {
  /// The lane of a name, which is opened where it is not.
  package func lane(_ name: LaneName, opening state: () -> LaneState) throws(LaneProblem) -> any LaneAccess {
    if name == .unnamed { return unnamed }
    if let lane = find(name) { return lane }
    do throws(LaneProblem) {
      try open(name, state())
    } catch  where error.kind == .taken {
      // Another request was first.
    }
    guard let lane = find(name) else {
      throw LaneProblem(.unknown, "the lane `\(name)` was closed meanwhile", help: "open it again")
    }
    return lane
  }
}
