package final class MockOperation: Sendable {
  package let compiled: CompiledOperation
  /// Its contract and its id: `slp/readChat`.
  package let key: String
  /// Documented statuses in the contract's order, then those of fixtures alone.
  package let cells: [MockCell]
  /// Fixtures with a `when`, in the order in which they are tried: by rank, then by their statuses and names.
  let conditional: [MockCell.Variant]
  /// The default status: the lowest 2xx, else the lowest of all.
  package let successCode: Int
  package let forced: Forcing?
  package let options: ValidationOptions
  let faults: OperationFaults?
  /// `WWW-Authenticate` of its 401; `nil` where no scheme has a challenge.
  let challenge: String?
  let credentialNames: [String]
  /// Whether an answer depends on earlier ones, as the random values of a template and faults with conditions do.
  private let dependsOnTurns: Bool
  /// Whether its answers depend on what was created and deleted.
  let isStored: Bool
  private let isInScenario: Bool

  init(
    _ compiled: CompiledOperation, key: String, cells: [MockCell], options: ValidationOptions,
    faults: OperationFaults? = nil, isStored: Bool, isInScenario: Bool, forced: Forcing? = nil
  ) {
    self.compiled = compiled
    self.key = key
    self.cells = cells
    self.options = options
    self.faults = faults
    self.forced = forced
    conditional = cells.flatMap { $0.fixtures.filter { $0.fixture.when != nil } }.ranked {
      MatchRank($0.fixture.when, priority: $0.fixture.priority)
    }
    successCode = compiled.successCode
    challenge = Self.challenge(of: compiled)
    credentialNames =
      ["authorization"]
      + compiled.api.securitySchemes.compactMap { scheme in
        if case .apiKey(let name, in: .header) = scheme.kind { return name }
        return nil
      }
    self.isStored = isStored
    self.isInScenario = isInScenario
    dependsOnTurns =
      faults?.needsState == true
      || cells.contains {
        $0.fixtures.contains { $0.fixture.body.isTemplate || !$0.fixture.faults.allSatisfy { $0.fixed != nil } }
      }
  }

  private static func challenge(of compiled: CompiledOperation) -> String? {
    let schemes = compiled.api.securitySchemes
    for (name, _) in compiled.operation.security.lazy.flatMap(\.schemes) {
      switch schemes.first(where: { $0.name == name })?.kind {
      case .http(let scheme): return scheme.prefix(1).uppercased() + scheme.dropFirst()
      case .oauth2, .openIdConnect: return "Bearer"
      default: continue
      }
    }
    return nil
  }

  /// The same operation with one answer only.
  func forced(to forcing: Forcing) -> MockOperation {
    MockOperation(
      compiled, key: key, cells: cells, options: options, faults: faults, isStored: isStored,
      isInScenario: isInScenario, forced: forcing)
  }

  /// The same operation with the delays and faults of the rules that are for it.
  func failing(by rules: [FaultRule]) -> MockOperation {
    guard let faults = OperationFaults(of: self, by: rules) else { return self }
    return MockOperation(
      compiled, key: key, cells: cells, options: options, faults: faults, isStored: isStored,
      isInScenario: isInScenario, forced: forced)
  }

  package var id: String { compiled.id }

  func needsState(of demand: LaneDemand) -> Bool {
    dependsOnTurns || isStored || (isInScenario ? demand != .templates : demand.isForAll)
  }

  func validation(of request: RequestView, within budget: WorkBudget?) -> ValidationResult {
    compiled.requestValidator.validation(of: request, options, within: budget)
  }

  /// The cell of a status: exact code, then range, then `default` (OAS 3.1, 4.8.16).
  package func cell(for code: Int) -> MockCell? {
    cells.first { $0.status == .code(code) } ?? cells.first { $0.status == .range(code / 100) }
      ?? cells.first { $0.status == .default }
  }

  /// The status that a preference names: a number, a meaning, or a violation that the contract maps.
  package func code(named text: String) -> Int? {
    // `Int` would accept `-12`.
    if case .code(let code)? = Response.Status(text) { return code }
    if let cell = cells.first(where: { $0.meaning?.utf8.elementsEqual(text.utf8) == true }) { return code(of: cell) }
    if let violation = Violation(rawValue: text), case .status(let code) = compiled.violations[violation] {
      return code
    }
    return Response.Status(text).flatMap { status in cells.first { $0.status == status } }.map(code(of:))
  }

  package func code(of cell: MockCell) -> Int { compiled.code(of: cell.status) }

  /// The statuses with their meanings: `200 found, 404 lost`.
  package var statuses: [String] {
    cells.map { cell in "\(cell.status)" + (cell.cell.explicitMeaning.map { " \($0)" } ?? "") }
  }

  /// The named answers: `200.first`.
  package var variants: [String] { cells.flatMap { cell in cell.names.map { "\(cell.status).\($0)" } } }
}
