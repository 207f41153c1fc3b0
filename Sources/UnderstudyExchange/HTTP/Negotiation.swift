/// Proactive content negotiation by `Accept` (RFC 9110, section 12.5.1).
package enum Negotiation {
  /// The index of the preferred offer; `nil` when `Accept` refuses every offer.
  ///
  /// Of equal weights the more specific range wins (`application/json, */*` prefers JSON), then the order of the offers.
  /// Without a valid `Accept` everything is accepted. A `charset` is ignored, since clients add it to types that have none.
  /// An offer may be a range, as in contracts.
  package static func choose(accept lines: [String], among offers: [MediaRange]) -> Int? {
    // The most common case: curl and most clients send this.
    if lines.isEmpty || lines == ["*/*"] { return offers.isEmpty ? nil : 0 }
    let elements = lines.flatMap { FieldSyntax.split($0.utf8, at: UInt8(ascii: ",")) }.compactMap(Element.init)
    guard !elements.isEmpty else { return offers.isEmpty ? nil : 0 }
    var best: (index: Int, weight: Int, specificity: Int)?
    for (index, offer) in offers.enumerated() {
      guard let element = elements.filter({ $0.accepts(offer) }).max(by: { $0.specificity < $1.specificity }),
        element.weight > 0
      else { continue }
      if let best, (element.weight, element.specificity) <= (best.weight, best.specificity) { continue }
      best = (index, element.weight, element.specificity)
    }
    return best?.index
  }

  /// The problem of an `Accept` that refuses every offer.
  package static func refusal(
    of offers: [MediaRange], accept lines: [String], by operationId: String
  ) -> (message: String, help: String) {
    (
      "Accept `\(lines.joined(separator: ", "))` meets no media type of \(operationId)",
      "offered: \(offers.map(\.description).unique().joined(separator: ", "))"
    )
  }

  /// One range of an `Accept` field with its weight.
  private struct Element {
    let range: MediaRange
    /// Thousandths.
    let weight: Int
    let specificity: Int

    init?(_ bytes: [UInt8]) {
      guard var range = MediaRange(String(decoding: bytes, as: UTF8.self)) else { return nil }
      // Parameters from `q` on belong to the acceptance, not to the type.
      let mark = range.parameters.firstIndex { $0.name == "q" }
      weight = mark.map { Self.weight(range.parameters[$0].value) } ?? 1000
      if let mark { range.parameters.removeSubrange(mark...) }
      range.parameters.removeAll { $0.name == "charset" }
      self.range = range
      specificity = range.specificity
    }

    func accepts(_ offer: MediaRange) -> Bool { range.matches(offer) || (offer.isRange && offer.matches(range)) }

    /// `0.8` as 800; an invalid weight counts as 1, since the client named the type.
    private static func weight(_ text: String) -> Int {
      let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
      guard text.utf8.allSatisfy({ 48...57 ~= $0 || $0 == UInt8(ascii: ".") }), parts[0].count <= 1 else { return 1000 }
      if parts[0].elementsEqual("1".utf8) { return 1000 }
      var thousandths = 0
      let fraction = parts.count > 1 ? Array(parts[1].prefix(3)) : []
      for position in 0..<3 {
        thousandths = thousandths * 10 + (position < fraction.count ? Int(fraction[position] &- 48) : 0)
      }
      return min(thousandths, 1000)
    }
  }
}
