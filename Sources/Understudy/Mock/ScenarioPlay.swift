import Synchronization

/// A scenario in play, with the position of each operation.
final class ScenarioPlay: Sendable {
  private let name: String
  /// By `CompiledOperation`.
  private let sequences: [ObjectIdentifier: ScenarioSequence]
  private let positions = Mutex<[ObjectIdentifier: ScenarioSequence.Position]>([:])

  /// `nil` where no contract has a scenario.
  init?(_ contracts: [Contract]) {
    var sequences: [ObjectIdentifier: ScenarioSequence] = [:]
    for contract in contracts {
      for operation in contract.compiled.operations {
        sequences[ObjectIdentifier(operation)] = contract.scenario?.sequences[operation.id]
      }
    }
    guard let name = contracts.lazy.compactMap(\.scenario).first?.name else { return nil }
    self.name = name
    self.sequences = sequences
  }

  /// Begins anew.
  func restart() { positions.withLock { $0 = [:] } }

  /// The next answer of an operation.
  ///
  /// - Parameter now: Microseconds since 1970.
  func next(_ operation: CompiledOperation, at now: () -> Int) -> (forcing: Forcing, label: String)? {
    let key = ObjectIdentifier(operation)
    guard let sequence = sequences[key], !sequence.steps.isEmpty else { return nil }
    let step = positions.withLock { positions in
      // Inside the lock, so that the times of two requests are in their order.
      positions[key, default: .init()].advance(in: sequence, at: now())
      return positions[key, default: .init()].step
    }
    return (sequence.steps[step].forcing, "scenario \(name) step \(step + 1)/\(sequence.steps.count)")
  }
}
