/// The members of a large object by the hash of their keys.
struct MemberTable {
  /// In smaller objects, looking through all of them is as fast.
  static let minimumCount = 16

  private struct Slot {
    var hash: UInt32 = 0
    /// The node of the key; 0 marks a free slot, as the root is no key.
    var key: UInt32 = 0
  }

  private var slots: [Slot]

  /// - Parameter object: In a document without duplicate keys.
  init(_ object: JSON) {
    var size = 1
    while size < object.count * 2 { size *= 2 }
    slots = Array(repeating: Slot(), count: size)
    for member in object.members {
      let hash = member.key.node.hash
      var position = Int(hash) & (size - 1)
      while slots[position].key != 0 { position = (position + 1) & (size - 1) }
      slots[position] = Slot(hash: hash, key: UInt32(truncatingIfNeeded: member.index))
    }
  }

  /// The node of a member's value.
  func value(of name: UnsafeBufferPointer<UInt8>, in document: JSONDocument) -> Int? {
    let hash = JSONDocument.hash(name)
    var position = Int(hash) & (slots.count - 1)
    while slots[position].key != 0 {
      let key = Int(slots[position].key)
      if slots[position].hash == hash, document.withBytes(of: key, { isSameText($0, name) }) { return key + 1 }
      position = (position + 1) & (slots.count - 1)
    }
    return nil
  }
}
