/// The requests that have to see the state of a lane; the others cost nothing for it.
package enum LaneDemand: UInt8, Sendable {
  /// Those of operations whose answers depend on earlier ones by themselves.
  case templates
  /// Also those of operations that a scenario names.
  case scenario
  /// All of them, although nothing in the state chooses their answers: those are decided before the lane is locked.
  case noted
  case everything

  /// Whether every request has to see the state.
  var isForAll: Bool { self == .noted || self == .everything }
}
