/// Equality and hashes of values by JSON Schema: numbers by value, objects without order (Core 2020-12, 4.2.2).
///
/// Works on pointers, and in less than quadratic time for objects of any size.
struct ValueIdentity {
  let nodes: UnsafePointer<JSONDocument.Node>
  let bytes: UnsafePointer<UInt8>

  static func isEqual(_ a: ValueIdentity, _ first: Int, _ b: ValueIdentity, _ second: Int) -> Bool {
    let (x, y) = (a.nodes[first], b.nodes[second])
    guard x.kind == y.kind else { return false }
    switch x.kind {
    case .null, .true, .false: return true
    case .string: return utf8Equals(a, x, b, y)
    case .number:
      if x.isSmallInteger, y.isSmallInteger { return x.hash == y.hash }
      return utf8Equals(a, x, b, y) || a.number(x) == b.number(y)
    case .array:
      guard x.count == y.count else { return false }
      var (i, j) = (first + 1, second + 1)
      for _ in 0..<x.count {
        guard isEqual(a, i, b, j) else { return false }
        (i, j) = (a.end(of: i), b.end(of: j))
      }
      return true
    case .object:
      guard x.count == y.count else { return false }
      if x.count <= 16 { return isEqualSmallObject(a, first, b, second) }
      let (mine, theirs) = (a.sortedKeys(of: first), b.sortedKeys(of: second))
      return zip(mine, theirs).allSatisfy { i, j in
        utf8Equals(a, a.nodes[i], b, b.nodes[j]) && isEqual(a, i + 1, b, j + 1)
      }
    }
  }

  /// Whether two objects with the same number of members are equal, without an allocation.
  private static func isEqualSmallObject(_ a: ValueIdentity, _ first: Int, _ b: ValueIdentity, _ second: Int) -> Bool {
    var key = first + 1
    for _ in 0..<a.nodes[first].count {
      var other = second + 1
      var left = b.nodes[second].count
      while left > 0, !isSameKey(a, a.nodes[key], b, b.nodes[other]) {
        other = b.end(of: other + 1)
        left -= 1
      }
      guard left > 0, isEqual(a, key + 1, b, other + 1) else { return false }
      key = a.end(of: key + 1)
    }
    return true
  }

  private static func isSameKey(
    _ a: ValueIdentity, _ x: JSONDocument.Node, _ b: ValueIdentity, _ y: JSONDocument.Node
  ) -> Bool {
    x.hash == y.hash && utf8Equals(a, x, b, y)
  }

  /// A hash of a value, seeded so that colliding values cannot be chosen.
  func hash(_ index: Int) -> Int {
    var hasher = Hasher()
    hash(index, into: &hasher)
    return hasher.finalize()
  }

  static func hash(of value: JSON) -> Int {
    let document = value.document
    return document.nodes.withUnsafeBufferPointer { nodes in
      document.bytes.withUnsafeBufferPointer { bytes in
        // The pointer is not read in a document without text.
        let anywhere = UnsafePointer<UInt8>(bitPattern: 1).unsafelyUnwrapped
        return ValueIdentity(nodes: nodes.baseAddress.unsafelyUnwrapped, bytes: bytes.baseAddress ?? anywhere)
          .hash(value.index)
      }
    }
  }

  /// Mixes a value into a hash; equal values mix the same.
  func hash(_ index: Int, into hasher: inout Hasher) {
    let node = nodes[index]
    hasher.combine(node.kind)
    switch node.kind {
    case .null, .true, .false: break
    case .string: hasher.combine(bytes: UnsafeRawBufferPointer(text(node)))
    case .number:
      if node.isSmallInteger {
        hasher.combine(Int(Int32(bitPattern: node.hash)))
      } else {
        let number = number(node)
        if let integer = number.int {
          hasher.combine(integer)
        } else {
          hasher.combine(number.isNegative)
          hasher.combine(number.exponent)
          hasher.combine(number.digits)
        }
      }
    case .array:
      hasher.combine(node.count)
      var child = index + 1
      for _ in 0..<node.count {
        hash(child, into: &hasher)
        child = end(of: child)
      }
    case .object:
      hasher.combine(node.count)
      for key in sortedKeys(of: index) {
        hasher.combine(bytes: UnsafeRawBufferPointer(text(nodes[key])))
        hash(key + 1, into: &hasher)
      }
    }
  }

  private func sortedKeys(of index: Int) -> [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(Int(nodes[index].count))
    var key = index + 1
    for _ in 0..<nodes[index].count {
      keys.append(key)
      key = end(of: key + 1)
    }
    return keys.sorted { a, b in
      let (x, y) = (nodes[a], nodes[b])
      return x.hash == y.hash ? text(x).lexicographicallyPrecedes(text(y)) : x.hash < y.hash
    }
  }

  private func number(_ node: JSONDocument.Node) -> JSONNumber { JSONNumber(spelling: Array(text(node))) }

  private func text(_ node: JSONDocument.Node) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + Int(node.offset), count: Int(node.count))
  }

  private func end(of index: Int) -> Int {
    nodes[index].kind.rawValue >= JSON.Kind.array.rawValue ? Int(nodes[index].offset) : index + 1
  }

  private static func utf8Equals(
    _ a: ValueIdentity, _ x: JSONDocument.Node, _ b: ValueIdentity, _ y: JSONDocument.Node
  ) -> Bool {
    x.count == y.count && a.text(x).elementsEqual(b.text(y))
  }
}
