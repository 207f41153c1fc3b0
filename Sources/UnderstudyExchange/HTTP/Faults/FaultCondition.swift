/// When a fault happens; without a condition, it always does.
package enum FaultCondition: Sendable, Hashable {
  /// With a probability from 0 to 1, by the seed of the mock.
  case chance(Double)
  case first(Int)
  case after(Int)
  /// Good answers and bad ones in turn.
  case flap(good: Int, bad: Int)
  /// Within a window of the clock, which begins with the mock; again in each period, if there is one.
  case window(Range<Duration>, every: Duration?)

  /// - Parameters:
  ///   - turn: The number of requests before this one.
  ///   - elapsed: The time since the start of the mock.
  func holds(turn: Int, elapsed: Duration, _ random: inout SeededGenerator) -> Bool {
    switch self {
    case .chance(let probability): return random.fraction() < probability
    case .first(let count): return turn < count
    case .after(let count): return turn >= count
    case .flap(let good, let bad): return turn % (good + bad) >= good
    case .window(let window, let period):
      // The clock of a test may be set back.
      guard elapsed >= .zero else { return false }
      guard let period else { return window.contains(elapsed) }
      let periods = (elapsed / period).rounded(.down)
      return window.contains(elapsed - period * periods)
    }
  }
}
