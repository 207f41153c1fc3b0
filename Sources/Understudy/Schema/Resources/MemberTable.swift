/// The members of a large object by the hash of their keys.
struct MemberTable {
  /// In smaller objects, looking through all of them is as fast.
  static let minimumCount = 16

  /// Nodes of keys; 0 marks a free slot, as the root is no key.
  private var slots: [Int]

  /// - Parameter object: In a document without duplicate keys.
  init(_ object: JSON) {
    var size = 1
    while size < object.count * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    for member in object.members {
      var slot = Int(member.key.node.hash) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = member.key.index
    }
  }

  /// The node of a member's value.
  func value(of name: UnsafeBufferPointer<UInt8>, in document: JSONDocument) -> Int? {
    let hash = JSONDocument.hash(name)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let key = slots[slot]
      if document.nodes[key].hash == hash, document.withBytes(of: key, { $0.elementsEqual(name) }) { return key + 1 }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }
}
