/// The elements that `contains` still needs.
struct ContainsDemand {
  /// The schemas, and the number of elements that each still needs.
  private var left: [(schema: JSON, count: Int)]
  /// Whether the array has too few elements, so that one must fit several schemas.
  private let areJoint: Bool

  init(_ schema: SchemaIntersection, most: Int) {
    left = schema.parts.compactMap { part in
      part["contains"].map { (schema: $0, count: min(part["minContains"]?.size ?? 1, ArraySamples.maximumCount)) }
    }
    left.removeAll { $0.count == 0 }
    areJoint = left.reduce(0) { $0 + $1.count } > most
  }

  var isEmpty: Bool { left.isEmpty }

  /// The schemas for the next element, in addition to those of its position.
  var next: [JSON] { left.prefix(areJoint ? left.count : 1).map(\.schema) }

  mutating func removeNext() {
    for position in left.indices.prefix(areJoint ? left.count : 1) { left[position].count -= 1 }
    left.removeAll { $0.count == 0 }
  }

  /// The schema of each needed element, up to a number of elements.
  func each(atMost most: Int) -> [JSON] {
    var schemas: [JSON] = []
    for (schema, count) in left where schemas.count < most {
      schemas += Array(repeating: schema, count: min(count, most - schemas.count))
    }
    return schemas
  }
}
