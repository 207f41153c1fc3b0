import UnderstudySockets

/// A scenario over all contracts of a mock that have one of its name.
struct PlayedScenario: Sendable {
  let name: String
  /// The sequences by `MockOperation.key`; sequences for requests that break the contract by `invalidKey(_:)`.
  private var sequences: [String: ScenarioSequence] = [:]
  /// The keys of the operations whose steps are for valid requests alone.
  private var strict: Set<String> = []
  private var machines: [(contract: String, machine: ScenarioMachine)] = []
  /// Those that name an operation, by `MockOperation.key`.
  private var machinesByOperation: [String: [KeyedMachine]] = [:]
  private(set) var checks: [ClientCheckSettings] = []
  private(set) var socketFaults: [SocketFault] = []
  private var actions: [ObjectIdentifier: ResourceAction] = [:]
  /// The collections while it is played; `nil` where it says nothing about collections.
  private(set) var resources: ResourceModel?

  /// A machine with its key in a `LaneState`.
  typealias KeyedMachine = (key: String, machine: ScenarioMachine)

  /// The answer of a step, with the place of the scenario.
  typealias Step = (forcing: Forcing, scenario: String, place: ReplySource.Rule.Place)

  /// The scenarios of contracts by their names; `resources` are the collections of the mock without a scenario.
  static func all(of contracts: [Contract], besides resources: ResourceModel?) -> [String: PlayedScenario] {
    var all: [String: PlayedScenario] = [:]
    for contract in contracts {
      for scenario in contract.scenarios.compactMap(\.scenario) {
        all[scenario.name, default: PlayedScenario(scenario.name)].add(scenario, of: contract)
      }
    }
    for name in all.keys {
      guard let actions = all[name]?.actions, !actions.isEmpty else { continue }
      all[name]?.resources = resources?.adding(actions) ?? ResourceModel(actions)
    }
    return all
  }

  private init(_ name: String) { self.name = name }

  private mutating func add(_ scenario: MockScenario, of contract: Contract) {
    for (operation, sequence) in scenario.sequences where !sequence.steps.isEmpty {
      sequences["\(contract.name)/\(operation)"] = sequence
    }
    if let invalid = scenario.invalidSequences {
      strict.formUnion(contract.compiled.operations.map { "\(contract.name)/\($0.id)" })
      for (operation, sequence) in invalid where !sequence.steps.isEmpty {
        sequences[Self.invalidKey("\(contract.name)/\(operation)")] = sequence
      }
    }
    machines += scenario.machines.map { (contract: contract.name, machine: $0) }
    checks += scenario.checks
    socketFaults += scenario.socketFaults
    for operation in contract.compiled.operations {
      actions[ObjectIdentifier(operation)] = scenario.collections[operation.id]
      let named = scenario.machines.filter { $0.names(operation.id) }
      if !named.isEmpty {
        machinesByOperation["\(contract.name)/\(operation.id)"] = named.map { (Self.key(contract.name, $0), $0) }
      }
    }
  }

  func machines(for operation: MockOperation) -> [KeyedMachine] { machinesByOperation[operation.key] ?? [] }

  private static func key(_ contract: String, _ machine: ScenarioMachine) -> String { "\(contract)/\(machine.name)" }

  /// All machines with their keys in a `LaneState`.
  var keyedMachines: [KeyedMachine] { machines.map { (Self.key($0.contract, $0.machine), $0.machine) } }

  /// A state that waits for a request of the client, with its instance and the request that led to it.
  typealias Expectation = (contract: String, state: ScenarioMachine.State, owner: String, cause: Int?)

  func expectations(in state: LaneState, at now: Int) -> [Expectation] {
    machines.flatMap { contract, machine -> [Expectation] in
      var instances = state.machines[Self.key(contract, machine)] ?? [:]
      if machine.owner == nil, instances.isEmpty { instances[""] = MachineState(machine.start, since: now) }
      return instances.sorted { $0.key < $1.key }.compactMap { owner, instance in
        var instance = instance
        instance.settle(in: machine, at: now)
        guard let place = machine.state(instance.state), !place.expects.isEmpty else { return nil }
        return (contract: contract, state: place, owner: owner, cause: instance.cause)
      }
    }
  }

  /// The push messages of timers that expired after the states of a lane were stored.
  func duePushes(in state: LaneState, at now: Int) -> [LanePush] {
    machines.flatMap { contract, machine in
      (state.machines[Self.key(contract, machine)] ?? [:]).sorted { $0.key < $1.key }
        .flatMap { owner, instance in instance.pushes(of: owner, in: machine, until: now) }
    }
  }

  private static func invalidKey(_ operation: String) -> String { operation + " invalid" }

  /// Whether it has a sequence for the requests of an operation that break the contract.
  func hasInvalidSequence(of operation: MockOperation) -> Bool { sequences[Self.invalidKey(operation.key)] != nil }

  /// The next answer of an operation, and the position after it with its key in a `LaneState`.
  func next(
    of operation: MockOperation, isInvalid: Bool, in state: LaneState, at now: Int
  ) -> (step: Step, key: String, ScenarioSequence.Position)? {
    let key = isInvalid && strict.contains(operation.key) ? Self.invalidKey(operation.key) : operation.key
    guard let sequence = sequences[key] else { return nil }
    var next = state.positions[key] ?? ScenarioSequence.Position()
    let position = next.advance(in: sequence, at: now)
    let step: Step = (sequence.steps[position].forcing, name, .step(position + 1, of: sequence.steps.count))
    return (step, key, next)
  }
}
