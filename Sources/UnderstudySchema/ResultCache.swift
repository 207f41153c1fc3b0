/// A cache for the results of deeply nested choices.
///
/// An alternative of `anyOf` or `oneOf` may evaluate the whole value of a member before another member excludes the
/// alternative. Nested choices repeat that at each level, so that the cost of a value would grow exponentially with its
/// depth. With the cache each choice is evaluated about once for each value.
///
/// The table has a fixed size, and new results replace old ones, since the next lookup is usually for a recent result.
struct ResultCache {
  /// The nesting of choices from which on the cache pays off.
  static let depth = 3

  /// The number of enclosing choices.
  var level = 0
  /// The number of choices made at that depth. With fewer than nodes, few are repeated, and the cache does not pay off.
  var made = 0
  private var entries: UnsafeMutablePointer<UInt64>?
  private var mask: UInt64 = 0

  /// - Parameters:
  ///   - choice: The first branch of the choice, which identifies it.
  ///   - node: The value's node.
  func verdict(of choice: UInt32, on node: Int) -> Bool? {
    guard let entries else { return nil }
    let key = Self.key(choice, node)
    let entry = entries[slot(of: key)]
    return entry & ~1 == key ? entry & 1 == 1 : nil
  }

  /// - Parameter nodes: The number of nodes in the value.
  mutating func remember(_ verdict: Bool, of choice: UInt32, on node: Int, nodes: Int) {
    let key = Self.key(choice, node)
    if entries == nil { makeEntries(for: nodes) }
    entries?[slot(of: key)] = verdict ? key | 1 : key
  }

  mutating func free() {
    entries?.deallocate()
    entries = nil
  }

  /// Never 0, which marks a free entry; the lowest bit holds the verdict.
  private static func key(_ choice: UInt32, _ node: Int) -> UInt64 {
    UInt64(choice &+ 1) << 32 | UInt64(truncatingIfNeeded: node & 0x7FFF_FFFF) << 1
  }

  private func slot(of key: UInt64) -> Int { Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40 & mask) }

  private mutating func makeEntries(for nodes: Int) {
    var capacity = 64
    while capacity < nodes, capacity < 1 << 16 { capacity *= 2 }
    let entries = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
    entries.initialize(repeating: 0, count: capacity)
    self.entries = entries
    mask = UInt64(capacity - 1)
  }
}
