/// What may be made for one request: answers from the contract cost more than all the rest, and are made once.
package final class Rendering {
  /// Pays for what is made; `nil` for as long as it takes.
  package let budget: WorkBudget?
  /// Whether answers are made, or only found.
  var isAllowed: Bool
  /// Whether an answer was neither found nor made.
  package private(set) var isIncomplete = false
  /// What was made for this request, found also where nothing keeps it for the next one.
  private var made: [ContractResponses.Key: ContractResponses.Outcome] = [:]

  package init(within budget: WorkBudget? = nil, isAllowed: Bool = true) {
    (self.budget, self.isAllowed) = (budget, isAllowed)
  }

  /// Whether what was made may be kept: it is not the rest of something that was broken off.
  package var isWhole: Bool { budget?.isExceeded != true }

  /// Whether every answer was there, and nothing was broken off.
  package var isComplete: Bool { !isIncomplete && isWhole }

  subscript(key: ContractResponses.Key) -> ContractResponses.Outcome? {
    get { made.isEmpty ? nil : made[key] }
    set { made[key] = newValue }
  }

  /// Begins another attempt to answer the request.
  package func begin(isAllowed: Bool) { (self.isAllowed, isIncomplete) = (isAllowed, false) }

  /// Notes that an answer has to be made first.
  func miss() -> SelectionProblem {
    isIncomplete = true
    return SelectionProblem(kind: .noBody, message: "not made yet", help: "")
  }
}
