extension String {
  /// Whether two texts are the same bytes. `==` takes canonically equivalent texts for the same, which no server does.
  package func isSpelled(_ other: String) -> Bool {
    let (a, b) = (utf8, other.utf8)
    guard a.count == b.count else { return false }
    let isSame = a.withContiguousStorageIfAvailable { a in
      b.withContiguousStorageIfAvailable { b in
        for index in a.indices where a[index] != b[index] { return false }
        return true
      }
    }
    return (isSame ?? nil) ?? a.elementsEqual(b)
  }
}
