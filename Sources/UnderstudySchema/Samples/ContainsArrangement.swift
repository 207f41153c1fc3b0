/// The search for an array in which every `contains` has an element; one element may have to serve several.
struct ContainsArrangement {
  private let attempt: SampleAttempt
  private let schema: SchemaIntersection
  /// The number of elements with a schema of their own.
  private let tuple: Int
  private var series: ElementSeries
  /// The schemas that are assigned to each position.
  private var taken: [[JSON]] = []
  private var tries = 200

  /// The most elements to assign, and the most positions to try.
  private static let maximum = (elements: 8, positions: 40)

  init(_ attempt: SampleAttempt, _ schema: SchemaIntersection, tuple: Int, _ series: ElementSeries) {
    self.attempt = attempt
    self.schema = schema
    self.tuple = tuple
    self.series = series
  }

  mutating func sample(least: Int, most: Int) -> JSON? {
    // Each separately, as if the array had room for all.
    let wanted = ContainsDemand(schema, most: .max).each(atMost: Self.maximum.elements + 1)
    taken = Array(repeating: [], count: min(most, tuple + wanted.count, Self.maximum.positions))
    guard wanted.count <= Self.maximum.elements, arrange(wanted[...], series) else {
      return attempt.fail("no array was found that fits every `contains`", schema, naming: ["contains"])
    }
    let count = max(least, 1 + (taken.lastIndex { !$0.isEmpty } ?? -1))
    var elements: [JSON] = []
    for position in 0..<count {
      series.move(to: position, ordinal: max(0, position - tuple))
      let contained = position < taken.count ? taken[position] : []
      guard
        let element = series.next(at: position, of: schema, containing: contained)
          ?? (contained.isEmpty ? series.nextEvaluated(at: position, of: schema) : nil)
      else {
        attempt.doubtConflict()
        return nil
      }
      elements.append(element)
    }
    return .array(elements)
  }

  /// Assigns each schema to a position that has a value for all its schemas.
  private mutating func arrange(_ wanted: ArraySlice<JSON>, _ series: ElementSeries) -> Bool {
    guard let next = wanted.first else { return true }
    // Free positions first.
    let order = taken.indices.sorted { (taken[$0].count, $0) < (taken[$1].count, $1) }
    for position in order where !taken[position].contains(where: { $0.id == next.id }) {
      guard tries > 0, !attempt.budget.isSpent else { return false }
      tries -= 1
      var series = series
      series.move(to: position, ordinal: 0)
      guard series.next(at: position, of: schema, containing: taken[position] + [next]) != nil else { continue }
      taken[position].append(next)
      if arrange(wanted.dropFirst(), series) { return true }
      taken[position].removeLast()
    }
    return false
  }
}
