/// A value with the equality of JSON Schema, for sets: 1 and 1.0 are equal.
struct DistinctValue: Hashable {
  let value: JSON

  static func == (a: DistinctValue, b: DistinctValue) -> Bool { a.value == b.value }

  func hash(into hasher: inout Hasher) { hasher.combine(ValueIdentity.hash(of: value)) }
}
