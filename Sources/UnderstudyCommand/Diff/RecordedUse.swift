import UnderstudyVerification

/// The recorded calls that a new version of a contract affects.
struct RecordedUse {
  /// The calls by operation of the old contract: `GET /pets`.
  private(set) var calls: [String: Int] = [:]
  /// The calls that are valid by the old contract and invalid by the new one, by operation.
  private(set) var broken: [String: Int] = [:]
  private var total = 0

  /// Reads recordings. Throws if a file is not one.
  init(_ paths: [String], _ old: API, _ new: API) throws {
    let before = CompiledContract(old, from: old.resolver.store)
    let after = CompiledContract(new, from: new.resolver.store)
    let rules = RuleSettings()
    let validators = [before, after].map { contract in
      TrafficValidator([contract], rules: rules, scope: TrafficScope([contract.api]))
    }
    for path in paths {
      let file = try FileProblem.asFailure(.notLoadable) { () throws(FileProblem) in try HARFile(path) }
      for position in 0..<file.count {
        guard let entry = try? file.entry(position), case .validated(let valid) = validators[0].validate(entry) else {
          continue
        }
        let operation = before.operations[valid.operation].operation
        let name = "\(operation.method) \(operation.path)"
        total += 1
        calls[name, default: 0] += 1
        guard valid.request.isValid else { continue }
        if case .validated(let now) = validators[1].validate(entry), now.request.isValid { continue }
        broken[name, default: 0] += 1
      }
    }
  }

  /// `3 of 1204 recorded calls break: GET /pets (2), POST /pets (1)`
  var remark: String {
    let count = broken.values.reduce(0, +)
    let names = broken.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) (\($0.value))" }
    return "\(count) of \(total.counted("recorded call")) \(count == 1 ? "breaks" : "break")"
      + (names.isEmpty ? "" : ": \(names.joined(separator: ", "))")
  }

  /// The severity of a finding about an operation: a further success is a note where no call uses the operation.
  func severity(of change: ContractChange) -> Severity {
    let operation = change.operation.map { "\($0.method) \($0.path)" }
    guard change.diagnostic.rule == .successAdded, let operation, calls[operation] == nil else {
      return change.diagnostic.severity
    }
    return .info
  }
}
