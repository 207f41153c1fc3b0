/// One node of the standard output of validators: a schema or keyword that fails, and what fails below it.
/// (Core 2020-12, 12.3)
struct OutputUnit {
  /// The keywords passed on the way, references included.
  let keywordLocation: JSONPointer
  /// The canonical URI of the same keyword, without references on the way.
  let absoluteKeywordLocation: String
  let instanceLocation: JSONPointer
  var error: String?
  var children: [OutputUnit] = []

  /// Takes in a failure as the units from the outermost schema to the broken keyword.
  mutating func insert(_ chain: ArraySlice<OutputUnit>) {
    guard let next = chain.first else { return }
    // One keyword may fail in two ways: two properties are missing.
    if let same = children.lastIndex(where: { $0.isSame(as: next) && ($0.error == nil || next.error == nil) }) {
      children[same].error = children[same].error ?? next.error
      children[same].insert(chain.dropFirst())
    } else if let around = children.lastIndex(where: { $0.isAround(next) }) {
      // `oneOf` has complained itself; what its alternatives have to say belongs below it.
      children[around].insert(chain)
    } else {
      children.append(next)
      children[children.count - 1].insert(chain.dropFirst())
    }
  }

  private func isSame(as other: OutputUnit) -> Bool {
    keywordLocation == other.keywordLocation && instanceLocation == other.instanceLocation
  }

  private func isAround(_ other: OutputUnit) -> Bool {
    error != nil && keywordLocation != other.keywordLocation
      && other.keywordLocation.tokens.starts(with: keywordLocation.tokens)
      && other.instanceLocation.tokens.starts(with: instanceLocation.tokens)
  }

  /// The same with every unit left out that says nothing itself and holds only one other (12.4.3).
  var condensed: OutputUnit {
    var unit = self
    unit.children = children.map(\.condensed)
    return unit.error == nil && unit.children.count == 1 ? unit.children[0] : unit
  }

  /// The unit with all below it, as `detailed` has it.
  var tree: JSON {
    var members = heading
    if let error { members.append(("error", .string(error))) }
    if !children.isEmpty { members.append(("errors", .array(children.map(\.tree)))) }
    return .object(members)
  }

  /// The unit and all below it one after the other, as `basic` has them.
  var list: [JSON] {
    [.object(heading + [("error", .string(error ?? "a subschema has errors"))])] + children.flatMap(\.list)
  }

  private var heading: [(String, JSON)] {
    [
      ("valid", false), ("keywordLocation", .string(keywordLocation.description)),
      ("absoluteKeywordLocation", .string(absoluteKeywordLocation)),
      ("instanceLocation", .string(instanceLocation.description)),
    ]
  }
}
