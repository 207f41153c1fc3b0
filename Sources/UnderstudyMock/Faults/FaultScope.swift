enum FaultScope: Sendable, Equatable {
  case all
  case status(Int)
  /// The first digit of the statuses.
  case range(Int)
  /// Those without a narrower response.
  case otherwise
  /// A fixture or an example: `readChat/200.empty`.
  case named(ResponseName)

  /// `nil` for a rule that is not for this operation.
  init?(_ rule: FaultRule, of operation: MockOperation) {
    if rule.target == FaultRule.everything || operation.compiled.isNamed(rule.target) {
      self = .all
      return
    }
    // A name may have slashes as well, and so may an operation: `GET /pets/200.a/b`.
    for slash in rule.target.indices.reversed() where rule.target[slash] == "/" {
      guard operation.compiled.isNamed(String(rule.target[..<slash])) else { continue }
      let cell = String(rule.target[rule.target.index(after: slash)...])
      if let scope = Self.scope(of: cell, operation) {
        self = scope
        return
      }
    }
    return nil
  }

  private static func scope(of cell: String, _ operation: MockOperation) -> FaultScope? {
    switch Response.Status(cell) {
    case .code(let code)?: return .status(code)
    case .range(let hundreds)?: return .range(hundreds)
    case .default?: return .otherwise
    case nil:
      guard let answer = ForcingRule("\(operation.id)=\(cell)")?.resolve(for: operation) else { return nil }
      guard let name = answer.name else { return .status(answer.code) }
      let status = operation.cell(for: answer.code)?.status ?? .code(answer.code)
      return .named(ResponseName(operation: operation.id, status: status, name: name))
    }
  }

  func covers(_ reply: Reply) -> Bool {
    switch self {
    case .all: true
    case .status(let code): reply.status == code
    case .range(let hundreds): reply.status / 100 == hundreds
    case .otherwise: reply.operation?.cell(for: reply.status)?.status == .default
    case .named(let wanted):
      switch reply.source.content {
      case .fixture(let key), .example(let key): key == wanted
      default: false
      }
    }
  }
}
