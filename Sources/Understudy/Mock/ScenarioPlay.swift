import Synchronization

/// A scenario being played: how far each operation has come.
final class ScenarioPlay: Sendable {
  private let name: String
  /// By contract and operation.
  private let sequences: [Key: [Forcing]]
  private let positions = Mutex<[Key: Int]>([:])

  private struct Key: Hashable {
    var contract: Int
    var operation: String
  }

  /// `nil` where no contract has a scenario.
  init?(_ contracts: [Contract]) {
    var sequences: [Key: [Forcing]] = [:]
    for (index, contract) in contracts.enumerated() {
      for (operation, steps) in contract.scenario?.sequences ?? [:] where !steps.isEmpty {
        sequences[Key(contract: index, operation: operation)] = steps
      }
    }
    guard let name = contracts.lazy.compactMap(\.scenario).first?.name else { return nil }
    self.name = name
    self.sequences = sequences
  }

  /// The next answer of an operation; behind the last step comes the last step again.
  func next(_ plan: OperationPlan) -> (forcing: Forcing, label: String)? {
    let key = Key(contract: plan.contractIndex, operation: plan.operation.id)
    guard let steps = sequences[key] else { return nil }
    let position = positions.withLock { positions in
      let position = positions[key] ?? 0
      positions[key] = min(position + 1, steps.count - 1)
      return position
    }
    return (steps[position], "scenario \(name) step \(position + 1)/\(steps.count)")
  }
}
