/// The answers of one operation that a rule is for.
enum FaultScope: Sendable, Equatable {
  case all
  case status(Int)
  /// The first digit of the statuses.
  case range(Int)
  /// Those without a narrower response.
  case otherwise
  /// A fixture or an example: `readChat/200.empty`.
  case named(String)

  /// `nil` for a rule that is not for this operation.
  init?(_ rule: FaultRule, of operation: MockOperation) {
    if rule.target == FaultRule.everything || operation.compiled.isNamed(rule.target) {
      self = .all
      return
    }
    guard let slash = rule.target.lastIndex(of: "/"), operation.compiled.isNamed(String(rule.target[..<slash])) else {
      return nil
    }
    let cell = String(rule.target[rule.target.index(after: slash)...])
    switch Response.Status(cell) {
    case .code(let code)?: self = .status(code)
    case .range(let hundreds)?: self = .range(hundreds)
    case .default?: self = .otherwise
    case nil:
      guard let answer = ForcingRule("\(operation.id)=\(cell)")?.resolve(for: operation) else { return nil }
      let status = operation.cell(for: answer.code)?.status.description ?? String(answer.code)
      self = answer.name.map { .named("\(operation.id)/\(status).\($0)") } ?? .status(answer.code)
    }
  }

  func covers(_ reply: Reply) -> Bool {
    switch self {
    case .all: true
    case .status(let code): reply.status == code
    case .range(let hundreds): reply.status / 100 == hundreds
    case .otherwise: reply.operation?.cell(for: reply.status)?.status == .default
    case .named(let label):
      // The reason names the fixture or the example, and then perhaps why it was chosen.
      reply.reason.split(separator: " ").contains { $0.utf8.elementsEqual(label.utf8) }
    }
  }
}
