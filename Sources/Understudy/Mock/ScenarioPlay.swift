import Synchronization

/// A scenario in play, with the position of each operation.
final class ScenarioPlay: Sendable {
  private let name: String
  /// By `CompiledOperation`.
  private let sequences: [ObjectIdentifier: [Forcing]]
  private let positions = Mutex<[ObjectIdentifier: Int]>([:])

  /// `nil` where no contract has a scenario.
  init?(_ contracts: [Contract]) {
    var sequences: [ObjectIdentifier: [Forcing]] = [:]
    for contract in contracts {
      for operation in contract.compiled.operations {
        sequences[ObjectIdentifier(operation)] = contract.scenario?.sequences[operation.id]
      }
    }
    guard let name = contracts.lazy.compactMap(\.scenario).first?.name else { return nil }
    self.name = name
    self.sequences = sequences
  }

  /// The next answer of an operation; the last step repeats.
  func next(_ operation: CompiledOperation) -> (forcing: Forcing, label: String)? {
    let key = ObjectIdentifier(operation)
    guard let steps = sequences[key], !steps.isEmpty else { return nil }
    let position = positions.withLock { positions in
      let position = positions[key] ?? 0
      positions[key] = min(position + 1, steps.count - 1)
      return position
    }
    return (steps[position], "scenario \(name) step \(position + 1)/\(steps.count)")
  }
}
