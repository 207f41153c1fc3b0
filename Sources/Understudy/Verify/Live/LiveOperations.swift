import JSONSchema
import SourceText

/// The operations of a contract, ready to be asked about.
struct LiveOperations: Sendable {
  let contract: Contract
  let all: [LiveOperation]

  init(_ contract: Contract, _ settings: LiveSettings) {
    self.contract = contract
    let api = contract.api
    let bases = api.operations.map { Self.base(of: $0, settings) }
    let router = Router(
      zip(api.operations, bases).enumerated().map { index, pair in
        RouterEntry(
          operationIndex: index, method: pair.0.method, template: pair.0.path, basePaths: [pair.1])
      })
    let credentials = LiveCredentials(api.securitySchemes, given: settings.credentials, headers: settings.headers)
    let resolve: @Sendable (JSON) -> JSON? = { [schemas = contract.schemas] in schemas.target(ofReference: $0) }
    all = api.operations.enumerated().map { index, operation in
      var options = settings.rules.judgeOptions(for: operation.id)
      if options.levels[.responseServerError] != .off { options.optional.insert(.responseServerError) }
      let judges = JudgeCompiler(api, schemas: contract.schemas, options: options)
      var ignored: [Diagnostic] = []
      let own = ViolationMap(operation.node, diagnostics: &ignored)
      return LiveOperation(
        contract: api.name, specification: api.specification, operation: operation,
        writer: RequestWriter(
          operation: operation, target: settings.target, base: bases[index], credentials: credentials,
          headers: settings.headers, resolve: resolve),
        requestJudge: judges.judge(for: operation), responseJudge: judges.responseJudge(for: operation),
        options: options, refusals: Refusals(map: contract.violations.overridden(by: own)),
        samples: SampleSource(schemas: contract.schemas, seed: settings.seed), router: router, index: index,
        fixtures: (contract.fixtures.fixtures[operation.id] ?? []).filter { $0.when != nil })
    }
  }

  /// The target's own path wins over those of the contract's servers, of which the first counts.
  private static func base(of operation: Operation, _ settings: LiveSettings) -> String {
    if !settings.target.path.isEmpty { return settings.target.path }
    return settings.usesBasePaths ? BasePaths.from(operation.servers).first ?? "" : ""
  }

  func isChosen(_ subject: LiveOperation, _ settings: LiveSettings) -> Bool {
    let id = subject.operation.id
    let isNamed = settings.operations.isEmpty || settings.operations.contains { $0.utf8.elementsEqual(id.utf8) }
    return isNamed && settings.shard.contains(contract: contract.api.name, operation: id)
  }

  func named(_ id: String) -> LiveOperation? { all.first { $0.operation.id.utf8.elementsEqual(id.utf8) } }
}
