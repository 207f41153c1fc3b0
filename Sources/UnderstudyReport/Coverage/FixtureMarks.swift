/// Which marks the fixtures and examples of an operation give to its rows of a coverage.
struct FixtureMarks {
  private let compiled: CompiledOperation
  private let cells: [FixtureCell]
  private let options: ValidationOptions

  init(_ compiled: CompiledOperation, of contract: Contract, _ rules: RuleSettings) {
    self.compiled = compiled
    cells = contract.cells(of: compiled)
    options = rules.validationOptions(for: compiled.id)
  }

  /// The marks of a row: `fixture` if something answers it, `valid` if all of that keeps the contract.
  ///
  /// A template cannot be validated without a request, and a response with a fault has nothing to validate. A row that
  /// has nothing else is not marked as valid.
  func marks(_ row: Coverage.Row, _ type: MediaRange?) -> Set<Coverage.Mark> {
    guard let cell = cells.first(where: { $0.cell.status.description == row.status }) else { return [] }
    let fixtures = fixtures(of: cell).filter { belongs($0, to: type) }
    let object = cell.cell.content.first { $0.range == row.responseType }
    let examples = object?.examples ?? []
    guard !fixtures.isEmpty || !examples.isEmpty else { return [] }
    let results =
      fixtures.compactMap(isValid) + examples.map { example in object.map { isValid(example, $0, cell.cell) } ?? false }
    return results.isEmpty || results.contains(false) ? [.fixture] : [.fixture, .valid]
  }

  /// The fixtures of a cell, with those of single codes in its range.
  private func fixtures(of cell: FixtureCell) -> [Fixture] {
    cells.filter { other in
      guard other.cell.response == nil, case .code(let code) = other.cell.status else {
        return other.cell === cell.cell
      }
      return compiled.operation.response(for: code)?.status == cell.cell.status
    }
    .flatMap(\.fixtures)
  }

  private func belongs(_ fixture: Fixture, to type: MediaRange?) -> Bool {
    guard let type else { return true }
    let own = fixture.contentType(under: fixture.response(in: compiled.operation)).flatMap { MediaRange($0) }
    return own.map(type.matches) ?? true
  }

  /// Whether a fixture violates exactly what it declares, which is nothing for most; `nil` if it cannot be validated.
  private func isValid(_ fixture: Fixture) -> Bool? {
    guard fixture.faults.allSatisfy({ $0.fault == nil }), case .bytes(let body, _) = fixture.body else { return nil }
    let findings = compiled.responseValidator.validate(fixture.answer(body, in: compiled), options).findings
    let declared = Set(fixture.violates)
    let violated = Set(findings.filter { $0.severity == .error }.map(\.rule.id))
    return violated.isSubset(of: declared) && declared.isSubset(of: findings.map(\.rule.id))
  }

  private func isValid(_ example: Example, _ object: MediaTypeObject, _ cell: CompiledCell) -> Bool {
    guard let made = try? compiled.responses.example(example, in: object, cell, code: cell.status.code) else {
      return false
    }
    let answer = ResponseView(
      status: made.response.status.code, fields: made.response.headerFields, body: made.body,
      method: compiled.operation.method, hadBody: compiled.operation.requestBody != nil)
    return compiled.responseValidator.validate(answer, options).isValid
  }
}
