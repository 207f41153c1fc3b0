/// The operations of a contract in a live run.
struct LiveOperations: Sendable {
  let contract: CompiledContract
  let all: [LiveOperation]
  /// Without the excluded ones, which nothing may send.
  let allowed: [LiveOperation]

  init(_ contract: Contract, _ settings: LiveSettings) {
    self.contract = contract.compiled
    let api = contract.api
    let router = contract.compiled.router
    let credentials = LiveCredentials(api.securitySchemes, given: settings.credentials, headers: settings.headers)
    let schemas = contract.compiled.schemas
    let turns = Self.turns(in: contract.compiled.operations)
    let all = contract.compiled.operations.enumerated().map { index, operation in
      var options = settings.rules.validationOptions(for: operation.id)
      if options.levels[.responseServerError] != .off { options.optional.insert(.responseServerError) }
      return LiveOperation(
        compiled: operation,
        writer: RequestWriter(
          operation: operation.operation, target: settings.target, base: operation.basePath, credentials: credentials,
          headers: settings.headers, schemas: schemas),
        options: options, refusals: Refusals(map: operation.violations),
        samples: SampleSource(schemas: schemas, seed: settings.seed, clock: settings.clock), router: router,
        index: index,
        fixtures: (contract.fixtures.fixtures[operation.id] ?? []).filter { $0.when != nil },
        turns: turns[index])
    }
    self.all = all
    allowed = all.filter { !settings.selection.isExcluded($0.operation) }
  }

  /// The operations of a parameter's name that each try all that can be wrong with it.
  private static let fewOperations = 3

  /// For each operation its turns, by parameter.
  private static func turns(in operations: [CompiledOperation]) -> [[String: Int]] {
    let keys = operations.map { $0.operation.parameters.map(LiveOperation.key) }
    var counts: [String: Int] = [:]
    for key in keys.joined() { counts[key, default: 0] += 1 }
    var next: [String: Int] = [:]
    return keys.map { keys in
      var turns: [String: Int] = [:]
      for key in keys where counts[key, default: 0] > fewOperations {
        turns[key] = next[key, default: 0]
        next[key, default: 0] += 1
      }
      return turns
    }
  }

  func isChosen(_ subject: LiveOperation, _ settings: LiveSettings) -> Bool {
    let id = subject.operation.id
    return settings.selection.contains(subject.operation)
      && settings.shard.contains(contract: contract.name, operation: id)
  }
}
