/// A value that sets can hold: equal as JSON Schema has it, so that 1 and 1.0 are one.
struct DistinctValue: Hashable {
  let value: JSON

  static func == (a: DistinctValue, b: DistinctValue) -> Bool { a.value == b.value }

  func hash(into hasher: inout Hasher) {
    let document = value.document
    document.nodes.withUnsafeBufferPointer { nodes in
      document.bytes.withUnsafeBufferPointer { bytes in
        guard let first = nodes.baseAddress else { return }
        // Without any text its pointer is never read, but there must be one.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { spare in
          guard let text = bytes.baseAddress ?? UnsafePointer(spare.baseAddress) else { return }
          ValueIdentity(nodes: first, bytes: text).hash(value.index, into: &hasher)
        }
      }
    }
  }
}
