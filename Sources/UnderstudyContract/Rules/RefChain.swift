extension LintRule {
  static let refChain = LintRule(
    "spec.ref.chain", .error, "A schema starts a long chain of references",
    help: """
      Each `$ref` of the chain leads to a schema that is a `$ref` again, and each use of the first one follows all of them. \
      Refer to the last schema.
      """,
    .schemas(chain(of: ReferenceResolver.maximumChain + 2))
  ) { subject, rule in
    var next: [NodeID: NodeID] = [:]
    let references = subject.references.filter { $0.kind == .schema }
    for reference in references {
      if case .success(let target) = reference.target { next[reference.holder.id] = target.id }
    }
    let lengths = lengths(of: next)
    // One finding for each end of chains: the other references of a chain are as long or longer.
    return references.filter { lengths[$0.holder.id] == ReferenceResolver.maximumChain + 1 }.map { reference in
      Diagnostic(
        rule,
        "the reference `\(reference.text.text)` starts a chain of more than \(ReferenceResolver.maximumChain) references",
        at: reference.text)
    }
  }

  /// The number of references from each schema to the end of its chain; a reference of a cycle counts once.
  private static func lengths(of next: [NodeID: NodeID]) -> [NodeID: Int] {
    var lengths: [NodeID: Int] = [:]
    for start in next.keys where lengths[start] == nil {
      var path: [NodeID] = []
      var node: NodeID? = start
      while let current = node, next[current] != nil, lengths[current] == nil {
        lengths[current] = 0
        path.append(current)
        node = next[current]
      }
      var length = node.flatMap { lengths[$0] } ?? 0
      for node in path.reversed() {
        length += 1
        lengths[node] = length
      }
    }
    return lengths
  }

  /// Schemas that refer to the next, of which the first is marked.
  private static func chain(of count: Int) -> String {
    (1..<count).map { "S\($0): {$ref: \($0 == 1 ? "↓" : "")\"#/components/schemas/S\($0 + 1)\"}\n" }.joined()
      + "S\(count): {type: string}"
  }
}
