/// How an operation gets values that the contract only just allows.
extension OperationRun {
  /// Sends values at the edges of their schemas together, and each alone where the server refuses them together. A place
  /// whose edge is refused alone is left alone after that.
  func sendBoundaries(around base: RequestDraft) async {
    var left = 3 * settings.count
    var refused: Set<String> = []
    var unclear = 0
    for edges in plan.boundaries(around: base) where left > 0 && unclear < Self.unclearLimit {
      guard !edges.isApart else {
        left -= await sendHalves(of: edges, around: base, limit: min(left, Self.halvesLimit))
        continue
      }
      let edges = edges.without(refused)
      if plan.addTogether(edges, around: base) {
        let before = evidenceCount
        left -= await send()
        unclear = isRefusedAnyway && evidenceCount == before ? unclear + 1 : 0
        // A base that the server refuses too does not show which value it minds.
        if 200...299 ~= lastStatus || bases.smallest == nil { continue }
      }
      for edge in edges.edges {
        plan.addAlone(edge, of: edges, around: base)
        let sent = await send()
        left -= sent
        if sent > 0, !(200...299 ~= lastStatus), lastStatus < 500 { refused.insert(edge.place) }
      }
    }
  }

  /// Sends JSON that a server which decodes the query twice misreads, if it accepts the rest of the value.
  func sendEncoded(around base: RequestDraft) async {
    for pairs in EncodedParameters(subject: subject).pairs(around: base) {
      for pair in pairs {
        plan.addLone(pair.plain)
        guard await send(validatesAnswers: false) > 0, 200...299 ~= lastStatus else { continue }
        plan.addLone(pair.special)
        if await send() > 0, !(200...299 ~= lastStatus) { break }
      }
    }
  }

  /// The most requests that look for the refused values of one kind.
  private static let halvesLimit = 8

  /// Sends values together, and in halves where the server refuses them. Returns the number of requests.
  private func sendHalves(of edges: CombinedEdges, around base: RequestDraft, limit: Int) async -> Int {
    var left = limit
    var pending = [edges]
    while left > 0, let next = pending.popLast() {
      if let only = next.edges.first, next.edges.count == 1 {
        plan.addAlone(only, of: next, around: base)
      } else if !plan.addTogether(next, around: base) {
        pending += next.halves.reversed()
        continue
      }
      left -= await send()
      // A base that the server refuses too does not show which value it minds.
      if next.edges.count > 1, !(200...299 ~= lastStatus), bases.smallest != nil { pending += next.halves.reversed() }
    }
    return limit - left
  }
}
