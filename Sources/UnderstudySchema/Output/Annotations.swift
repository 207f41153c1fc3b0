/// The annotations of a value by the schemas that accept it: its title, whether it is deprecated, the properties that
/// were evaluated (Core 2020-12, 7.7).
package struct Annotations: Sendable {
  /// A schema that was applied, or one keyword of it, in the order of the schema.
  struct Unit: Sendable {
    /// The number of enclosing units, which come before it.
    var depth: Int
    var keywordLocation: String
    var absoluteKeywordLocation: String
    var instanceLocation: String
    /// `nil` if only inner units have annotations.
    var annotation: JSON?
  }

  /// The outermost schema and all that it applied; empty if that is `true`.
  var units: [Unit] = []
  /// The reason why some are missing, in one sentence; `nil` if none is.
  package internal(set) var gap: String?

  package init() {}

  /// The units with annotations as a list, for `basic` (Core 2020-12, 12.4.2).
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

  /// The units in the outermost schema as a tree, for `detailed`: units without an annotation are omitted if they are
  /// empty, and replaced by their only child (Core 2020-12, 12.4.3).
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

  /// The number of children in the tree for each unit, including those that replace others.
  private var held: [Int] {
    var held = [Int](repeating: 0, count: units.count)
    // By depth, the number so far; in reverse order a unit follows all its children.
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
    builder.beginUnit(isValid: true, keywordLocation, absoluteKeywordLocation, instanceLocation)
    if let annotation {
      builder.append(key: "annotation")
      builder.append(annotation)
    }
  }
}

extension JSONBuilder {
  /// Opens the object of an output unit.
  mutating func beginUnit(isValid: Bool, _ keyword: String, _ absoluteKeyword: String, _ instance: String) {
    begin(.object)
    append(key: "valid")
    append(isValid)
    let locations = [
      ("keywordLocation", keyword), ("absoluteKeywordLocation", absoluteKeyword), ("instanceLocation", instance),
    ]
    for (key, location) in locations {
      append(key: key)
      append(location)
    }
  }
}
