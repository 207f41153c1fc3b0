/// The cost of one sample: one limit for all attempts, their drafts and the validation of these.
///
/// Counted in steps rather than in time, so that the same seed gives the same value on a slow machine. A class, since
/// all attempts at a value draw on the same budget.
final class GenerationBudget {
  /// Steps for one value; less than a second's worth.
  static let whole = 3_000_000
  /// Steps for a drafted value besides its validation.
  private static let valuePrice = 50
  /// Scalars of a match that are written in the time of a step.
  private static let scalarsPerStep = 8
  /// Bytes of a text that are made in a step: few, for the room that they take.
  private static let bytesPerStep = 8
  /// Values that one attempt may draft, the discarded ones too; bounds the size of every sample.
  private static let maximumValues = 60_000
  /// Values that one attempt may draft before it leaves out optional ones.
  private static let maximumOptionalValues = 2_000

  /// Steps that are left to the present attempt.
  private(set) var left = whole
  /// Steps that are left to later attempts.
  private var reserve = 0
  private var drafted = 0

  var isSpent: Bool { left <= 0 }

  /// Whether another attempt can begin.
  var hasMore: Bool { max(left, 0) + reserve > 1 }

  /// Whether the present attempt may draft another value.
  var hasValues: Bool { drafted < Self.maximumValues }

  /// Optional values that the present attempt may still add.
  var optionalValues: Int { Self.maximumOptionalValues - drafted }

  func spend(_ steps: Int) { left -= steps }

  func spend(on text: String) { spend(text.utf8.count / Self.bytesPerStep) }

  /// Pays for another value.
  func spendValue() {
    drafted += 1
    spend(Self.valuePrice)
  }

  /// Leaves nothing to this attempt or a later one.
  func exhaust() { (left, reserve) = (0, 0) }

  /// Starts another attempt with half of the steps that are left.
  func beginAttempt() {
    reserve += max(left, 0)
    left = reserve / 2
    reserve -= left
    drafted = 0
  }

  /// A match of a pattern, within limits of its length in scalars; paid for by the text that is written on the way.
  func match(
    of sampler: PatternSampler, atLeast least: Int, atMost most: Int, _ random: inout SeededGenerator
  )
    -> String?
  {
    guard !isSpent else { return nil }
    let granted = left * Self.scalarsPerStep
    var steps = granted
    defer { spend(1 + (granted - steps) / Self.scalarsPerStep) }
    return sampler.sample(atLeast: least, atMost: most, &random, steps: &steps)
  }
}
