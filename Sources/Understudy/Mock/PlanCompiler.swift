import HTTPTypes
import SourceText

/// Compiles contracts into plans and renders every fixture once.
struct PlanCompiler {
  let options: MockEngine.Options
  private(set) var plans: [OperationPlan] = []
  private(set) var prepared: [PreparedResponse] = []
  private var diagnostics: [Diagnostic] = []
  private var unusedRules: [ForcingRule]
  /// The names of the contracts' security schemes.
  private var schemes: [String] = []

  init(options: MockEngine.Options) {
    self.options = options
    unusedRules = options.forced
  }

  mutating func compile(_ contract: Contract, index: Int) {
    schemes += contract.api.securitySchemes.map(\.name)
    for operation in contract.api.operations {
      var ignored: [Diagnostic] = []
      let own = ViolationMap(operation.node, diagnostics: &ignored)
      let responses = ResponseMaker(
        operation: operation, schemas: contract.schemas, specification: contract.api.specification)
      let fixtures = contract.fixtures.fixtures[operation.id] ?? []
      let cells = cells(of: operation, fixtures: fixtures, responses: responses)
      var judging = options.rules.judgeOptions(for: operation.id)
      judging.tokens = options.tokens
      let judges = JudgeCompiler(contract.api, schemas: contract.schemas, options: judging)
      let exchange = options.upstream == nil ? nil : judges.exchangeJudge(for: operation)
      let plan = OperationPlan(
        operation: operation, contractIndex: index, violations: contract.violations.overridden(by: own),
        judge: exchange?.request ?? judges.judge(for: operation), exchangeJudge: exchange, cells: cells,
        responses: responses)
      plans.append(force(plan))
    }
  }

  /// The findings about the options, once every contract is compiled.
  func finish() -> [Diagnostic] {
    let names = plans.map(\.operation.id)
    let unknownSchemes = (options.tokens?.schemes ?? []).filter { scheme in
      !schemes.contains { $0.utf8.elementsEqual(scheme.name.utf8) }
    }
    return diagnostics
      + unknownSchemes.map { scheme in
        Diagnostic(
          .configInvalid, "`tokens` names the security scheme `\(scheme.name)`, which no contract has",
          at: scheme.location,
          help: Suggestion.phrase(for: scheme.name, among: schemes)
            ?? (schemes.isEmpty ? "no contract has any" : "known: \(schemes.joined(separator: ", "))"))
      }
      + options.rules.unknownOperations(among: names)
      + unusedRules.map { rule in
        if rule.operation == "*" {
          return Diagnostic(
            .configInvalid, "\(rule.source) asks for `\(rule.cell)`, which no operation has", at: rule.location,
            help: Suggestion.phrase(for: rule.cell, among: plans.flatMap { $0.cells.compactMap(\.meaning) })
              ?? "`understudy routes` lists what they have")
        }
        return Diagnostic(
          .configInvalid, "\(rule.source) names the operation `\(rule.operation)`, which no contract has",
          at: rule.location,
          help: Suggestion.phrase(for: rule.operation, among: names) ?? "`understudy routes` lists them")
      }
  }

  // MARK: - Cells

  private mutating func cells(of operation: Operation, fixtures: [Fixture], responses: ResponseMaker) -> [Cell] {
    var statuses = operation.responses.map(\.status)
    for fixture in fixtures where !statuses.contains(fixture.status) { statuses.append(fixture.status) }
    return statuses.map { status in
      let response = operation.responses.first { $0.status == status }
      let variants = fixtures.filter { $0.status == status }.map { variant($0, in: response, operation, responses) }
      return Cell(operationId: operation.id, status: status, response: response, fixtures: variants)
    }
  }

  private mutating func variant(
    _ fixture: Fixture, in documented: Response?, _ operation: Operation, _ responses: ResponseMaker
  ) -> Cell.Variant {
    // The contract that judges this status: a fixture of 404 may fall under `4XX` or `default`.
    let response: Response? =
      if case .code(let code) = fixture.status { operation.response(for: code) } else { documented }
    let contentType = fixture.contentType(under: response)
    let headers = fixture.headers(under: response, samples: responses.headers)
    let content: Cell.Variant.Content
    switch fixture.body {
    case .template(let template): content = .template(template, headers: headers)
    case .bytes(let bytes, _):
      let head = responses.head(code: fixture.status.code, headers: headers, reason: "fixture \(fixture.label)")
      let response = PreparedResponse(
        index: prepared.count, response: head, body: bytes,
        forcesBody: fixture.violates.contains(Rule.responseBodyUnexpected.id))
      prepared.append(response)
      content = .prepared(response)
    }
    return Cell.Variant(fixture, mediaType: contentType.flatMap { MediaRange($0) }, content: content)
  }

  // MARK: - Forcing

  private mutating func force(_ plan: OperationPlan) -> OperationPlan {
    var plan = plan
    for rule in options.forced where rule.matches(plan.operation.id) {
      let forcing = rule.resolve(for: plan)
      // `*=406` holds where there is a 406; somewhere there must be one.
      if forcing == nil, rule.operation == "*" { continue }
      unusedRules.removeAll { $0.operation == rule.operation && $0.cell == rule.cell }
      guard let forcing else {
        let known = plan.cells.map { cell in "\(cell.status)" + (cell.meaning.map { " \($0)" } ?? "") }
        let names = plan.cells.flatMap { cell in cell.names.map { "\(cell.status).\($0)" } }
        diagnostics.append(
          Diagnostic(
            .configInvalid, "\(rule.source) asks \(plan.operation.id) for `\(rule.cell)`, which it does not have",
            at: rule.location,
            help: Suggestion.phrase(
              for: rule.cell, among: plan.cells.compactMap(\.meaning) + plan.cells.flatMap(\.names))
              ?? "it has \((known + names).joined(separator: ", "))"))
        continue
      }
      plan = plan.forced(to: forcing)
    }
    return plan
  }
}
