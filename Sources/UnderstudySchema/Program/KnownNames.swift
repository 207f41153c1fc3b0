/// A constant hash table of names, by the hash that keys have in a document.
///
/// The compiler looks up every key of a schema; a `String` for each would cost more than the rest of compiling.
struct KnownNames<Value: Sendable>: Sendable {
  private struct Slot {
    let hash: UInt32
    /// The offset of the name in the text.
    let start: UInt16
    let count: UInt16
    let value: Value
  }

  private var slots: [Slot?]
  private var text: [UInt8] = []
  private let mask: Int

  init(_ names: [(String, Value)]) {
    var size = 4
    while size < names.count * 4 { size *= 2 }
    slots = Array(repeating: nil, count: size)
    mask = size - 1
    for (name, value) in names {
      let bytes = Array(name.utf8)
      let hash = bytes.withUnsafeBufferPointer(JSONDocument.hash)
      var position = Int(hash) & mask
      while slots[position] != nil { position = (position + 1) & mask }
      slots[position] = Slot(
        hash: hash, start: UInt16(truncatingIfNeeded: text.count), count: UInt16(truncatingIfNeeded: bytes.count),
        value: value)
      text += bytes
    }
  }

  /// The value of a known name.
  func value(of name: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Value? {
    var position = Int(hash) & mask
    while let slot = slots[position] {
      if slot.hash == hash, Int(slot.count) == name.count, isKept(name, at: Int(slot.start)) { return slot.value }
      position = (position + 1) & mask
    }
    return nil
  }

  private func isKept(_ name: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    text.withUnsafeBufferPointer { utf8Equals(UnsafeBufferPointer(rebasing: $0[start..<start + name.count]), name) }
  }

  /// The value of the text of a string or key.
  func value(of string: JSON) -> Value? { value(ofTextAt: string.index, in: string.document) }

  /// The same for a string or key of a document.
  func value(ofTextAt node: Int, in document: JSONDocument) -> Value? {
    document.withBytes(of: node) { value(of: $0, hash: JSONDocument.hash($0)) }
  }

  /// The value of a known name with this hash, without a comparison: another name may have the same hash.
  func value(ofHash hash: UInt32) -> Value? {
    var position = Int(hash) & mask
    while let slot = slots[position] {
      if slot.hash == hash { return slot.value }
      position = (position + 1) & mask
    }
    return nil
  }
}
