/// What schemas say about a value that fits them: its title, whether it is deprecated, which of its properties were
/// named (Core 2020-12, 7.7).
package struct Annotations: Sendable {
  /// A schema that was applied, or one keyword of it, in the order of the schema.
  struct Unit: Sendable {
    /// How many units it stands in; they come before it.
    var depth: Int
    var keywordLocation: String
    var absoluteKeywordLocation: String
    var instanceLocation: String
    /// `nil` where only units inside have something to say.
    var annotation: JSON?
  }

  var units: [Unit] = []
  /// Why some are missing, in one sentence; `nil` when all are there.
  package internal(set) var gap: String?

  package init() {}

  /// Those that say something, one after the other, as `basic` has them (Core 2020-12, 12.4.2).
  var list: [JSON] { units.compactMap { $0.annotation == nil ? nil : $0.json(around: []) } }

  /// What the units inside the outermost schema say, as `detailed` has it: units that say nothing are left out when
  /// empty, and make way for what they hold when that is one alone (Core 2020-12, 12.4.3).
  var tree: [JSON] {
    // By depth, and in reverse order: what the next unit further up may hold. Read backwards, a unit comes when all
    // that it holds is complete.
    var open: [[JSON]] = []
    for unit in units.reversed() {
      while open.count < unit.depth + 2 { open.append([]) }
      let inside = open[unit.depth + 1]
      open[unit.depth + 1] = []
      if unit.annotation != nil || inside.count > 1 || unit.depth == 0 {
        if unit.depth == 0 { return inside.reversed() }
        open[unit.depth].append(unit.json(around: inside.reversed()))
      } else {
        open[unit.depth] += inside
      }
    }
    return []
  }
}

extension Annotations.Unit {
  fileprivate func json(around inside: [JSON]) -> JSON {
    var members = OutputUnit.heading(
      isValid: true, keywordLocation: keywordLocation, absoluteKeywordLocation: absoluteKeywordLocation,
      instanceLocation: instanceLocation)
    if let annotation { members.append(("annotation", annotation)) }
    if !inside.isEmpty { members.append(("annotations", .array(inside))) }
    return .object(members)
  }
}
