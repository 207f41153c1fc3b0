/// `uniqueItems`, and the equality that `enum` and `const` need as well.
extension Evaluator {
  private var identity: ValueIdentity { ValueIdentity(nodes: nodes, bytes: bytes) }

  func isEqual(_ index: Int, to constant: JSON) -> Bool {
    let document = constant.document
    return document.nodes.withUnsafeBufferPointer { nodes in
      document.bytes.withUnsafeBufferPointer { bytes in
        guard let first = nodes.baseAddress else { return false }
        let other = ValueIdentity(nodes: first, bytes: bytes.baseAddress ?? self.bytes)
        return ValueIdentity.isEqual(identity, index, other, constant.index)
      }
    }
  }

  func isUnique(_ index: Int) -> Bool { firstDuplicate(in: index) == nil }

  /// The positions of two equal elements.
  func firstDuplicate(in index: Int) -> (Int, Int)? {
    let count = Int(nodes[index].count)
    guard count > 1 else { return nil }
    var elements: [Int] = []
    elements.reserveCapacity(count)
    var element = index + 1
    for _ in 0..<count {
      elements.append(element)
      element = end(of: element)
    }
    if count <= 8 {
      for later in 1..<count {
        for earlier in 0..<later
        where ValueIdentity.isEqual(identity, elements[earlier], identity, elements[later]) {
          return (earlier, later)
        }
      }
      return nil
    }
    // The hash is seeded, so nobody can choose values that collide: equal hashes are equal values, near enough always.
    var seen: [Int: [Int]] = [:]
    seen.reserveCapacity(count)
    for position in 0..<count {
      var hasher = Hasher()
      identity.hash(elements[position], into: &hasher)
      let hash = hasher.finalize()
      for earlier in seen[hash] ?? []
      where ValueIdentity.isEqual(identity, elements[earlier], identity, elements[position]) {
        return (earlier, position)
      }
      seen[hash, default: []].append(position)
    }
    return nil
  }
}

extension Explainer {
  func uniqueFailure(_ value: JSON) -> Finding {
    guard let (first, second) = evaluator.firstDuplicate(in: value.index), let element = value[second] else {
      return Finding("uniqueItems", "expected elements that differ")
    }
    return Finding(
      "uniqueItems",
      "expected elements that differ, but elements \(first) and \(second) are both \(Wording.quote(element))")
  }
}
