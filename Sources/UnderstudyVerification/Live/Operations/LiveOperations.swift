struct LiveOperations: Sendable {
  let contract: CompiledContract
  let all: [LiveOperation]
  /// Without the excluded ones, which nothing may send.
  let allowed: [LiveOperation]

  init(_ contract: Contract, _ settings: LiveSettings) {
    self.contract = contract.compiled
    let api = contract.api
    let router = contract.compiled.router
    let credentials = LiveCredentials(
      api.securitySchemes, given: settings.credentials, headers: settings.headers,
      invents: settings.inventsCredentials)
    let schemas = contract.compiled.schemas
    let sent = contract.compiled.operations.map { Self.isSent($0, of: contract, settings) ? $0 : nil }
    let turns = Self.turns(in: sent)
    let areMany = sent.count { $0 != nil } > Self.someOperations
    let paths = Set(sent.compactMap { $0?.operation.path })
    let all = contract.compiled.operations.enumerated().map { index, operation in
      let options = settings.rules.validationOptions(for: operation.id).ofServer
      return LiveOperation(
        compiled: operation,
        writer: RequestWriter(
          compiled: operation, target: settings.target, base: operation.basePath, credentials: credentials,
          headers: settings.headers),
        options: options, samples: SampleSource(schemas: schemas, seed: settings.seed, clock: settings.clock),
        fixtures: (contract.fixtures.fixtures[operation.id] ?? []).filter { $0.when != nil },
        parameters: LiveOperation.parameters(of: operation.operation), turns: turns[index],
        isOneOfMany: areMany, hasFewPaths: paths.count <= Self.fewPaths, router: router, index: index)
    }
    self.all = all
    allowed = all.filter { !settings.selection.isExcluded($0.operation) }
  }

  /// The operations of a parameter's name that each try all that can be wrong with it.
  private static let fewOperations = 6
  /// The operations that each try what one reader reads for all of them.
  private static let someOperations = 12

  /// The paths that each get every method that they do not have.
  private static let fewPaths = 16

  /// For each operation its turns, by parameter; `nil` stands for an operation that the run leaves out.
  private static func turns(in operations: [CompiledOperation?]) -> [[String: LiveOperation.Turn]] {
    let keys = operations.map { $0.map { LiveOperation.parameters(of: $0.operation).map(LiveOperation.key) } ?? [] }
    var counts: [String: Int] = [:]
    for key in keys.joined() { counts[key, default: 0] += 1 }
    var next: [String: Int] = [:]
    return keys.map { keys in
      var turns: [String: LiveOperation.Turn] = [:]
      for key in keys {
        guard let count = counts[key], count > fewOperations else { continue }
        turns[key] = LiveOperation.Turn(index: next[key, default: 0], count: count)
        next[key, default: 0] += 1
      }
      return turns
    }
  }

  private static func isSent(_ operation: CompiledOperation, of contract: Contract, _ settings: LiveSettings) -> Bool {
    (settings.allowsUnsafe || SafeMethods.contains(operation.operation.method))
      && isChosen(operation.operation, of: contract.compiled, settings)
  }

  private static func isChosen(_ operation: Operation, of contract: CompiledContract, _ settings: LiveSettings) -> Bool
  {
    settings.selection.contains(operation)
      && settings.shard.contains(contract: contract.name, operation: operation.id)
  }

  func isChosen(_ subject: LiveOperation, _ settings: LiveSettings) -> Bool {
    Self.isChosen(subject.operation, of: contract, settings)
  }
}
