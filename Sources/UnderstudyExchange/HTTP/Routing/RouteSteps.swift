extension Router {
  /// The number of alternatives that a lookup of a path compares: one for each literal, pattern and expression of the nodes
  /// along the path.
  ///
  /// It does not depend on the time that a machine takes, so that tests can compare small and large routers.
  package func steps(to path: String) -> Int {
    var path = path
    return path.withUTF8 { bytes in bases.reduce(0) { $0 + $1.table.steps(to: bytes) } }
  }
}

extension RouteTable {
  fileprivate func steps(to path: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    var reached: Set<Int> = [0]
    for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      let text = UnsafeBufferPointer(rebasing: segment)
      var next: Set<Int> = []
      for node in reached {
        count += 1 + nodes[node].patterns.count
        if let child = literals.child(of: node, text) { next.insert(child) }
        for edge in nodes[node].patterns where patterns[Int(edge)].pattern.match(text, { _ in }) {
          next.insert(patterns[Int(edge)].child)
        }
        guard nodes[node].variable >= 0 else { continue }
        count += 1
        next.insert(Int(nodes[node].variable))
      }
      reached = next
    }
    return count
  }
}
