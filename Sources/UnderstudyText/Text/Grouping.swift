extension Sequence {
  /// Elements with the same key together, in the order of the first of each.
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
    var groups: [(key: Key, elements: [Element])] = []
    var positions: [Key: Int] = [:]
    for element in self {
      let key = key(element)
      if let position = positions[key] {
        groups[position].elements.append(element)
      } else {
        positions[key] = groups.count
        groups.append((key, [element]))
      }
    }
    return groups
  }
}

extension Sequence where Element: Hashable {
  /// Each element once, in the order of its first occurrence.
  package func unique() -> [Element] {
    var seen = Set<Element>()
    return filter { seen.insert($0).inserted }
  }
}
