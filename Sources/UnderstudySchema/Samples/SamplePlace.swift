/// The position of a value in a sample.
struct SamplePlace: Sendable {
  /// The nearest property name, for a typical value.
  private(set) var name = ""
  private(set) var depth = 0
  /// The position among array elements: later elements take later choices.
  var ordinal = 0
  /// A hash of the path from the root.
  private(set) var salt: UInt64 = 0
  /// The number of values that must differ from this one.
  var serial = 0
  /// The referenced schemas of enclosing values.
  private(set) var around: Set<NodeID> = []
  /// The schemas of each enclosing value, outermost first.
  private var enclosing: [[NodeID]] = []

  static let root = SamplePlace()

  func property(_ name: String) -> SamplePlace {
    var place = self
    place.name = name
    place.depth += 1
    place.salt = SeededGenerator.hash(name, onto: salt)
    return place
  }

  func element(_ position: Int, ordinal: Int) -> SamplePlace {
    var place = salted(position)
    place.depth += 1
    place.ordinal += ordinal
    return place
  }

  /// The same place with other choices.
  func salted(_ number: Int) -> SamplePlace {
    var place = self
    place.salt = SeededGenerator.hash(number, onto: salt)
    return place
  }

  /// The same place after the references of a schema.
  func below(_ schema: SchemaIntersection) -> SamplePlace {
    var place = self
    place.around.formUnion(schema.targets)
    return place
  }

  /// Whether an enclosing value has the same schemas.
  func isEnclosed(by schemas: [JSON]) -> Bool { enclosing.contains(schemas.map(\.id)) }

  mutating func enclose(by schemas: [JSON]) { enclosing.append(schemas.map(\.id)) }
}
