import JSONSchema
import SourceText

/// The first request that somebody sends to a mock: a documented answer of one of its operations, asked for by name.
package struct Trial: Sendable {
  let method: String
  /// With the base path and values for the expressions.
  let target: String
  /// The documented status that is asked for.
  let code: Int

  /// Chooses what shows most with the least typing: GET before other methods, an operation with an error before those
  /// without, a plain path before one with parameters. `nil` where no operation documents an answer.
  package init?(of engine: MockEngine) {
    let ranked = engine.plans.enumerated().sorted {
      (Self.rank($0.element), $0.offset) < (Self.rank($1.element), $1.offset)
    }
    guard let trial = ranked.lazy.compactMap({ Trial($0.element, engine) }).first else { return nil }
    self = trial
  }

  private static func rank(_ plan: OperationPlan) -> Int {
    (plan.operation.method == "GET" ? 0 : 4) + (error(of: plan) == nil ? 2 : 0)
      + (PathTemplate(plan.operation.path).names.isEmpty ? 0 : 1)
  }

  private static func error(of plan: OperationPlan) -> Int? { plan.cells.map(\.status.code).first { $0 >= 400 } }

  private init?(_ plan: OperationPlan, _ engine: MockEngine) {
    // An interim answer (1xx) is none, and behind a `#` nothing is sent.
    guard !plan.operation.path.utf8.contains(UInt8(ascii: "#")),
      let code = Self.error(of: plan) ?? plan.cells.map(\.status.code).first(where: { $0 >= 200 })
    else {
      return nil
    }
    let generator = SampleGenerator(schemas: engine.contracts[plan.contractIndex].schemas, seed: engine.options.seed)
    let values = plan.operation.parameters.filter { $0.location == .path }.compactMap { parameter in
      Self.value(of: parameter, generator).map { (name: parameter.name, text: $0) }
    }
    guard let path = PathTemplate(plan.operation.path).filled(with: values) else { return nil }
    let base = engine.options.usesBasePaths ? BasePaths.from(plan.operation.servers).first ?? "" : ""
    method = plan.operation.method
    target = base + path
    self.code = code
  }

  private static func value(of parameter: Parameter, _ generator: SampleGenerator) -> String? {
    let value =
      (parameter.examples + (parameter.content?.examples ?? [])).lazy.compactMap(\.data).first
      ?? (parameter.schema ?? parameter.content?.schema).flatMap { generator.sample(of: $0, direction: .request) }
    guard case .path(let text)? = ParameterEncoder(parameter).encode(value ?? "text") else { return nil }
    return text
  }
}
