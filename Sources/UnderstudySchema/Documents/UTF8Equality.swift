extension String {
  /// Whether two texts have the same bytes; `==` also equates canonically equivalent texts.
  @inlinable
  package func utf8Equals(_ other: String) -> Bool { utf8.count == other.utf8.count && hasBytes(of: other) }

  /// The same for a text of the same length.
  @usableFromInline
  func hasBytes(of other: String) -> Bool {
    let (a, b) = (utf8, other.utf8)
    let isSame = a.withContiguousStorageIfAvailable { a in
      b.withContiguousStorageIfAvailable { b in
        UnderstudySchema.utf8Equals(a, b)
      }
    }
    return (isSame ?? nil) ?? a.elementsEqual(b)
  }
}

extension String {
  /// Whether the bytes begin with those of another text; `utf8.starts(with:)` takes hundreds of instructions.
  package func hasUTF8Prefix(_ prefix: String) -> Bool {
    let (a, b) = (utf8, prefix.utf8)
    guard a.count >= b.count else { return false }
    let isPrefix = a.withContiguousStorageIfAvailable { a in
      b.withContiguousStorageIfAvailable { b in
        UnderstudySchema.utf8Equals(UnsafeBufferPointer(rebasing: a[..<b.count]), b)
      }
    }
    return (isPrefix ?? nil) ?? a.starts(with: b)
  }
}

/// Whether two texts of the same length are equal.
///
/// Compares words that may overlap: the end of a loop over the bytes of a short name is a mispredicted branch.
@inline(__always)
package func utf8Equals(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int) -> Bool {
  if count >= 8 {
    var offset = 0
    while offset + 8 < count {
      guard isSame(UInt64.self, a, b, at: offset) else { return false }
      offset += 8
    }
    return isSame(UInt64.self, a, b, at: count - 8)
  }
  if count >= 4 { return isSame(UInt32.self, a, b, at: 0) && isSame(UInt32.self, a, b, at: count - 4) }
  if count >= 2 { return isSame(UInt16.self, a, b, at: 0) && isSame(UInt16.self, a, b, at: count - 2) }
  return count == 0 || a[0] == b[0]
}

/// Whether two texts are equal.
@inline(__always)
package func utf8Equals(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
  guard a.count == b.count, let first = a.baseAddress, let second = b.baseAddress else { return a.count == b.count }
  return utf8Equals(first, second, a.count)
}

@inline(__always)
package func isSame<Word: FixedWidthInteger & BitwiseCopyable>(
  _: Word.Type, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, at offset: Int
) -> Bool {
  UnsafeRawPointer(a).loadUnaligned(fromByteOffset: offset, as: Word.self)
    == UnsafeRawPointer(b).loadUnaligned(fromByteOffset: offset, as: Word.self)
}
