/// An evaluator for questions about parts of a value, with a common limit for the fuel of all questions.
struct MeteredEvaluator {
  let evaluator: Evaluator
  /// The remaining fuel, in the units of the evaluator.
  var fuel: Int
  /// Whether a part was skipped because it would cost too much.
  var isSpent = false
  /// The reason why the last question had no answer.
  var lastStop: Evaluator.Stop?

  /// The least price of an abandoned pattern: that of many blocks.
  private static let costOfPattern = 50_000
  private static let costOfStop = 1_000

  init(_ evaluator: Evaluator, fuel: Int) {
    self.evaluator = evaluator
    self.fuel = fuel
  }

  /// The relation of a value to a part of its schema.
  enum Outcome {
    case fits, fails, unknown

    /// The outcome of two parts that must both fit.
    func and(_ other: Outcome) -> Outcome {
      self == .fails || other == .fails ? .fails : self == .unknown || other == .unknown ? .unknown : .fits
    }
  }

  /// Pays for a step; returns whether there was enough fuel.
  mutating func pays(_ cost: Int) -> Bool {
    guard fuel > cost else {
      isSpent = true
      return false
    }
    fuel -= cost
    return true
  }

  /// Asks the evaluator with half of the remaining fuel, so that one expensive part does not hide all others.
  ///
  /// - Parameter keepsMarks: Whether to keep the notes about evaluated children, for `unevaluated*`.
  mutating func ask(keepsMarks: Bool = false, _ question: (Evaluator) -> Bool) -> Outcome {
    let share = fuel / 2
    guard share > 0 else {
      isSpent = true
      return .unknown
    }
    let mark = evaluator.markCount
    evaluator.refuel(share)
    let before = evaluator.spent
    let isYes = question(evaluator)
    lastStop = evaluator.stopped
    let left = evaluator.fuel
    if !keepsMarks || lastStop != nil { evaluator.forget(downTo: mark) }
    switch lastStop {
    case nil:
      fuel -= share - left
      return isYes ? .fits : .fails
    case .fuel: fuel -= share
    case .pattern: fuel -= min(share, max(Self.costOfPattern, evaluator.spent - before))
    case .depth, .stack, .digits, .refusal: fuel -= min(share, Self.costOfStop)
    }
    // An evaluator that stopped has no fuel left.
    evaluator.refuel(0)
    return .unknown
  }
}
