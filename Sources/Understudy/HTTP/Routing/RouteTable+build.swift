extension RouteTable {
  /// Routes in order of declaration; of two with the same path shape and method the first is kept.
  convenience init(_ routes: [(method: String, operation: Int, template: String)]) {
    var tree = Tree()
    var leaves: [[Route]] = []
    var captureLimit = 0
    for route in routes {
      let template = RouteTemplate(route.template)
      guard template.segments.count <= Router.segmentLimit else { continue }
      let node = tree.insert(template.segments)
      if tree.nodes[node].leaf < 0 {
        tree.nodes[node].leaf = Int32(leaves.count)
        leaves.append([])
      }
      captureLimit = max(captureLimit, template.names.count)
      let leaf = Int(tree.nodes[node].leaf)
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
    self.init(
      nodes: tree.nodes, literals: literals, patterns: patterns, leaves: leaves, captureLimit: captureLimit)
  }

  /// The tree while it grows.
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
      }
      nodes.append(Node())
      patterns.append([])
      literals.append([:])
      return nodes.count - 1
    }
  }
}
