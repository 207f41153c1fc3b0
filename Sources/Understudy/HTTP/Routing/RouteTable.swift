/// All templates under one base path as a tree of segments, frozen into flat arrays.
///
/// One lookup in one table finds the literal child of any node. A way down the tree is walked at most once for each node,
/// so a miss costs no more than the tree is large, whatever the request.
struct RouteTable: Sendable {
  struct Node {
    /// The child for a segment that is one expression; -1 for none.
    var variable: Int32 = -1
    /// The leaf for a path that ends here; -1 for none.
    var leaf: Int32 = -1
    /// Where its patterns stand in `patterns`, most literal characters first.
    var patterns: Range<Int32> = 0..<0
  }

  struct PatternEdge {
    var pattern: SegmentPattern
    var child: Int
  }

  /// One operation at a leaf.
  struct Route {
    var method: String
    var operation: Int
    var template: String
    var names: [String]
  }

  var nodes: [Node]
  var literals: LiteralTable
  var patterns: [PatternEdge]
  /// The routes of each leaf, in order of declaration.
  var leaves: [[Route]]
  /// The largest number of expressions in one template.
  var captureLimit: Int

  /// Ranges of a path that stand for expressions, on the stack of the caller.
  struct Captures {
    let storage: UnsafeMutableBufferPointer<Range<Int>>
    var count = 0

    mutating func push(_ range: Range<Int>) {
      guard count < storage.count else { return }
      storage[count] = range
      count += 1
    }
  }

  /// The leaf for the rest of a path from the slash at `position` on; the first in order of precedence that `accepts`.
  func leaf(
    under node: Int, at position: Int, of path: UnsafeBufferPointer<UInt8>, allowingEmpty: Bool,
    into captures: inout Captures, accepts: (Int) -> Bool
  ) -> Int? {
    if position == path.count {
      let leaf = Int(nodes[node].leaf)
      return leaf >= 0 && accepts(leaf) ? leaf : nil
    }
    let start = position + 1
    var end = start
    var isPlain = true
    while end < path.count, path[end] != UInt8(ascii: "/") {
      isPlain = isPlain && PathEncoding.isPlain(path[end])
      end += 1
    }
    let segment = UnsafeBufferPointer(rebasing: path[start..<end])
    func go(_ child: Int, _ captures: inout Captures) -> Int? {
      leaf(under: child, at: end, of: path, allowingEmpty: allowingEmpty, into: &captures, accepts: accepts)
    }
    let mark = captures.count
    if isPlain {
      if let child = literals.child(of: node, segment), let leaf = go(child, &captures) { return leaf }
      for edge in nodes[node].patterns {
        captures.count = mark
        if patterns[Int(edge)].pattern.match(segment, { captures.push(start + $0.lowerBound..<start + $0.upperBound) }),
          let leaf = go(patterns[Int(edge)].child, &captures)
        {
          return leaf
        }
      }
    } else if let leaf = leafOfEncoded(segment, at: start, under: node, into: &captures, go) {
      return leaf
    }
    captures.count = mark
    let variable = Int(nodes[node].variable)
    guard variable >= 0, start < end || allowingEmpty else { return nil }
    captures.push(start..<end)
    return go(variable, &captures)
  }

  /// The same for a segment that has to be brought into normal form first: rare, so it may allocate.
  private func leafOfEncoded(
    _ segment: UnsafeBufferPointer<UInt8>, at start: Int, under node: Int, into captures: inout Captures,
    _ go: (Int, inout Captures) -> Int?
  ) -> Int? {
    var bytes: [UInt8] = []
    var origins: [Int] = []
    PathEncoding.normalise(segment) { byte, offset in
      bytes.append(byte)
      origins.append(start + offset)
    }
    origins.append(start + segment.count)
    let mark = captures.count
    return bytes.withUnsafeBufferPointer { normal in
      if let child = literals.child(of: node, normal), let leaf = go(child, &captures) { return leaf }
      for edge in nodes[node].patterns {
        captures.count = mark
        if patterns[Int(edge)].pattern.match(
          normal, { captures.push(origins[$0.lowerBound]..<origins[$0.upperBound]) }),
          let leaf = go(patterns[Int(edge)].child, &captures)
        {
          return leaf
        }
      }
      return nil
    }
  }
}
