/// The position of a value in a sample.
struct SamplePlace: Sendable {
  /// The nearest property name: a hint at the value that readers expect.
  private(set) var name = ""
  private(set) var depth = 0
  /// The position among array elements: later elements take later choices.
  var ordinal = 0
  /// A hash of the path from the root.
  private(set) var salt: UInt64 = 0
  /// The number of values that must differ from this one.
  var serial = 0
  /// The referenced schemas whose values surround this one.
  private(set) var around: Set<NodeID> = []
  /// The schemas of each of the values that surround this one, outermost first.
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

  /// The same place behind the references that a schema follows.
  func below(_ schema: SchemaIntersection) -> SamplePlace {
    var place = self
    place.around.formUnion(schema.targets)
    return place
  }

  /// Whether a value around this one is made of the same schemas.
  func isEnclosed(by schemas: [JSON]) -> Bool { enclosing.contains(schemas.map(\.id)) }

  mutating func enclose(by schemas: [JSON]) { enclosing.append(schemas.map(\.id)) }
}
