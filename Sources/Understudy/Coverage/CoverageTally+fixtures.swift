import HTTPTypes
import SourceText

extension CoverageTally {
  /// Marks the rows that a fixture or an example answers, and those where all of them are in order.
  ///
  /// A template cannot be judged without a request, and an answer that fails on purpose has nothing to judge: both are
  /// passed over, and a row that has nothing else is not called valid.
  package mutating func markFixtures(of engine: MockEngine) {
    let judges = engine.plans.map { plan in
      let contract = engine.contracts[plan.contractIndex]
      let options = engine.options.rules.judgeOptions(for: plan.operation.id)
      return JudgeCompiler(contract.api, schemas: contract.schemas, options: options).responseJudge(
        for: plan.operation)
    }
    mark { operation, row, type in
      let plan = engine.plans[operation]
      guard let cell = plan.cells.first(where: { $0.status.description == row.status }) else { return [] }
      let fixtures = Self.fixtures(of: plan, cell).filter { Self.belongs($0.mediaType, to: type) }
      let object = cell.content.first { $0.range == row.responseType }
      let examples = object?.examples ?? []
      guard !fixtures.isEmpty || !examples.isEmpty else { return [] }
      let verdicts =
        fixtures.compactMap { Self.isValid($0, plan, judges[operation]) }
        + examples.map { example in
          guard let object,
            let made = try? plan.responses.example(example, in: object, cell: cell, code: cell.status.code),
            case .made(let head, let body) = made.content
          else { return false }
          return judges[operation].judge(Self.view(plan, head, body)).isValid
        }
      return verdicts.isEmpty || verdicts.contains(false) ? .fixture : [.fixture, .valid]
    }
  }

  /// The fixtures of a cell, with those of single codes that fall under its range.
  private static func fixtures(of plan: OperationPlan, _ cell: Cell) -> [Cell.Variant] {
    plan.cells.filter { other in
      guard other.response == nil, case .code(let code) = other.status else { return other === cell }
      return plan.operation.response(for: code)?.status == cell.status
    }
    .flatMap(\.fixtures)
  }

  private static func belongs(_ actual: MediaRange?, to type: MediaRange?) -> Bool {
    guard let type else { return true }
    return actual.map(type.matches) ?? true
  }

  /// Whether a fixture breaks just what it says, which is nothing for most; `nil` where that cannot be judged.
  private static func isValid(_ variant: Cell.Variant, _ plan: OperationPlan, _ judge: ResponseJudge) -> Bool? {
    guard variant.fixture.fault == nil, case .prepared(let prepared) = variant.content else { return nil }
    let judgement = judge.judge(view(plan, prepared.response, prepared.body))
    let broken = Set(judgement.findings.map(\.diagnostic).filter { $0.severity == .error }.map(\.rule.id))
    let meant = Set(variant.fixture.violates)
    let told = Set(judgement.findings.map(\.diagnostic.rule.id))
    return broken.isSubset(of: meant) && meant.isSubset(of: told)
  }

  private static func view(_ plan: OperationPlan, _ head: HTTPResponse, _ body: [UInt8]) -> ResponseView {
    ResponseView(
      status: head.status.code, fields: head.headerFields, body: body, method: plan.operation.method,
      hadBody: plan.operation.requestBody != nil)
  }
}
