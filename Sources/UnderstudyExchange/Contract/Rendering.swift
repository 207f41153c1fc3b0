/// What may be made for one request: answers from the contract cost more than all the rest, and are made once.
package final class Rendering {
  /// Pays for what is made; `nil` for as long as it takes.
  package let budget: WorkBudget?
  /// What was made for this request, found also where nothing keeps it for the next one.
  private var made: [ContractResponses.Key: ContractResponses.Outcome] = [:]

  package init(within budget: WorkBudget? = nil) { self.budget = budget }

  /// Whether what was made may be kept: it is not the rest of something that was broken off.
  package var isWhole: Bool { budget?.isExceeded != true }

  subscript(key: ContractResponses.Key) -> ContractResponses.Outcome? {
    get { made.isEmpty ? nil : made[key] }
    set { made[key] = newValue }
  }
}
