/// The elements that `contains` still asks for.
struct ContainsDemand {
  /// Schemas, and the number of elements that must still fit each.
  private var left: [(schema: JSON, count: Int)]
  /// Whether they are too many for the array, so that one element must fit several schemas.
  private let areJoint: Bool

  init(_ schema: SchemaIntersection, most: Int) {
    left = schema.parts.compactMap { part in
      part["contains"].map { (schema: $0, count: min(part["minContains"]?.size ?? 1, ArraySamples.maximumCount)) }
    }
    left.removeAll { $0.count == 0 }
    areJoint = left.reduce(0) { $0 + $1.count } > most
  }

  var isEmpty: Bool { left.isEmpty }

  /// The schemas that the next element must fit beside those of its position.
  var next: [JSON] { left.prefix(areJoint ? left.count : 1).map(\.schema) }

  mutating func removeNext() {
    for position in left.indices.prefix(areJoint ? left.count : 1) { left[position].count -= 1 }
    left.removeAll { $0.count == 0 }
  }

  /// A schema for each element that must fit it, up to `most` of all.
  func each(atMost most: Int) -> [JSON] {
    var schemas: [JSON] = []
    for (schema, count) in left where schemas.count < most {
      schemas += Array(repeating: schema, count: min(count, most - schemas.count))
    }
    return schemas
  }
}
