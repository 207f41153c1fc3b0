/// The members of a large object by the hash of their keys.
package struct MemberTable: Sendable {
  /// In smaller objects a linear search is as fast.
  static let minimumCount = 16
  /// The slots to look at for one key; as in a `NameTable`, keys may be chosen to collide.
  private static let reach = 32

  private struct Slot {
    var hash: UInt32 = 0
    /// The node of the key; 0, the root, marks a free slot.
    var key: UInt32 = 0
  }

  private var slots: [Slot]
  /// The nodes of the keys without a free slot within reach.
  private var strays: [[UInt8]: Int] = [:]

  /// - Parameter object: An object in a document without duplicate keys.
  package init(_ object: JSON) {
    var size = 1
    while size < object.count * 2 { size *= 2 }
    slots = Array(repeating: Slot(), count: size)
    for member in object.members {
      let hash = member.key.node.hash
      if let free = positions(of: hash).first(where: { slots[$0].key == 0 }) {
        slots[free] = Slot(hash: hash, key: UInt32(truncatingIfNeeded: member.index))
      } else {
        strays[member.key.bytes] = member.index
      }
    }
  }

  /// The node of a member's value.
  package func value(of name: UnsafeBufferPointer<UInt8>, in document: JSONDocument) -> Int? {
    let hash = JSONDocument.hash(name)
    for position in positions(of: hash) {
      let slot = slots[position]
      if slot.key == 0 { return nil }
      let key = Int(slot.key)
      if slot.hash == hash, document.withBytes(of: key, { utf8Equals($0, name) }) { return key + 1 }
    }
    return strays[Array(name)].map { $0 + 1 }
  }

  /// The slots to look at for a key.
  private func positions(of hash: UInt32) -> some Sequence<Int> {
    let mask = slots.count - 1
    return (0..<Self.reach).lazy.map { (Int(hash) + $0) & mask }
  }
}
