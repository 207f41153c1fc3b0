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
    /// `nil` where only inner units have annotations.
    var annotation: JSON?
  }

  /// The outermost schema and all that it has applied; empty when that is `true`.
  var units: [Unit] = []
  /// Why some are missing, in one sentence; `nil` when all are there.
  package internal(set) var gap: String?

  package init() {}

  /// The units with annotations, one after the other, as `basic` has them (Core 2020-12, 12.4.2).
  package var list: JSON {
    .make { builder in
      builder.begin(.array)
      for unit in units {
        guard let annotation = unit.annotation else { continue }
        unit.begin(annotation, in: &builder)
        builder.end()
      }
      builder.end()
    }
  }

  /// What stands in the outermost schema, as `detailed` has it: units that say nothing are left out when they are empty,
  /// and make way for what they hold when that is one alone (Core 2020-12, 12.4.3).
  package var tree: JSON {
    let held = held
    return .make { builder in
      builder.begin(.array)
      var open: [Int] = []
      for (unit, held) in zip(units, held).dropFirst() where unit.annotation != nil || held > 1 {
        while let last = open.last, last >= unit.depth {
          builder.end()
          builder.end()
          open.removeLast()
        }
        unit.begin(unit.annotation, in: &builder)
        if held > 0 {
          builder.append(key: "annotations")
          builder.begin(.array)
          open.append(unit.depth)
        } else {
          builder.end()
        }
      }
      for _ in open {
        builder.end()
        builder.end()
      }
      builder.end()
    }
  }

  /// By unit how many units directly inside it are kept in the tree, those counted that have taken the place of others.
  private var held: [Int] {
    var held = [Int](repeating: 0, count: units.count)
    // By depth, what has come so far; read backwards, a unit comes when all that it holds has come.
    var waiting: [Int] = []
    for (position, unit) in units.enumerated().reversed() {
      while waiting.count < unit.depth + 2 { waiting.append(0) }
      held[position] = waiting[unit.depth + 1]
      waiting[unit.depth] += unit.annotation != nil ? 1 : min(held[position], 1)
      waiting[unit.depth + 1] = 0
    }
    return held
  }
}

extension Annotations.Unit {
  /// Opens the object of a unit.
  fileprivate func begin(_ annotation: JSON?, in builder: inout JSONBuilder) {
    builder.begin(.object)
    builder.append(key: "valid")
    builder.append(true)
    let locations = [
      ("keywordLocation", keywordLocation), ("absoluteKeywordLocation", absoluteKeywordLocation),
      ("instanceLocation", instanceLocation),
    ]
    for (key, location) in locations {
      builder.append(key: key)
      builder.append(location)
    }
    if let annotation {
      builder.append(key: "annotation")
      builder.append(annotation)
    }
  }
}
