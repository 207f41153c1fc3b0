/// The results of choices deep inside other choices.
///
/// An alternative of `anyOf` or `oneOf` may evaluate a member's whole value before another member shows that it is the wrong
/// alternative. With choices in choices each alternative of each level repeats that, so the cost of an honest value would
/// grow exponentially with its depth. With a cache each choice is made about once for each value.
///
/// A table of fixed size in which a newer result replaces an older one: the next result that is needed is nearly always
/// among the latest.
struct ResultCache {
  /// The nesting of choices from which on a table is worth its cost.
  static let depth = 3

  /// The number of choices around the present one.
  var level = 0
  /// The number of choices made at that depth. Until there are more than nodes, most are made once, and a table does not
  /// pay.
  var made = 0
  private var entries: UnsafeMutablePointer<UInt64>?
  private var mask: UInt64 = 0

  /// - Parameters:
  ///   - choice: The choice's first branch, which no other choice has.
  ///   - node: The value's node.
  func verdict(of choice: UInt32, on node: Int) -> Bool? {
    guard let entries else { return nil }
    let key = Self.key(choice, node)
    let entry = entries[slot(of: key)]
    return entry & ~1 == key ? entry & 1 == 1 : nil
  }

  /// - Parameter nodes: The number of nodes in the validated value.
  mutating func remember(_ verdict: Bool, of choice: UInt32, on node: Int, nodes: Int) {
    let key = Self.key(choice, node)
    if entries == nil { makeEntries(for: nodes) }
    entries?[slot(of: key)] = verdict ? key | 1 : key
  }

  mutating func free() {
    entries?.deallocate()
    entries = nil
  }

  /// Never 0, which marks a free entry; the lowest bit is left to the verdict.
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
