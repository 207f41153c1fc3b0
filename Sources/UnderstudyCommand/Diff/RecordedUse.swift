import UnderstudyVerification

/// The recorded calls that use the operations of contracts, and those that a new version breaks.
struct RecordedUse {
  /// The calls of an operation.
  struct Count {
    var calls = 0
    /// The calls that are valid by the old contract and invalid by the new one.
    var broken = 0
  }

  /// An operation of a contract in its old or new version, such as `GET /pets`.
  private struct Key: Hashable {
    let contract: Int
    let operation: String
  }

  private var counts: [Key: Count] = [:]
  private var total = Count()

  /// The maximum number of operations that a remark names.
  private static let shown = 5

  /// Reads recordings; throws if a file is not one.
  ///
  /// - Parameter prefixes: The starts of paths that are left out of the old and the new version.
  init(
    _ paths: [String], _ contracts: [(old: API, new: API)], _ rules: RuleSettings, prefixes: (old: String, new: String)
  ) throws {
    let before = Self.validator(contracts.map(\.old), rules)
    let after = Self.validator(contracts.map(\.new), rules)
    for path in paths {
      try RecordedFile(path).forEach { entry, isOwn in
        var entry = entry
        // Only the request counts; a refusal would excuse it.
        entry.outcome = .response(Exchange.Response(status: 200, fields: HTTPFields()))
        guard case .validated(let valid) = before.validate(entry, isOwn: isOwn) else { return }
        let contract = before.contracts.contractIndex(ofOperation: valid.operation)
        entry.url = Self.moved(entry.url, prefixes)
        // The servers of the new contract may have other hosts.
        if case .validated(let now) = after.validate(entry, isOwn: true) {
          count(
            contract, after.contracts.operations[now.operation].operation,
            isBroken: valid.request.isValid && !now.request.isValid)
        } else {
          count(contract, before.contracts.operations[valid.operation].operation, isBroken: valid.request.isValid)
        }
      }
    }
  }

  private static func validator(_ apis: [API], _ rules: RuleSettings) -> TrafficValidator {
    TrafficValidator(
      apis.map { CompiledContract($0, from: $0.resolver.store) }, rules: rules, scope: TrafficScope(apis))
  }

  /// Replaces the prefix of the old version in a URL by the prefix of the new one.
  private static func moved(_ url: String, _ prefixes: (old: String, new: String)) -> String {
    guard !prefixes.old.utf8Equals(prefixes.new) else { return url }
    let path = URIReference(url).path
    let start = prefixes.old.hasSuffix("/") ? prefixes.old : prefixes.old + "/"
    guard let place = path.utf8.firstRange(of: start.utf8), let whole = url.utf8.firstRange(of: path.utf8) else {
      return url
    }
    let new = prefixes.new.hasSuffix("/") ? prefixes.new : prefixes.new + "/"
    return String(url[..<whole.lowerBound]) + path[..<place.lowerBound] + new + path[place.upperBound...]
      + url[whole.upperBound...]
  }

  private mutating func count(_ contract: Int, _ operation: Operation, isBroken: Bool) {
    let key = Key(contract: contract, operation: "\(operation.method) \(operation.path)")
    counts[key, default: Count()].calls += 1
    total.calls += 1
    guard isBroken else { return }
    counts[key, default: Count()].broken += 1
    total.broken += 1
  }

  /// The calls of operations of a contract.
  func count(of operations: [Operation], in contract: Int) -> Count {
    Set(operations.map { Key(contract: contract, operation: "\($0.method) \($0.path)") }).reduce(into: Count()) {
      $0.calls += counts[$1]?.calls ?? 0
      $0.broken += counts[$1]?.broken ?? 0
    }
  }

  /// `3 of 1204 recorded calls break: GET /pets (2), POST /pets (1)`
  var remark: String {
    guard total.calls > 0 else {
      return "no recorded call matches an operation of the old version: check that the recordings are of this API"
    }
    let broken = counts.filter { $0.value.broken > 0 }.sorted {
      ($1.value.broken, $0.key.operation, $0.key.contract) < ($0.value.broken, $1.key.operation, $1.key.contract)
    }
    let names = broken.prefix(Self.shown).map { "\($0.key.operation) (\($0.value.broken))" }.joined(separator: ", ")
    let rest = broken.count > Self.shown ? ", and \((broken.count - Self.shown).counted("other operation"))" : ""
    return "\(total.broken) of \(total.calls.counted("recorded call")) \(total.broken == 1 ? "breaks" : "break")"
      + (broken.isEmpty ? "" : ": \(names)\(rest)")
  }
}
