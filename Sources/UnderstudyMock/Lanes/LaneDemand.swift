/// The requests that have to see the state of a lane; the others cost nothing for it.
package enum LaneDemand: UInt8, Sendable {
  /// Those of operations whose answers depend on earlier ones by themselves.
  case templates
  /// Also those of operations that a scenario names.
  case scenario
  /// Every request, although the state chooses no response: each is decided before the lane is locked.
  case noted
  /// Every request, whose response the state may choose.
  case everything

  var isForAll: Bool { self == .noted || self == .everything }
}
