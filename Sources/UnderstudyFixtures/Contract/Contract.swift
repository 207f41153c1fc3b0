#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A contract with its fixtures, ready to be served, listed and verified.
public struct Contract: Sendable {
  package let compiled: CompiledContract
  package let fixtures: FixtureStore
  /// In the order of their files.
  package let scenarios: [MockScenario.Reading]
  package let sockets: SocketContract
  /// The findings about the contract and its fixtures.
  public let diagnostics: [Diagnostic]

  /// Reads a contract (Swagger 2.0 or OpenAPI 3.0 to 3.2, as YAML or JSON) and its fixtures.
  ///
  /// - Parameters:
  ///   - path: The file of the contract.
  ///   - fixtures: The folder that has the folder `<contract>/<operationId>` of every operation; it may be missing. `nil`
  ///     for a contract without fixtures.
  /// - Throws: `DiagnosticError` when the contract is unusable. A contract with defects is loaded as far as possible, and
  ///   `diagnostics` lists them.
  public init(contentsOf path: String, fixtures: String? = "fixtures") throws(DiagnosticError) {
    try self.init(ContractSource(path), fixtures: fixtures)
  }

  /// Reads a contract at a file URL, such as that of a bundle's resource.
  ///
  /// - Parameters:
  ///   - url: The file of the contract.
  ///   - fixtures: The folder of the fixtures; `nil` for a contract without them.
  /// - Throws: `DiagnosticError` when the contract is unusable.
  public init(contentsOf url: URL, fixtures: URL? = nil) throws(DiagnosticError) {
    // The path of a remote URL is not a local path.
    try self.init(ContractSource(url.isFileURL ? url.path : url.absoluteString), fixtures: fixtures?.path)
  }

  /// Reads a contract in memory.
  ///
  /// - Parameters:
  ///   - text: The contract, as YAML or JSON. References to other files lead from the working directory.
  ///   - name: Its name in messages, and that of its folder among the fixtures.
  ///   - fixtures: The folder of the fixtures; `nil` for a contract without them.
  /// - Throws: `DiagnosticError` when the contract is unusable.
  public init(_ text: String, name: String, fixtures: String? = nil) throws(DiagnosticError) {
    try self.init(Array(text.utf8), name: name, fixtures: fixtures)
  }

  /// Reads a contract from bytes in memory, as from a string.
  public init(_ bytes: [UInt8], name: String, fixtures: String? = nil) throws(DiagnosticError) {
    try self.init(ContractSource(name, name: name, contents: bytes), fixtures: fixtures)
  }

  private init(_ source: ContractSource, fixtures: String?) throws(DiagnosticError) {
    let (contract, diagnostics) = Contract.load(source.withFixtures(in: fixtures), fixtures: fixtures)
    guard let contract else { throw DiagnosticError(diagnostics) }
    self = contract
  }

  package init(
    compiled: CompiledContract, fixtures: FixtureStore, scenarios: [MockScenario.Reading] = [],
    diagnostics: [Diagnostic]
  ) {
    self.compiled = compiled
    self.fixtures = fixtures
    self.scenarios = scenarios
    sockets = SocketContract(of: compiled, fixtures: fixtures.folder)
    self.diagnostics = diagnostics + sockets.diagnostics
  }

  /// A contract with the fixtures of another one and a compilation of its own.
  package init(_ other: Contract, compiled: CompiledContract) {
    self.compiled = compiled
    (fixtures, scenarios, sockets, diagnostics) = (other.fixtures, other.scenarios, other.sockets, other.diagnostics)
  }

  /// The name that it was given, or that of its file without the extension.
  public var name: String { compiled.name }

  package var api: API { compiled.api }

  /// Reads a contract and its fixtures in `<fixtures>/<contract>`, or no fixtures if `root` is `nil`; returns `nil`
  /// when the contract is unusable, with the reason in the findings.
  package static func load(
    _ path: String, fixtures root: String?, basePaths: BasePathPolicy = .servers
  ) -> (contract: Contract?, diagnostics: [Diagnostic]) {
    load(ContractSource(path), fixtures: root, basePaths: basePaths)
  }

  /// Reads a contract, which `use` gets, and then its fixtures in `<fixtures>/<name>`.
  package static func load(
    _ source: ContractSource, fixtures root: String?, basePaths: BasePathPolicy = .servers,
    compiled use: (CompiledContract) -> Void = { _ in }
  ) -> (contract: Contract?, diagnostics: [Diagnostic]) {
    let (read, found) = CompiledContract.read(source, basePaths: basePaths)
    guard let compiled = read else { return (nil, found) }
    use(compiled)
    let api = compiled.api
    let store =
      root.map { FixtureStore.load(Path.join($0, api.name), for: api) } ?? FixtureStore.load(routesOf: api)
    let diagnostics = Linter.checkReferences(of: api) + compiled.diagnostics + store.diagnostics.unique()
    let contract = Contract(
      compiled: compiled, fixtures: store, scenarios: root == nil ? [] : MockScenario.readAll(of: compiled, store),
      diagnostics: diagnostics)
    return (contract, contract.diagnostics)
  }

  private var examples: some Sequence<Example> {
    api.operations.lazy.flatMap(\.responses).flatMap(\.content).flatMap(\.examples)
  }

  package var hasExternalExamples: Bool { examples.contains { $0.externalPath != nil } }

  /// Every file and folder that the contract was made from, and those that are missing.
  package var watched: [String] {
    let external = Set(examples.compactMap(\.externalPath)).sorted()
    // A folder of data may get further files.
    let data = api.isData ? [api.root.path] : []
    let documents = data + api.files.map(\.path) + api.missingFiles + compiled.events.candidates
    let files = documents.unique().filter { !URIReference($0).isRemote }
    return files + [fixtures.folder] + fixtures.bodyFiles + external + (api.routes?.folders ?? [])
  }

  /// `106 cells`, and the statuses that only fixtures have: those are not cells, and coverage does not count them.
  package var cellCount: String {
    let all = compiled.operations.flatMap(cells(of:))
    let documented = all.count { $0.cell.response != nil }
    let rest = all.count - documented
    return documented.counted("cell") + (rest > 0 ? " (\(rest) more by fixtures alone)" : "")
  }

  /// The fixtures with a `when`, for each operation in the order of the contract.
  package var conditionalFixtures: [[Fixture]] {
    compiled.operations.map { operation in (fixtures.fixtures[operation.id] ?? []).filter { $0.when != nil } }
  }
}
