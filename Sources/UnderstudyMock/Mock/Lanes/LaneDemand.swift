/// The requests that have to see the state of a lane; the others cost nothing for it.
package enum LaneDemand: UInt8, Sendable {
  /// Those of operations whose answers depend on earlier ones by themselves.
  case templates
  /// Also those of operations that a scenario names.
  case scenario
  case everything
}
