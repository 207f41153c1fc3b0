/// A value that sets can hold: equal as JSON Schema has it, so that 1 and 1.0 are one.
struct DistinctValue: Hashable {
  let value: JSON

  static func == (a: DistinctValue, b: DistinctValue) -> Bool { a.value == b.value }

  func hash(into hasher: inout Hasher) { hasher.combine(ValueIdentity.hash(of: value)) }
}
