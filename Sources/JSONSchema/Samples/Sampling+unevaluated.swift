import SourceText

/// `unevaluatedProperties` and `unevaluatedItems` hold for what nothing else evaluates, and that is not all that nothing
/// declares: only the judge knows.
extension Sampling {
  /// Keywords that may evaluate what no part declares, in more ways than are tried.
  private static let evaluating = ["anyOf", "if", "contains", "dependentSchemas"]
  /// Of very many schemas around each other only the innermost ones are tried.
  private static let maximumInner = 8

  /// Whether the keyword surely holds for all that no part declares.
  private func isCertain(_ keyword: String, _ conjunction: Conjunction) -> Bool {
    let count = conjunction.all(keyword).count
    return count == 0 || count == 1 && !Self.evaluating.contains(where: conjunction.has)
  }

  /// Whether the schemas of an element surely hold.
  func knowsElement(_ conjunction: Conjunction, at position: Int) -> Bool {
    isCertain("unevaluatedItems", conjunction) || !declaredSchemas(conjunction, at: position).isEmpty
  }

  /// Whether the schemas of a property surely hold.
  func knowsProperty(_ conjunction: Conjunction, _ name: String) -> Bool {
    isCertain("unevaluatedProperties", conjunction) || !declaredSchemas(conjunction, name).isEmpty
  }

  /// A value for a property that does not fit `unevaluatedProperties`, since another schema may evaluate it.
  mutating func evaluatedProperty(_ name: String, _ conjunction: Conjunction, _ place: Place) -> JSON? {
    guard !knowsProperty(conjunction, name) else { return nil }
    for schemas in evaluating(unless: "unevaluatedProperties", conjunction) {
      if let value = value(schemas, place.property(name)) { return value }
    }
    return nil
  }

  /// An element that does not fit `unevaluatedItems`, since another schema may evaluate it.
  mutating func evaluatedElement(_ conjunction: Conjunction, at position: Int, _ series: inout Series) -> JSON? {
    guard !knowsElement(conjunction, at: position) else { return nil }
    for schemas in evaluating(unless: "unevaluatedItems", conjunction) {
      if let value = element(schemas, &series) { return value }
    }
    return nil
  }

  /// What may hold instead of the keyword, the likeliest first.
  private func evaluating(unless keyword: String, _ conjunction: Conjunction) -> [[JSON]] {
    let around = conjunction.all(keyword)
    let contained = keyword == "unevaluatedItems" ? conjunction.all("contains") : []
    // The innermost one evaluates for those around it.
    let inner = around.count > 1 ? around.reversed().prefix(Self.maximumInner) : []
    return (contained + inner).map { [$0] } + [[]]
  }
}
