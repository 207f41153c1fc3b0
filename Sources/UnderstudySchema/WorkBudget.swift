/// The work that a computation may do, in units of `Evaluator.baseFuel`: an argument of everything that takes long.
///
/// Each evaluation has a limit of its own; a budget bounds their sum, for example over the parameters, the readings and
/// the items of one request. Work is counted in steps, so the same call always ends at the same point. A class, since all
/// parts of a computation spend it; they run on one thread.
package final class WorkBudget {
  package private(set) var left: Int
  /// Whether something wanted more than there was: results may lack failures, or report a part as not validated.
  package private(set) var isExceeded = false
  private let outer: WorkBudget?

  /// - Parameter outer: A budget that pays as well, and may have less.
  package init(_ units: Int, within outer: WorkBudget? = nil) {
    left = max(units, 0)
    self.outer = outer
  }

  /// That for one message of a number of bytes: seconds for a hostile one, more than enough for any other.
  ///
  /// - Parameter outer: A budget that pays as well; it is the result where it has less.
  package static func forBytes(_ count: Int, within outer: WorkBudget? = nil) -> WorkBudget {
    let units = 2 * Evaluator.baseFuel + 20 * count
    if let outer, outer.left <= units { return outer }
    return WorkBudget(units, within: outer)
  }

  /// One that is never exceeded.
  package static var unlimited: WorkBudget { WorkBudget(.max) }

  /// The part of what an evaluation wants that it gets.
  func grant(_ wanted: Int) -> Int { min(wanted, max(left, 0), outer?.grant(wanted) ?? wanted) }

  /// Subtracts the work of an evaluation.
  ///
  /// - Parameter isShort: Whether the evaluation was granted less than it wanted, and had too little.
  func take(_ spent: Int, isShort: Bool) {
    left -= spent
    outer?.take(spent, isShort: isShort && (outer?.left ?? 0) < left + spent)
    if isShort { isExceeded = true }
  }

  /// Pays for work outside of an evaluation. Returns whether the budget sufficed so far.
  @discardableResult
  package func charge(_ units: Int) -> Bool {
    left -= units
    let isAllowed = outer?.charge(units) ?? true
    if left <= 0 || !isAllowed { isExceeded = true }
    return !isExceeded
  }
}
