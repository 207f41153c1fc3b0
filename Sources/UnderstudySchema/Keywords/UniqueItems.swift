/// `uniqueItems`, and the equality for `enum` and `const`.
extension Evaluator {
  private var identity: ValueIdentity { ValueIdentity(nodes: nodes, bytes: bytes) }

  func isEqual(_ index: Int, to constant: Constant) -> Bool {
    constant.document._withUnsafeGuaranteedRef { document in
      document.nodes.withUnsafeBufferPointer { nodes in
        document.bytes.withUnsafeBufferPointer { bytes in
          guard let first = nodes.baseAddress else { return false }
          let other = ValueIdentity(nodes: first, bytes: bytes.baseAddress ?? self.bytes)
          return ValueIdentity.isEqual(identity, index, other, constant.index)
        }
      }
    }
  }

  func identityHash(_ index: Int) -> Int { identity.hash(index) }

  @inline(never)
  func isUnique(_ index: Int) -> Bool { firstDuplicate(in: index) == nil }

  /// Whether the stack has room for a recursive comparison of the value; otherwise the evaluation stops.
  func isComparable(_ index: Int) -> Bool {
    // Small values always fit.
    guard end(of: index) - index > 64 else { return true }
    return !isOutOfStack(for: nesting(of: index) * Self.stackOfLevel)
  }

  /// An upper bound for the bytes of a stack frame.
  private static let stackOfLevel = 768

  /// The nesting depth of arrays and objects.
  private func nesting(of index: Int) -> Int {
    var ends: [Int] = []
    var deepest = 0
    for node in index..<end(of: index) where nodes[node].kind.rawValue >= JSON.Kind.array.rawValue {
      while let end = ends.last, node >= end { ends.removeLast() }
      ends.append(end(of: node))
      deepest = max(deepest, ends.count)
    }
    return deepest
  }

  /// The cost of comparing or hashing all long texts and numbers of a value once.
  func costOfTexts(in index: Int) -> Int {
    var cost = 0
    for node in index..<end(of: index) where nodes[node].count > 15 {
      switch nodes[node].kind {
      case .number: cost += costOfNumber(nodes[node])
      case .string: cost += Int(nodes[node].count >> 6)
      default: break
      }
    }
    return cost
  }

  /// The nodes of two equal elements.
  private func firstDuplicate(in index: Int) -> (Int, Int)? {
    let count = Int(nodes[index].count)
    guard count > 1, isComparable(index) else { return nil }
    let comparisons = min(count, Self.pairwiseLimit)
    guard affords((end(of: index) - index) >> 1 + costOfTexts(in: index) * comparisons) else { return nil }
    return count <= Self.pairwiseLimit ? firstEqualPair(in: index, count) : firstEqualHash(in: index, count)
  }

  /// Up to this many elements, comparing each with each is faster than hashing them.
  private static let pairwiseLimit = 20

  private func firstEqualPair(in index: Int, _ count: Int) -> (Int, Int)? {
    var later = index + 1
    for position in 0..<count {
      var earlier = index + 1
      for _ in 0..<position {
        if ValueIdentity.isEqual(identity, earlier, identity, later) { return (earlier, later) }
        earlier = end(of: earlier)
      }
      later = end(of: later)
    }
    return nil
  }

  private func firstEqualHash(in index: Int, _ count: Int) -> (Int, Int)? {
    var size = 64
    while size < 2 * count { size *= 2 }
    // Open addressing; node 0 is never an element, so it marks a free slot.
    return withUnsafeTemporaryAllocation(of: (hash: UInt32, node: UInt32).self, capacity: size) { table in
      table.initialize(repeating: (0, 0))
      var element = index + 1
      for _ in 0..<count {
        let hash = UInt32(truncatingIfNeeded: identity.hash(element))
        var slot = Int(hash) & (size - 1)
        while table[slot].node != 0 {
          let other = Int(table[slot].node)
          if table[slot].hash == hash, ValueIdentity.isEqual(identity, other, identity, element) {
            return (other, element)
          }
          slot = (slot + 1) & (size - 1)
        }
        table[slot] = (hash, UInt32(truncatingIfNeeded: element))
        element = end(of: element)
      }
      return nil
    }
  }

  /// The positions of two equal elements.
  func duplicatePositions(in index: Int) -> (Int, Int)? {
    guard let (first, second) = firstDuplicate(in: index) else { return nil }
    func position(of node: Int) -> Int {
      var (element, position) = (index + 1, 0)
      while element < node { (element, position) = (end(of: element), position + 1) }
      return position
    }
    return (position(of: first), position(of: second))
  }
}

extension FailureCollector {
  func uniqueFailure(_ value: JSON) -> KeywordFailure {
    guard let (first, second) = evaluator.duplicatePositions(in: value.index), let element = value[second] else {
      return KeywordFailure("uniqueItems", "expected unique elements")
    }
    return KeywordFailure(
      "uniqueItems",
      "expected unique elements, but elements \(first) and \(second) are both \(Wording.quote(element))")
  }
}
