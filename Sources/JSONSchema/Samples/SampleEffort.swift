import SourceText

/// What the making of one value may cost, with all attempts and every judging of what was made.
///
/// Counted in steps rather than in time, so that the same seed gives the same value on a slow machine. A class, since all
/// attempts at a value draw on the same one.
final class SampleEffort {
  /// Steps for one value; less than a second's worth.
  static let whole = 3_000_000
  /// What it costs to ask the validator, besides its own steps.
  private static let price = 20
  /// Steps that judging a value may take, besides those for each of its nodes.
  private static let patience = 100_000
  /// Scalars of a match that are written in the time of a step.
  private static let scalarsPerStep = 8
  /// Bytes of a text that are made in a step: few, for the room that they take.
  private static let bytesPerStep = 8
  /// Values that take too many steps to judge before it is clear that others will, too.
  private static let maximumCostly = 3

  /// Steps that are left before the present attempt must end.
  private(set) var left: Int
  /// Steps that later attempts may have.
  private var reserve: Int
  /// Values that could not be judged to the end.
  private var costly = 0
  private var judges: [SchemaSpot: Schema] = [:]

  init(steps: Int = whole) {
    left = steps
    reserve = 0
  }

  var isSpent: Bool { left <= 0 }

  /// Whether a value was made that could not be judged to the end.
  var isJudgingTooCostly: Bool { costly > 0 }

  /// Whether another attempt can be begun.
  var hasMore: Bool { max(left, 0) + reserve > 1 }

  func spend(_ steps: Int) { left -= steps }

  func spend(on text: String) { spend(text.utf8.count / Self.bytesPerStep) }

  /// Holds a half of what is left back for later attempts.
  func beginAttempt() {
    reserve += max(left, 0)
    left = reserve / 2
    reserve -= left
  }

  /// A match of a pattern, with so many scalars; paid for by what is written on the way.
  func match(of sampler: PatternSampler, atLeast least: Int, atMost most: Int, _ dice: inout Dice) -> String? {
    guard !isSpent else { return nil }
    let granted = left * Self.scalarsPerStep
    var steps = granted
    defer { spend(1 + (granted - steps) / Self.scalarsPerStep) }
    return sampler.sample(atLeast: least, atMost: most, &dice, steps: &steps)
  }

  /// Whether a value is known to fit a schema.
  func accepts(_ value: JSON, _ spot: SchemaSpot, _ judge: () -> Schema) -> Bool {
    guard !isSpent else { return false }
    let schema: Schema
    if let known = judges[spot] {
      schema = known
    } else {
      schema = judge()
      judges[spot] = schema
      // It may have been compiled for this.
      spend(schema.size)
    }
    return accepts(value, schema)
  }

  func accepts(_ value: JSON, _ schema: Schema) -> Bool {
    guard !isSpent else { return false }
    let nodes = value.document.end(of: value.index) - value.index
    spend(Self.price + nodes + Self.bytes(of: value) / 64)
    // What the validator itself would take much longer for is not made here.
    let granted = min(left, Self.patience + Evaluator.fuelPerNode * nodes)
    var steps = granted
    let verdict = schema.accepts(value, steps: &steps)
    spend(granted - steps)
    guard let fits = verdict else {
      costly += 1
      if costly >= Self.maximumCostly { (left, reserve) = (0, 0) }
      return false
    }
    return fits
  }

  /// The length of all texts and numbers of a value.
  private static func bytes(of value: JSON) -> Int {
    let document = value.document
    guard value.index > 0 else { return document.bytes.count }
    return document.nodes[value.index..<document.end(of: value.index)].reduce(0) { sum, node in
      sum + (node.kind == .string || node.kind == .number ? Int(node.count) : 0)
    }
  }
}
