/// The standard output for an invalid value: the schemas and keywords that fail, as a tree (Core 2020-12, 12.3).
///
/// Nothing here recurses: a value may be nested deeper than a small stack holds.
struct OutputTree {
  struct Unit {
    /// The keywords passed on the way, references included.
    var keywordLocation: JSONPointer
    /// The canonical URI of the same keyword, without references on the way.
    var absoluteKeywordLocation: String
    var instanceLocation: JSONPointer
    var error: String?
    /// The number of the entry into a schema; `nil` for a keyword.
    var entry: Int?
  }

  private var units: [Unit]
  /// The children of each unit.
  private var below: [[Int]] = [[]]

  /// - Parameter root: The whole schema, applied to the whole value.
  init(_ root: Unit) { units = [root] }

  /// The error of the schema as a whole.
  var error: String? { units[0].error }
  /// Whether the tree has only the root.
  var isBare: Bool { below[0].isEmpty }

  /// Adds a failure as the units from the outermost schema to the broken keyword.
  mutating func insert(_ chain: [Unit]) {
    var outer = 0
    for unit in chain { outer = place(unit, below: outer) }
  }

  /// Inserts a unit somewhere below another; returns its number.
  private mutating func place(_ unit: Unit, below outermost: Int) -> Int {
    var outer = outermost
    if outer == 0, units[0].isSame(as: unit), take(unit.error, for: outer) { return outer }
    while true {
      for inner in below[outer].reversed() where units[inner].isSame(as: unit) {
        if take(unit.error, for: inner) { return inner }
      }
      // The errors of the alternatives of `oneOf` are below its own error.
      guard let around = below[outer].last(where: { units[$0].isAround(unit) }) else { break }
      outer = around
    }
    units.append(unit)
    below.append([])
    below[outer].append(units.count - 1)
    return units.count - 1
  }

  /// Adds an error to a unit without one; each of two failures of one keyword, such as missing properties, needs a
  /// unit.
  private mutating func take(_ error: String?, for unit: Int) -> Bool {
    if let error {
      guard units[unit].error == nil else { return false }
      units[unit].error = error
    }
    return true
  }

  /// The children of a unit, each without an error replaced by its only child (12.4.3).
  private func shown(below unit: Int) -> [Int] {
    below[unit].map { inner in
      var inner = inner
      while units[inner].error == nil, below[inner].count == 1 { inner = below[inner][0] }
      return inner
    }
  }

  /// All units below the root as a tree, for `detailed`.
  var tree: JSON {
    .make { builder in
      builder.begin(.array)
      // The pending units, the next one last; `nil` is the end of a unit.
      var pending: [Int?] = shown(below: 0).reversed()
      while let next = pending.popLast() {
        guard let unit = next else {
          builder.end()
          builder.end()
          continue
        }
        units[unit].begin(units[unit].error, in: &builder)
        let inner = shown(below: unit)
        guard !inner.isEmpty else {
          builder.end()
          continue
        }
        builder.append(key: "errors")
        builder.begin(.array)
        pending.append(nil)
        pending += inner.reversed()
      }
      builder.end()
    }
  }

  /// All units below the root as a list, for `basic`.
  var list: JSON {
    .make { builder in
      builder.begin(.array)
      var pending = Array(shown(below: 0).reversed())
      while let unit = pending.popLast() {
        units[unit].begin(units[unit].error ?? "a subschema has errors", in: &builder)
        builder.end()
        pending += shown(below: unit).reversed()
      }
      builder.end()
    }
  }
}

extension OutputTree.Unit {
  fileprivate func isSame(as other: Self) -> Bool {
    if let entry, entry == other.entry { return true }
    return keywordLocation.tokens.count == other.keywordLocation.tokens.count
      && instanceLocation.tokens.count == other.instanceLocation.tokens.count
      && other.keywordLocation.isBelow(keywordLocation) && other.instanceLocation.isBelow(instanceLocation)
  }

  fileprivate func isAround(_ other: Self) -> Bool {
    error != nil && keywordLocation.tokens.count < other.keywordLocation.tokens.count
      && other.keywordLocation.isBelow(keywordLocation) && other.instanceLocation.isBelow(instanceLocation)
  }

  /// Opens the object of the unit.
  fileprivate func begin(_ error: String?, in builder: inout JSONBuilder) {
    builder.beginUnit(
      isValid: false, keywordLocation.description, absoluteKeywordLocation, instanceLocation.description)
    if let error {
      builder.append(key: "error")
      builder.append(error)
    }
  }
}

extension JSONPointer {
  /// Whether it leads to the same place as another or below it. Compared from the end, where pointers differ most.
  fileprivate func isBelow(_ other: JSONPointer) -> Bool {
    guard tokens.count >= other.tokens.count else { return false }
    return other.tokens.indices.reversed().allSatisfy { tokens[$0] == other.tokens[$0] }
  }
}
