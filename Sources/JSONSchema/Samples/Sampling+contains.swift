import SourceText

extension Sampling {
  /// Places that are tried for all that `contains` asks for.
  private static let maximumTries = 200
  /// Elements that are given a place by trying, and places that are tried for them.
  private static let maximumArranged = (elements: 8, places: 40)

  /// An element that fits its place and what `contains` asks for.
  mutating func element(
    _ conjunction: Conjunction, at position: Int, containing wanted: [JSON], _ series: inout Series
  ) -> JSON? {
    if let value = element(elementSchemas(conjunction, at: position) + wanted, &series) { return value }
    // What `contains` counts is evaluated by it (Core 2020-12, 10.3.1.3).
    guard conjunction.has("unevaluatedItems"), declaredSchemas(conjunction, at: position).isEmpty else { return nil }
    return element(wanted, &series)
  }

  /// An array for which every `contains` was given a place by trying; one place may have to do for several.
  mutating func arranged(
    _ conjunction: Conjunction, least: Int, most: Int, tuple: Int, _ series: Series
  ) -> JSON? {
    // One by one, as if there were room for all of them.
    let wanted = Wanted(conjunction, most: .max).each(atMost: Self.maximumArranged.elements + 1)
    let places = min(most, tuple + wanted.count, Self.maximumArranged.places)
    var taken: [[JSON]] = Array(repeating: [], count: places)
    var tries = Self.maximumTries
    var series = series
    guard wanted.count <= Self.maximumArranged.elements, arrange(wanted[...], &taken, &tries, conjunction, series)
    else {
      return refuse("no place was found for all that `contains` asks for", conjunction, naming: ["contains"])
    }
    let count = max(least, 1 + (taken.lastIndex { !$0.isEmpty } ?? -1))
    var elements: [JSON] = []
    for position in 0..<count {
      series.move(to: position, ordinal: max(0, position - tuple))
      let contained = position < places ? taken[position] : []
      guard
        let element = element(conjunction, at: position, containing: contained, &series)
          ?? (contained.isEmpty ? evaluatedElement(conjunction, at: position, &series) : nil)
      else {
        conflict?.isProof = false
        return nil
      }
      elements.append(element)
    }
    return .array(elements)
  }

  /// Gives each of the schemas a place, so that some value fits each place with all that it was given.
  private mutating func arrange(
    _ wanted: ArraySlice<JSON>, _ taken: inout [[JSON]], _ tries: inout Int, _ conjunction: Conjunction,
    _ series: Series
  ) -> Bool {
    guard let next = wanted.first else { return true }
    // Places of their own before those that must do for several.
    let order = taken.indices.sorted { (taken[$0].count, $0) < (taken[$1].count, $1) }
    for position in order where !taken[position].contains(where: { SchemaSpot($0) == SchemaSpot(next) }) {
      guard tries > 0, !effort.isSpent else { return false }
      tries -= 1
      var series = series
      series.move(to: position, ordinal: 0)
      guard element(conjunction, at: position, containing: taken[position] + [next], &series) != nil else { continue }
      taken[position].append(next)
      if arrange(wanted.dropFirst(), &taken, &tries, conjunction, series) { return true }
      taken[position].removeLast()
    }
    return false
  }
}

/// What `contains` asks for, element by element.
struct Wanted {
  /// Schemas, and how many elements must still fit each.
  private var left: [(schema: JSON, count: Int)]
  /// Too many for the array: one element must do for several.
  private let areJoint: Bool

  init(_ conjunction: Conjunction, most: Int) {
    left = conjunction.parts.compactMap { part in
      part["contains"].map { (schema: $0, count: min(part["minContains"]?.size ?? 1, Sampling.maximumCount)) }
    }
    left.removeAll { $0.count == 0 }
    areJoint = left.reduce(0) { $0 + $1.count } > most
  }

  var isEmpty: Bool { left.isEmpty }

  /// The schemas that the next element must fit beside those of its place.
  var next: [JSON] { left.prefix(areJoint ? left.count : 1).map(\.schema) }

  mutating func removeNext() {
    for position in left.indices.prefix(areJoint ? left.count : 1) { left[position].count -= 1 }
    left.removeAll { $0.count == 0 }
  }

  /// A schema for each element that must fit it, and no more than so many of all.
  func each(atMost most: Int) -> [JSON] {
    var schemas: [JSON] = []
    for (schema, count) in left where schemas.count < most {
      schemas += Array(repeating: schema, count: min(count, most - schemas.count))
    }
    return schemas
  }
}
