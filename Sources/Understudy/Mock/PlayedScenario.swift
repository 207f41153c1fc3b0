/// A scenario over all contracts of a mock that have one of its name.
struct PlayedScenario: Sendable {
  private let name: String
  /// By `MockOperation.key`.
  private var sequences: [String: ScenarioSequence] = [:]

  /// The answer of a step, with the name of the step.
  typealias Step = (forcing: Forcing, label: String)

  /// The scenarios of contracts by their names.
  static func all(of contracts: [Contract]) -> [String: PlayedScenario] {
    var all: [String: PlayedScenario] = [:]
    for contract in contracts {
      for scenario in contract.scenarios.compactMap(\.scenario) {
        all[scenario.name, default: PlayedScenario(scenario.name)].add(scenario, of: contract)
      }
    }
    return all
  }

  private init(_ name: String) { self.name = name }

  private mutating func add(_ scenario: MockScenario, of contract: Contract) {
    for (operation, sequence) in scenario.sequences where !sequence.steps.isEmpty {
      sequences["\(contract.name)/\(operation)"] = sequence
    }
  }

  /// The next answer of an operation.
  func next(of operation: MockOperation, in state: inout LaneState, at time: LaneTime) -> Step? {
    guard let sequence = sequences[operation.key] else { return nil }
    let position = state.positions[operation.key, default: .init()].advance(in: sequence, at: time())
    return (sequence.steps[position].forcing, "scenario \(name) step \(position + 1)/\(sequence.steps.count)")
  }
}
