/// The budget of one sample: a common limit for all attempts, their drafts and validations.
///
/// It counts steps rather than time, so that the same seed gives the same value on every machine. The steps are work of the
/// caller as well: a `WorkBudget` that does not suffice ends the search. A class, since all attempts share it.
final class GenerationBudget {
  /// The steps for one value: less than a second's work.
  static let whole = 3_000_000
  /// The steps for a drafted value without its validation.
  private static let valuePrice = 50
  /// The values for which the first attempt, with half of the steps, suffices; later ones have fewer.
  static let maximumParts = whole / 2 / valuePrice
  /// The scalars of a match that a step pays for.
  private static let scalarsPerStep = 8
  /// The bytes of a text that a step pays for; few, as they take memory.
  private static let bytesPerStep = 8
  /// The most values that one attempt may draft, including discarded ones; bounds the size of a sample.
  private static let maximumValues = 60_000
  /// The most values that one attempt may draft before it omits optional ones.
  private static let maximumOptionalValues = 2_000

  /// The remaining steps of the current attempt.
  private(set) var left = whole
  /// The remaining steps for later attempts.
  private var reserve = 0
  private var drafted = 0
  /// That of the caller; `nil` for one that waits as long as it takes.
  let outer: WorkBudget?

  init(within outer: WorkBudget? = nil) { self.outer = outer }

  var isSpent: Bool { left <= 0 }

  /// Whether another attempt can start.
  var hasMore: Bool { max(left, 0) + reserve > 1 }

  /// Whether the current attempt may draft another value.
  var hasValues: Bool { drafted < Self.maximumValues }

  /// The number of optional values that the current attempt may still add.
  var optionalValues: Int { Self.maximumOptionalValues - drafted }

  /// - Parameter isCharged: Whether the budget of the caller has the steps already.
  func spend(_ steps: Int, isCharged: Bool = false) {
    left -= steps
    let isAllowed = isCharged ? outer?.isExceeded != true : outer?.charge(steps) ?? true
    if !isAllowed { exhaust() }
  }

  func spend(on text: String) { spend(text.utf8.count / Self.bytesPerStep) }

  /// Pays for another value.
  func spendValue() {
    drafted += 1
    spend(Self.valuePrice)
  }

  /// Spends the steps of this and all later attempts.
  func exhaust() { (left, reserve) = (0, 0) }

  /// Starts another attempt with half of the remaining steps.
  func beginAttempt() {
    reserve += max(left, 0)
    left = reserve / 2
    reserve -= left
    drafted = 0
  }

  /// A match of a pattern, within limits of its length in scalars; the price depends on the written text.
  func match(
    of sampler: PatternSampler, atLeast least: Int, atMost most: Int, _ random: inout SeededGenerator
  ) -> String? {
    guard !isSpent else { return nil }
    let granted = min(left, outer?.grant(left) ?? left) * Self.scalarsPerStep
    var steps = granted
    defer { spend(1 + (granted - steps) / Self.scalarsPerStep) }
    return sampler.sample(atLeast: least, atMost: most, &random, steps: &steps)
  }
}
