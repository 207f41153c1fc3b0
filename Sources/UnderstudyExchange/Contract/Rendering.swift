/// What may be made for one request: answers from the contract cost more than all the rest, and are made once.
package final class Rendering {
  /// Pays for what is made; `nil` for as long as it takes.
  package let budget: WorkBudget?
  /// What was made for this request, found also where nothing keeps it for the next one.
  private var made: [ContractResponses.Key: ContractResponses.Outcome] = [:]

  /// Whether the next requests may get what was made.
  let isShared: Bool

  package init(within budget: WorkBudget? = nil) { (self.budget, isShared) = (budget, true) }

  private init(unsharedWithin budget: WorkBudget?) { (self.budget, isShared) = (budget, false) }

  /// A rendering within the same budget of a response for this request alone, which would fill the caches of all.
  package func unshared() -> Rendering { Rendering(unsharedWithin: budget) }

  /// Whether what was made may be kept: it is not the rest of something that was broken off.
  package var isWhole: Bool { budget?.isExceeded != true }

  subscript(key: ContractResponses.Key) -> ContractResponses.Outcome? {
    get { made.isEmpty ? nil : made[key] }
    set { made[key] = newValue }
  }
}
