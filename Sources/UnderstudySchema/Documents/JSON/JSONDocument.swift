/// The storage behind every `JSON`: all values of one text in a flat table, in document order.
///
/// A tree of enums costs an allocation and a reference count per value; a table costs neither, and a validator can walk
/// it through one unsafe pointer. The children of a container directly follow it; those of an object alternate key and
/// value. The source map is a second table of the same length.
package final class JSONDocument: Sendable {
  package let nodes: [Node]
  /// The bytes of all strings (decoded, UTF-8) and numbers (as spelled).
  package let bytes: [UInt8]
  /// The source map: the range of each node in `source`; `nil` without one.
  package let ranges: [SourceRange]?
  package let source: SourceFile?
  /// The first hundred duplicate keys, in the order in which their objects end; the last one of a name counts.
  package let duplicates: [TextProblem]

  package init(
    nodes: [Node], bytes: [UInt8], ranges: [SourceRange]? = nil, source: SourceFile? = nil,
    duplicates: [TextProblem] = []
  ) {
    self.nodes = nodes
    self.bytes = bytes
    self.ranges = ranges
    self.source = source
    self.duplicates = duplicates
  }

  package var root: JSON { JSON(document: self, index: 0) }

  /// One value or object key: 16 bytes.
  package struct Node: Sendable {
    package var kind: JSON.Kind
    /// For a number: whether `hash` holds its value as an `Int32` bit pattern.
    package var isSmallInteger = false
    /// String, number: length in bytes. Array: elements. Object: members.
    package var count: UInt32
    /// String, number: offset in `bytes`. Container: index of the first node after its last descendant.
    package var offset: UInt32
    /// Key: a hash of its bytes, see `JSONDocument.hash`. Number: see `isSmallInteger`. Else 0.
    package var hash: UInt32

    package init(kind: JSON.Kind, count: UInt32 = 0, offset: UInt32 = 0, hash: UInt32 = 0) {
      self.kind = kind
      self.count = count
      self.offset = offset
      self.hash = hash
    }
  }

  /// Byte offsets of a value or key in its source.
  package struct SourceRange: Sendable {
    package var start: UInt32
    package var end: UInt32

    package init(start: Int, end: Int) {
      self.start = UInt32(truncatingIfNeeded: start)
      self.end = UInt32(truncatingIfNeeded: end)
    }
  }

  /// A cheap hash of a key: its length and its first and last eight bytes.
  ///
  /// It only saves comparisons; equal hashes do not mean equal keys.
  @inline(__always)
  package static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let count = bytes.count
    var value = UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    if count >= 8 {
      let raw = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
      value ^= raw.loadUnaligned(as: UInt64.self)
      value = value &* 0xFF51_AFD7_ED55_8CCD
      value ^= raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else {
      var tail: UInt64 = 0
      for byte in bytes { tail = tail << 8 | UInt64(byte) }
      value ^= tail
    }
    value = value &* 0xC4CE_B9FE_1A85_EC53
    return UInt32(truncatingIfNeeded: value >> 32)
  }

  /// The node after the value at `index`: its next sibling, or the node that follows its parent.
  @inline(__always)
  package func end(of index: Int) -> Int {
    switch nodes[index].kind {
    case .array, .object: Int(nodes[index].offset)
    default: index + 1
    }
  }

  /// Calls `body` with the bytes of a string or number node.
  @inline(__always)
  package func withBytes<R>(of index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    let node = nodes[index]
    return bytes.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[Int(node.offset)..<Int(node.offset) + Int(node.count)]))
    }
  }
}
