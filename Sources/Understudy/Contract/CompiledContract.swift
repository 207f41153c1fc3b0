/// A contract, compiled once for everything that uses it: mock, coverage, fixtures, recordings and live runs.
///
/// Immutable. Validators, schemas and routes are made on first use.
package final class CompiledContract: Sendable {
  package let api: API
  package let schemas: SchemaLibrary
  /// The places of secrets that the contract names.
  package let secrets: ContractSecrets
  /// In the contract's order.
  package let operations: [CompiledOperation]
  /// The answers to requests that reach no operation: `x-understudy` at the root.
  package let violations: ViolationMap
  /// The findings about `x-understudy`, at the root and in the operations.
  package let diagnostics: [Diagnostic]
  private let documents: DocumentStore
  private let lazyRouter = Lazy<Router>()

  /// - Parameter documents: The files that the contract was read from, for the references of its schemas.
  package init(_ api: API, from documents: DocumentStore, basePaths: BasePathPolicy = .servers) {
    self.api = api
    self.documents = documents
    let schemas = SchemaLibrary(of: api, documents)
    self.schemas = schemas
    let secrets = ContractSecrets(api, schemas)
    self.secrets = secrets
    var diagnostics: [Diagnostic] = []
    let root = ViolationMap(api.root, diagnostics: &diagnostics)
    violations = root
    // Paths that refer to one path item share its operations, and its findings.
    var maps: [NodeID: ViolationMap] = [:]
    operations = api.operations.map { operation in
      let own = maps[operation.node.id] ?? ViolationMap(operation.node, diagnostics: &diagnostics)
      maps[operation.node.id] = own
      return CompiledOperation(
        operation, of: api, schemas, secrets, basePaths: basePaths.paths(of: operation),
        violations: root.overridden(by: own))
    }
    self.diagnostics = diagnostics
  }

  /// Reads and compiles a contract; `nil` when it is unusable, with the reason in the findings.
  package static func read(
    _ source: ContractSource, basePaths: BasePathPolicy = .servers
  ) -> (contract: CompiledContract?, diagnostics: [Diagnostic]) {
    let documents = DocumentStore(fetch: source.fetch)
    let (api, diagnostics) = OpenAPIReader.read(source.path, name: source.name, from: documents)
    return (api.map { CompiledContract($0, from: documents, basePaths: basePaths) }, diagnostics)
  }

  package var name: String { api.name }

  /// Finds operations by their position in `operations`.
  package var router: Router { lazyRouter.value { Router(of: operations) } }

  /// Another library, for work that is done once: its compiled schemas are released with it.
  func freshSchemas() -> SchemaLibrary { SchemaLibrary(of: api, documents) }

  /// The findings about the contract itself, in the order of its files.
  package func lint() -> [Diagnostic] {
    Linter.lint(
      api, options: .init(patternProblem: Pattern.problem), others: diagnostics + schemas.problems(in: api))
  }
}

extension Router {
  convenience init(of operations: [CompiledOperation]) {
    self.init(
      operations.enumerated().map { index, operation in
        RouterEntry(
          operationIndex: index, method: operation.operation.method, template: operation.operation.path,
          basePaths: operation.basePaths)
      })
  }
}
