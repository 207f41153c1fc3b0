extension String {
  /// Whether two texts are the same bytes. `==` takes canonically equivalent texts for the same, which no server does.
  @inline(__always)
  package func isSpelled(_ other: String) -> Bool { utf8.count == other.utf8.count && hasBytes(of: other) }

  /// The same for a text of the same length.
  private func hasBytes(of other: String) -> Bool {
    let (a, b) = (utf8, other.utf8)
    let isSame = a.withContiguousStorageIfAvailable { a in
      b.withContiguousStorageIfAvailable { b in
        for index in a.indices where a[index] != b[index] { return false }
        return true
      }
    }
    return (isSame ?? nil) ?? a.elementsEqual(b)
  }
}
