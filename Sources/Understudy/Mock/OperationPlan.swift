/// An operation, compiled for answering.
package final class OperationPlan: Sendable {
  package let operation: Operation
  /// Which of the engine's contracts it belongs to.
  package let contractIndex: Int
  package let violations: ViolationMap
  package let judge: RequestJudge
  /// Of requests with the answers of an upstream; `nil` where there is none.
  let exchangeJudge: ExchangeJudge?
  /// Documented statuses in the contract's order, then those that only fixtures have.
  package let cells: [Cell]
  /// Fixtures with a `when`, in the order of their statuses and names.
  package let conditional: [Cell.Variant]
  /// The status to answer with when nobody asks for another: the lowest 2xx, else the lowest of all.
  package let successCode: Int
  /// What `--force` set.
  package let forced: Forcing?
  let responses: ResponseMaker

  init(
    operation: Operation, contractIndex: Int, violations: ViolationMap, judge: RequestJudge,
    exchangeJudge: ExchangeJudge? = nil, cells: [Cell], responses: ResponseMaker, forced: Forcing? = nil
  ) {
    self.operation = operation
    self.contractIndex = contractIndex
    self.violations = violations
    self.judge = judge
    self.exchangeJudge = exchangeJudge
    self.cells = cells
    self.responses = responses
    self.forced = forced
    conditional = cells.flatMap { $0.fixtures.filter { $0.fixture.when != nil } }
    successCode = Self.successCode(of: cells)
  }

  /// The same operation, answering in one way only.
  func forced(to forcing: Forcing) -> OperationPlan {
    OperationPlan(
      operation: operation, contractIndex: contractIndex, violations: violations, judge: judge,
      exchangeJudge: exchangeJudge, cells: cells, responses: responses, forced: forcing)
  }

  /// The cell of a status: exact code, then range, then `default` (OAS 3.1, 4.8.16).
  package func cell(for code: Int) -> Cell? {
    cells.first { $0.status == .code(code) } ?? cells.first { $0.status == .range(code / 100) }
      ?? cells.first { $0.status == .default }
  }

  /// The status that a wish names: a number, a meaning, or a violation that the contract maps.
  package func code(named text: String) -> Int? {
    // Not `Int`: that would take `-12`, which is no status and cannot be sent.
    if case .code(let code)? = Response.Status(text) { return code }
    if let cell = cells.first(where: { $0.meaning?.utf8.elementsEqual(text.utf8) == true }) { return cell.status.code }
    if let violation = Violation(rawValue: text), case .status(let code) = violations[violation] { return code }
    return Response.Status(text).flatMap { status in cells.first { $0.status == status }?.status.code }
  }

  private static func successCode(of cells: [Cell]) -> Int {
    let documented = cells.filter { $0.response != nil }
    let codes = documented.compactMap { if case .code(let code) = $0.status { code } else { nil } }
    if let success = codes.filter({ 200...299 ~= $0 }).min() { return success }
    if documented.contains(where: { $0.status == .range(2) || $0.status == .default }) { return 200 }
    return codes.min() ?? documented.first?.status.code ?? 200
  }
}

/// A reply that was forced from outside the client: `--force joinQueue=203.slow`.
package struct Forcing: Sendable, Hashable {
  package var code: Int
  package var name: String?
}
