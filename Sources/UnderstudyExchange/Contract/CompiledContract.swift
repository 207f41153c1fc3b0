import UnderstudySystem

/// A contract, compiled once for everything that uses it: mock, coverage, fixtures, recordings and live runs.
///
/// Immutable. Validators, schemas and routes are made on first use.
package final class CompiledContract: Sendable {
  package let api: API
  package let schemas: SchemaLibrary
  package let secrets: ContractSecrets
  /// In the contract's order.
  package let operations: [CompiledOperation]
  /// The answers to requests that reach no operation: `x-understudy` at the root.
  package let violations: ViolationMap
  /// The findings about `x-understudy`, at the root and in the operations.
  package let diagnostics: [Diagnostic]
  package let events: EventDocument
  private let documents: DocumentStore
  private let formats: FormatAssertion
  private let basePaths: BasePathPolicy
  private let lazyRouter = Lazy<Router>()

  /// - Parameter documents: The files that the contract was read from, for the references of its schemas.
  package init(
    _ api: API, from documents: DocumentStore, formats: FormatAssertion = .byDialect,
    basePaths: BasePathPolicy = .servers, events: EventDocument = .none
  ) {
    self.api = api
    self.events = events
    self.documents = documents
    self.basePaths = basePaths
    var diagnostics: [Diagnostic] = []
    let root = ViolationMap(api.root, isRoot: true, diagnostics: &diagnostics)
    violations = root
    self.formats = formats == .byDialect ? root.formats ?? formats : formats
    let schemas = SchemaLibrary(of: api, documents, formats: self.formats)
    self.schemas = schemas
    let secrets = ContractSecrets(api, schemas)
    self.secrets = secrets
    // Paths that refer to one path item share its operations, and its findings.
    var maps: [NodeID: ViolationMap] = [:]
    operations = api.operations.map { operation in
      let own = maps[operation.node.id] ?? ViolationMap(operation.node, diagnostics: &diagnostics)
      maps[operation.node.id] = own
      return CompiledOperation(
        operation, of: api, schemas, secrets, basePaths: basePaths, violations: root.overridden(by: own))
    }
    self.diagnostics = diagnostics
  }

  /// Reads and compiles a contract; `nil` when it is unusable, with the reason in the findings.
  package static func read(
    _ source: ContractSource, basePaths: BasePathPolicy = .servers
  ) -> (contract: CompiledContract?, diagnostics: [Diagnostic]) {
    let documents = DocumentStore(
      references: source.reading.references, access: source.access, fetch: source.fetch, contents: source.contents)
    let (api, diagnostics) = OpenAPIReader.read(
      source.path, name: source.name, overlays: source.reading.overlays, from: documents)
    guard let api else { return (nil, diagnostics.map(source.reading.noted)) }
    let hasFile = !source.isRemote && source.contents == nil
    let contract = CompiledContract(
      api, from: documents, formats: source.reading.formats, basePaths: basePaths,
      events: hasFile ? EventDocument(beside: source.path, in: documents) : .none)
    return (contract, diagnostics)
  }

  /// Compiles the contract again; both compilations share the model alone.
  package func recompiled() -> CompiledContract {
    CompiledContract(api, from: documents, formats: formats, basePaths: basePaths, events: events)
  }

  package var name: String { api.name }

  /// Finds operations by their position in `operations`.
  package var router: Router { lazyRouter.value { Router(of: operations) } }

  /// Another library, for work that is done once: its compiled schemas are released with it.
  package func freshSchemas() -> SchemaLibrary { SchemaLibrary(of: api, documents, formats: formats) }

  /// The schemas whose `format` only annotates, so that values are not validated by it.
  package var annotatedFormatCount: Int { LintSubject(api).schemas.count(where: schemas.onlyAnnotatesFormat) }

  /// The findings about required headers of answers that cannot be sent, each once.
  package var unsendableHeaders: [Diagnostic] {
    var seen: Set<NodeID> = []
    let headers = SampleHeaders(schemas: schemas)
    return api.operations.flatMap(\.responses).flatMap(\.headers).filter { seen.insert($0.node.id).inserted }
      .compactMap(headers.problem)
  }

  /// The findings about the contract itself, in the order of its files. All schemas are compiled in another library:
  /// requests to a running mock would wait for its own, which would also keep what it met.
  package func lint() -> [Diagnostic] {
    Linter.lint(
      api, options: .init(patternProblem: Pattern.problem), others: diagnostics + freshSchemas().problems(in: api))
  }
}

extension Router {
  /// Routes of a file have no paths with several methods: of two routes for a path, the one with the method responds.
  convenience init(of operations: [CompiledOperation]) {
    self.init(
      operations.enumerated().map { index, operation in
        RouterEntry(
          operationIndex: index, method: operation.operation.method, template: operation.operation.path,
          basePaths: operation.basePaths, isRoute: operation.operation.isRoute)
      }, fallsBackByMethod: operations.allSatisfy(\.operation.isRoute))
  }
}
