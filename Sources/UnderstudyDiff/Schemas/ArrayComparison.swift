/// Compares the arrays that two alternatives accept.
struct ArrayComparison {
  private let pair: VariantComparison
  private var x: SchemaVariant { pair.x }
  private var y: SchemaVariant { pair.y }

  /// The maximum length of an array that proves a difference.
  private static let maximumCount = 10_000
  /// The maximum number of positions that are compared one by one.
  private static let maximumPositions = 1_000

  init(_ pair: VariantComparison) { self.pair = pair }

  func differences() -> [SchemaDifference] { counts + unique + elements }

  private var least: Int { x.largest(.minItems)?.size ?? 0 }
  private var most: Int { x.smallest(.maxItems)?.size ?? .max }

  private var counts: [SchemaDifference] {
    var result: [SchemaDifference] = []
    if let (limit, node) = y.largest(.minItems), limit > least {
      result.append(
        SchemaDifference(
          .size, "minItems", sub: pair.subNode(.minItems), sup: node,
          words: (x.largest(.minItems).map { String($0.size) }, String(limit)),
          candidates: arrays(of: least) + arrays(of: limit - 1)))
    }
    if let (limit, node) = y.smallest(.maxItems), limit < most, limit < longest {
      result.append(
        SchemaDifference(
          .size, "maxItems", sub: pair.subNode(.maxItems), sup: node,
          words: (most == .max ? nil : String(most), String(limit)), candidates: arrays(of: limit + 1)))
    }
    return result
  }

  /// The maximum length that the elements allow.
  private var longest: Int {
    for position in 0...x.positions where x.schemas(at: position).contains(where: { $0.bool == false }) {
      return position
    }
    return .max
  }

  private var unique: [SchemaDifference] {
    guard let node = y.all(.uniqueItems).first(where: { $0.bool == true }), most > 1,
      !x.all(.uniqueItems).contains(where: { $0.bool == true })
    else { return [] }
    return [
      SchemaDifference(
        .unique, "uniqueItems", sub: pair.subNode(.uniqueItems), sup: node,
        candidates: arrays(of: max(2, least)))
    ]
  }

  private var elements: [SchemaDifference] {
    let positions = max(x.positions, y.positions)
    guard positions <= Self.maximumPositions else {
      return [SchemaDifference(.keyword, "prefixItems", sub: x.node, sup: y.keyword(.prefixItems) ?? y.node)]
    }
    return (0...positions).flatMap { position -> [SchemaDifference] in
      guard position < most else { return [] }
      let (a, b) = (x.schemas(at: position), y.schemas(at: position))
      guard !b.isEmpty, !a.contains(where: { $0.bool == false }) else { return [] }
      // Each position up to this one needs an element.
      guard position <= longest else { return [] }
      let name = position == positions ? "*" : String(position)
      return pair.comparison.differences(a, b).map { difference in
        difference.lifted(to: name) { witness in arrays(with: witness, at: position) }
      }
    }
  }

  // MARK: - Values

  /// An array of a length, filled with samples.
  private func arrays(of count: Int) -> [JSON] {
    guard 0...Self.maximumCount ~= count else { return [] }
    let elements = (0..<count).map { position -> JSON in
      let samples = pair.sub.samples(of: x.schemas(at: position))
      return samples.first ?? "a"
    }
    let numbered = (0..<count).map { JSON.integer($0) }
    let texts = (0..<count).map { JSON.string("a\($0)") }
    return [.array(elements), .array(numbered), .array(texts)]
  }

  /// Arrays with a value at a position: the smallest, and samples.
  private func arrays(with value: JSON, at position: Int) -> [JSON] {
    let count = max(position + 1, least)
    guard count <= Self.maximumCount else { return [] }
    var results: [JSON] = []
    for base in arrays(of: count) + pair.bases {
      var elements = Array(base.elements)
      while elements.count <= position { elements.append(value) }
      elements[position] = value
      results.append(.array(elements))
    }
    results.append(.array(Array(repeating: value, count: count)))
    return results
  }
}
