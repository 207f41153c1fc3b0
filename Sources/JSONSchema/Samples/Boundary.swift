package import SourceText

/// A value that fits, with one of its parts at the edge of what fits.
package struct Boundary: Sendable {
  package var value: JSON
  /// The way to the part at the edge.
  package var instance: JSONPointer
}

extension SampleGenerator {
  /// No more are made of one schema.
  private static let maximumBoundaries = 200

  /// Values that fit with one part at its edge: the least and the greatest number, the shortest and the longest text or list,
  /// each of a few listed values; in document order of the sample they are made from.
  package func boundaries(of schema: JSON, direction: Direction) -> [Boundary] {
    guard let whole = sample(of: schema, direction: direction) else { return [] }
    let judge = schemas.schema(at: schema, direction: direction)
    let effort = SampleEffort()
    var sampling = sampling(
      of: schema, direction: direction, strategy: Strategy(usesExamples: false), effort: effort)
    var boundaries: [Boundary] = []
    var seen: Set<[UInt8]> = [JSONWriter.bytes(whole)]
    var pending = [(value: whole, schemas: [schema], pointer: JSONPointer())]
    while let (value, origins, pointer) = pending.popLast(), boundaries.count < Self.maximumBoundaries, !effort.isSpent
    {
      let conjunction = sampling.conjunction(of: origins, matching: value)
      for edge in sampling.edges(of: value, conjunction) where !effort.isSpent {
        let candidate = whole.replacing(pointer.tokens[...], with: edge)
        guard seen.insert(JSONWriter.bytes(candidate)).inserted, effort.accepts(candidate, judge) else { continue }
        boundaries.append(Boundary(value: candidate, instance: pointer))
      }
      guard pointer.tokens.count < Sampling.maximumDepth else { continue }
      pending += sampling.children(of: value, conjunction).reversed().map { ($0.value, $0.schemas, pointer + $0.token) }
    }
    return boundaries
  }
}

extension Sampling {
  /// Candidates at the edges of what a part may be; whether they fit, the validator says.
  fileprivate mutating func edges(of value: JSON, _ conjunction: Conjunction) -> [JSON] {
    var edges = conjunction.all("enum").flatMap { $0.elements.prefix(Self.listedLimit) }
    switch value.kind {
    case .string:
      if let least = conjunction.largest("minLength"), 0..<Self.lengthLimit ~= least {
        edges.append(.string(Self.fit(value.text, least, least)))
      }
      if let most = conjunction.smallest("maxLength"), 0..<Self.lengthLimit ~= most {
        edges.append(.string(Self.fit(value.text, most, most)))
      }
    case .number:
      let line = NumberLine(conjunction, isInteger: types(of: conjunction).first == .integer)
      guard line.isExact, line.low <= line.high else { break }
      for end in [line.low, line.high] where end.magnitude < Self.countable {
        let spelling = line.spelling(near: end, steps: 0)
        edges.append(.make { $0.append(number: Array(spelling.utf8)) })
      }
    case .array:
      let elements = Array(value.elements)
      if let least = conjunction.largest("minItems") ?? (elements.isEmpty ? nil : 0), least < elements.count {
        edges.append(.array(elements.prefix(max(0, least))))
      }
      if let most = conjunction.smallest("maxItems"), most > elements.count, most <= Self.itemLimit {
        var more = elements
        let place = Place.root
        while more.count < most,
          let next = self.value(
            elementSchemas(conjunction, at: more.count), place.element(more.count, ordinal: more.count))
        {
          more.append(next)
        }
        edges.append(.array(more))
      }
    case .true: edges.append(false)
    case .false: edges.append(true)
    case .null, .object: break
    }
    return edges
  }

  private static let listedLimit = 12
  private static let lengthLimit = 10_000
  private static let itemLimit = 100
  /// Beyond this there is no bound, only the end of counting.
  private static let countable: UInt128 = 10_000_000_000_000_000_000_000_000_000_000_000
}
