/// Compares annotations that refuse no value, but that clients rely on.
struct AnnotationComparison {
  /// The annotations with a difference of their own.
  static let keywords = ["default", extensible]
  private static let extensible = "x-extensible-enum"

  private let comparison: SchemaComparison

  init(_ comparison: SchemaComparison) { self.comparison = comparison }

  func differences(_ a: [JSON], _ b: [JSON]) -> [SchemaDifference] {
    a.isEmpty || b.isEmpty ? [] : defaults(a, b) + extensibles(a, b)
  }

  private func first(_ keyword: String, _ schemas: [JSON], _ side: SchemaSide) -> JSON? {
    schemas.lazy.flatMap { side.library.resolved($0).parts }.compactMap { $0.schema[keyword] }.first
  }

  private func defaults(_ a: [JSON], _ b: [JSON]) -> [SchemaDifference] {
    let (own, other) = (first("default", a, comparison.sub), first("default", b, comparison.sup))
    guard own != other else { return [] }
    return [
      SchemaDifference(
        .default, "default", sub: own ?? a.first, sup: other ?? b.first,
        words: (own.map(Self.words), other.map(Self.words)),
        verdict: .stated)
    ]
  }

  /// The maximum length of a value in a message.
  private static let maximumLength = 60

  private static func words(_ value: JSON) -> String {
    VisibleText.shortened(JSONWriter.text(value), to: maximumLength)
  }

  /// The values of the tested side that the other side does not announce.
  private func extensibles(_ a: [JSON], _ b: [JSON]) -> [SchemaDifference] {
    guard let own = first(Self.extensible, a, comparison.sub), let other = first(Self.extensible, b, comparison.sup)
    else { return [] }
    return own.elements.filter { value in !other.elements.contains { $0 == value } }.map { value in
      SchemaDifference(.extensible, value.string ?? JSONWriter.text(value), sub: value, sup: other, verdict: .stated)
    }
  }
}
