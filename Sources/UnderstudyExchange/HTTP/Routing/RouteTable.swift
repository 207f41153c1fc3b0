/// All templates under one base path as a tree of segments, frozen into flat arrays.
///
/// One lookup in one table finds the literal child of any node. A walk visits each node at most once, so a miss costs no more
/// than the size of the tree.
final class RouteTable: Sendable {
  struct Node {
    /// The child for a segment that is one expression; -1 for none.
    var variable: Int32 = -1
    /// The leaf for a path that ends here; -1 for none.
    var leaf: Int32 = -1
    /// The leaf for one or more segments of any text; -1 for none.
    var rest: Int32 = -1
    /// Its patterns in `patterns`, most literal characters first.
    var patterns: Range<Int32> = 0..<0
  }

  struct PatternEdge {
    var pattern: SegmentPattern
    var child: Int
    /// The compiled patterns of its expressions; `nil` for an edge without any.
    var tests: [Pattern?]?

    init(pattern: SegmentPattern, child: Int) {
      (self.pattern, self.child) = (pattern, child)
      guard !pattern.patterns.isEmpty else { return }
      tests = pattern.patterns.map { text in text.flatMap { try? Pattern(ecma: "^(?:\($0))$") } }
    }

    /// Whether the captured values match the patterns.
    func accepts(_ captures: Slice<UnsafeMutableBufferPointer<Range<Int>>>, of path: UnsafeBufferPointer<UInt8>) -> Bool
    {
      guard let tests else { return true }
      return zip(tests, captures).allSatisfy { test, range in
        guard let test else { return true }
        let raw = String(decoding: path[range], as: UTF8.self)
        return test.matches(PercentEncoding.decode(raw) ?? raw) == .yes
      }
    }
  }

  struct Route {
    var method: String
    var operation: Int
    var template: String
    var names: [String]
  }

  let nodes: [Node]
  let literals: LiteralTable
  let patterns: [PatternEdge]
  /// The routes of each leaf, in order of declaration.
  let leaves: [[Route]]
  let captureLimit: Int

  /// The options of a walk, and the ranges captured so far, on the stack of the caller.
  struct Search {
    /// Only leaves with this method (or GET for HEAD) count; `nil` for any.
    var method: String?
    /// Whether expressions match empty segments: to explain a miss.
    var allowsEmpty = false
    let storage: UnsafeMutableBufferPointer<Range<Int>>
    var count = 0

    mutating func push(_ range: Range<Int>) {
      guard count < storage.count else { return }
      storage[count] = range
      count += 1
    }
  }

  /// Routes in order of declaration; of two with the same path shape and method the first is kept.
  init(_ routes: [(method: String, operation: Int, template: String, isRoute: Bool)]) {
    var tree = Tree()
    var leaves: [[Route]] = []
    var captureLimit = 0
    for route in routes {
      let template = RouteTemplate(route.template, isRoute: route.isRoute)
      guard template.segments.count <= Router.segmentLimit else { continue }
      let hasRest = template.segments.last == .rest
      let node = tree.insert(hasRest ? template.segments.dropLast() : template.segments)
      let end = hasRest ? \Node.rest : \Node.leaf
      if tree.nodes[node][keyPath: end] < 0 {
        tree.nodes[node][keyPath: end] = Int32(leaves.count)
        leaves.append([])
      }
      captureLimit = max(captureLimit, template.names.count)
      let leaf = Int(tree.nodes[node][keyPath: end])
      if !leaves[leaf].contains(where: { $0.method == route.method }) {
        leaves[leaf].append(
          Route(
            method: route.method, operation: route.operation, template: route.template, names: template.names))
      }
    }
    var (literals, patterns) = (LiteralTable(), [PatternEdge]())
    for index in tree.nodes.indices {
      let edges = tree.patterns[index].enumerated().sorted {
        ($1.element.pattern.literalCount, $0.offset) < ($0.element.pattern.literalCount, $1.offset)
      }
      tree.nodes[index].patterns = Int32(patterns.count)..<Int32(patterns.count + edges.count)
      patterns += edges.map(\.element)
      for (text, child) in tree.literals[index] { literals.insert(text, from: index, to: child) }
    }
    nodes = tree.nodes
    self.literals = literals
    self.patterns = patterns
    self.leaves = leaves
    self.captureLimit = captureLimit
  }

  private struct Tree {
    var nodes = [Node()]
    var patterns: [[PatternEdge]] = [[]]
    var literals: [[[UInt8]: Int]] = [[:]]

    mutating func insert(_ segments: [RouteTemplate.Segment]) -> Int {
      segments.reduce(0) { node, segment in child(of: node, segment) }
    }

    private mutating func child(of node: Int, _ segment: RouteTemplate.Segment) -> Int {
      switch segment {
      case .literal(let text):
        if let child = literals[node][text] { return child }
        literals[node][text] = nodes.count
      case .variable:
        if nodes[node].variable >= 0 { return Int(nodes[node].variable) }
        nodes[node].variable = Int32(nodes.count)
      case .mixed(let pattern):
        if let edge = patterns[node].first(where: { $0.pattern == pattern }) { return edge.child }
        patterns[node].append(PatternEdge(pattern: pattern, child: nodes.count))
      case .rest: return node
      }
      nodes.append(Node())
      patterns.append([])
      literals.append([:])
      return nodes.count - 1
    }
  }

  /// The first leaf, in order of precedence, for the rest of a path from the slash at `position` on.
  func leaf(under node: Int, at position: Int, of path: UnsafeBufferPointer<UInt8>, _ search: inout Search) -> Int? {
    if position == path.count {
      let leaf = Int(nodes[node].leaf)
      return leaf >= 0 && accepts(leaf, search.method) ? leaf : nil
    }
    let start = position + 1
    var end = start
    var isPlain = true
    while end < path.count, path[end] != UInt8(ascii: "/") {
      isPlain = isPlain && PathEncoding.isPlain(path[end])
      end += 1
    }
    let mark = search.count
    let segment = UnsafeBufferPointer(rebasing: path[start..<end])
    if isPlain {
      if let child = literals.child(of: node, segment), let leaf = leaf(under: child, at: end, of: path, &search) {
        return leaf
      }
      for edge in nodes[node].patterns {
        search.count = mark
        if patterns[Int(edge)].pattern.match(segment, { search.push(start + $0.lowerBound..<start + $0.upperBound) }),
          patterns[Int(edge)].accepts(search.storage[mark..<search.count], of: path),
          let leaf = leaf(under: patterns[Int(edge)].child, at: end, of: path, &search)
        {
          return leaf
        }
      }
    } else if let leaf = leafOfEncoded(segment, start..<end, under: node, of: path, &search) {
      return leaf
    }
    search.count = mark
    let variable = Int(nodes[node].variable)
    if variable >= 0, start < end || search.allowsEmpty {
      search.push(start..<end)
      if let leaf = leaf(under: variable, at: end, of: path, &search) { return leaf }
    }
    let rest = Int(nodes[node].rest)
    guard rest >= 0, start < path.count, accepts(rest, search.method) else { return nil }
    search.count = mark
    search.push(start..<path.count)
    return rest
  }

  /// The same for a segment that is not in normal form: rare, so it may allocate.
  private func leafOfEncoded(
    _ segment: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, under node: Int, of path: UnsafeBufferPointer<UInt8>,
    _ search: inout Search
  ) -> Int? {
    var bytes: [UInt8] = []
    var origins: [Int] = []
    PathEncoding.normalise(segment) { byte, offset in
      bytes.append(byte)
      origins.append(range.lowerBound + offset)
    }
    origins.append(range.upperBound)
    let mark = search.count
    return bytes.withUnsafeBufferPointer { normal in
      if let child = literals.child(of: node, normal),
        let leaf = leaf(under: child, at: range.upperBound, of: path, &search)
      {
        return leaf
      }
      for edge in nodes[node].patterns {
        search.count = mark
        if patterns[Int(edge)].pattern.match(normal, { search.push(origins[$0.lowerBound]..<origins[$0.upperBound]) }),
          patterns[Int(edge)].accepts(search.storage[mark..<search.count], of: path),
          let leaf = leaf(under: patterns[Int(edge)].child, at: range.upperBound, of: path, &search)
        {
          return leaf
        }
      }
      return nil
    }
  }

  private func accepts(_ leaf: Int, _ method: String?) -> Bool {
    guard let method else { return true }
    return leaves[leaf].contains { $0.method == method || (method == "HEAD" && $0.method == "GET") }
  }
}
