/// Values at edges of what a server expects, which go into one request; only if that is refused, each is sent alone.
struct CombinedEdges {
  struct Edge {
    let place: String
    /// Whether the contract allows the value without doubt.
    var isAllowed = false
    let apply: (RequestDraft) -> RequestDraft
  }

  private(set) var edges: [Edge]
  var what = "at an edge"
  /// Whether the requests are valid; otherwise only their answers are validated.
  var isValid = true
  /// Whether a refusal of one shows nothing about other values of the same place.
  var isApart = false

  /// All in one request, if there are several.
  func together(around base: RequestDraft, of subject: LiveOperation) -> LiveCall? {
    guard edges.count > 1 else { return nil }
    let isAllowed = edges.allSatisfy(\.isAllowed)
    return call(edges.reduce(base) { $1.apply($0) }, "\(edges.count) values \(what)", isAllowed, subject)
  }

  func alone(_ edge: Edge, around base: RequestDraft, of subject: LiveOperation) -> LiveCall? {
    call(edge.apply(base), "\(edge.place) \(what)", edge.isAllowed, subject)
  }

  private func call(_ draft: RequestDraft, _ label: String, _ isAllowed: Bool, _ subject: LiveOperation) -> LiveCall? {
    if isValid { return subject.validCall(draft, .valid, label) }
    var call = subject.call(draft, .answerOnly, label)
    if let validated = call?.validated {
      call?.isAllowed = isAllowed && validated.isValid
      call?.unusual = what
    }
    return call
  }

  /// The edges in groups of which none has a place within another place, from the outside to the inside.
  var layers: [CombinedEdges] {
    var layers: [CombinedEdges] = []
    for edge in edges {
      let free = layers.firstIndex { !$0.edges.contains { edge.place.hasPrefix($0.place + "/") } }
      if let free { layers[free].edges.append(edge) } else { layers.append(with([edge])) }
    }
    return layers
  }

  /// The first half and the second.
  var halves: [CombinedEdges] {
    [edges.prefix(edges.count / 2), edges.suffix(edges.count - edges.count / 2)].map { with(Array($0)) }
  }

  /// The rest without some places.
  func without(_ places: Set<String>) -> CombinedEdges { with(edges.filter { !places.contains($0.place) }) }

  private func with(_ edges: [Edge]) -> CombinedEdges {
    var other = self
    other.edges = edges
    return other
  }
}
