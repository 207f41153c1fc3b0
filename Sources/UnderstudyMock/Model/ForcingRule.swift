/// One `--force`: `<operation>=<cell>`, the cell a status, a meaning or a name, or `<status>.<name>`; `*2` after it is
/// for the next two requests of each lane, and `@20%` for a fifth of the requests, as for a fault. An operation is an id,
/// `GET /pets`, or a path for all its methods.
package struct ForcingRule: Sendable {
  /// As `CompiledOperation.isNamed(_:)` takes it; `*` and a path mean those that have the cell.
  package var operation: String
  package var cell: String
  /// The number of requests that it applies to; `nil` for all.
  package private(set) var times: Int?
  /// The conditions under which it applies; `nil` for all requests.
  package private(set) var conditions: FaultConditions?
  /// The location in a configuration file; `nil` for `--force`.
  package var location: Location?

  /// `nil` unless both sides of the equals sign have text.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    operation = String(parts[0])
    cell = String(parts[1])
    if let (rest, conditions) = FaultConditions.split(cell) { (cell, self.conditions) = (rest, conditions) }
    guard let star = cell.lastIndex(of: "*"), star > cell.startIndex, let times = Int(cell[cell.index(after: star)...]),
      1...ScenarioSequence.timesLimit ~= times
    else { return }
    cell = String(cell[..<star])
    self.times = times
  }

  /// `readPet=404*2`
  package var text: String { "\(operation)=\(choice)" }

  /// `404*2`, `500@20%`
  private var choice: String { cell + (times.map { "*\($0)" } ?? "") + (conditions?.text ?? "") }

  /// Whether it leaves some requests to the rules after it.
  var isLimited: Bool { times != nil || conditions != nil }

  var source: String { location == nil ? "--force" : "`force`" }

  /// Whether the rule may be meant for operations that do not have the cell.
  var isForMany: Bool { operation == "*" || operation.utf8.first == UInt8(ascii: "/") }

  /// The precedence by source and by scope: the command line over the file, an operation over a path, a path over `*`.
  private var rank: Int { (location == nil ? 3 : 0) + (operation == "*" ? 0 : isForMany ? 1 : 2) }

  /// The rules in ascending precedence. Of equal rank, limited rules come first in order; of others the last applies.
  static func ranked(_ rules: [ForcingRule]) -> [ForcingRule] {
    let ordered = rules.filter { !$0.isLimited } + rules.filter(\.isLimited).reversed()
    return ordered.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
  }

  /// The rules as the banner lists them, in descending precedence: `joinQueue=203*1 then 204*1`, `otherwise *=500`.
  package static func summary(of rules: [ForcingRule]) -> [String] {
    let groups = rules.map(\.operation).unique().map { operation in
      Array(ranked(rules.filter { $0.operation.utf8Equals(operation) }).reversed())
    }
    let sorted = groups.enumerated().sorted { a, b in
      (-a.element[0].rank, a.offset) < (-b.element[0].rank, b.offset)
    }
    .map(\.element)
    return sorted.map { group in
      // A rule behind one without a limit never applies.
      let applied = group.prefix(while: \.isLimited) + group.drop(while: \.isLimited).prefix(1)
      let isRest = applied[0].isForMany && sorted[0][0].rank > applied[0].rank
      return (isRest ? "otherwise " : "") + applied[0].text + applied.dropFirst().map { " then \($0.choice)" }.joined()
    }
  }

  /// The answer of an operation; `nil` when it has no such cell.
  func resolve(for operation: MockOperation) -> Forcing? {
    if let code = operation.code(named: cell) { return operation.cell(for: code).map { _ in Forcing(code: code) } }
    // `200.empty`, `penaltyFirst.slow`
    let parts = cell.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, let code = operation.code(named: parts[0]),
      operation.cell(for: code)?.names.contains(parts[1]) == true
    {
      return Forcing(code: code, name: parts[1])
    }
    // A bare name, looked for in the success status first.
    let cells = operation.cells.sorted {
      ($0.status.code == operation.successCode ? 0 : 1) < ($1.status.code == operation.successCode ? 0 : 1)
    }
    return cells.first { $0.names.contains(cell) }.map { Forcing(code: $0.status.code, name: cell) }
  }

  /// The answer of an operation without the cell: any server can fail in a way that its contract does not document
  /// (RFC 9110, 15.6). Other statuses have a meaning that only the contract knows.
  var plain: Forcing? {
    guard operation == "*", case .code(let code)? = Response.Status(cell), 500...599 ~= code else { return nil }
    return Forcing(code: code, isPlain: true)
  }

  /// The finding about a cell that the named operation does not have.
  func unknownCell(of named: MockOperation) -> Diagnostic {
    Diagnostic(
      .configInvalid, "\(source) asks \(named.id) for `\(cell)`, which it does not have", at: location,
      help: conditionProblem ?? Suggestion.phrase(
        for: cell, among: named.cells.compactMap(\.meaning) + named.cells.flatMap(\.names) + named.variants)
        ?? "it has \((named.statuses + named.variants).joined(separator: ", "))" + plainHelp)
  }

  /// The spelling that forces an undocumented server error; empty for another cell.
  private var plainHelp: String {
    guard case .code(let code)? = Response.Status(cell), 500...599 ~= code else { return "" }
    return "; `*=\(cell)` is a plain \(cell) for every operation"
  }

  /// The problem of a condition that cannot be read and is therefore a part of the cell's name.
  var conditionProblem: String? {
    guard let mark = cell.firstIndex(of: "@") else { return nil }
    do throws(TextProblem) {
      _ = try FaultConditions(String(cell[mark...]))
      return nil
    } catch {
      return "\(error.message): \(error.help ?? "")"
    }
  }

  /// The finding about a cell with an interim status, after which a client waits for the answer (RFC 9110, 15.2).
  func interimCell(of named: MockOperation, _ code: Int) -> Diagnostic {
    Diagnostic(
      .configInvalid, "\(source) asks \(named.id) for \(code), an interim status, which ends no request", at: location,
      help: "expected a status from 200 to 599")
  }

  func unused(by operations: [MockOperation]) -> Diagnostic {
    if operation == "*" || operations.contains(where: { $0.compiled.isNamed(operation) }) {
      let scope = operation == "*" ? "" : " of `\(operation)`"
      return Diagnostic(
        .configInvalid, "\(source) asks for `\(cell)`, which no operation\(scope) has", at: location,
        help: conditionProblem
          ?? Suggestion.phrase(for: cell, among: operations.flatMap { $0.cells.compactMap(\.meaning) })
          ?? "`understudy routes` lists what they have")
    }
    return Diagnostic(
      .configInvalid, "\(source) names the operation `\(operation)`, which no contract has", at: location,
      help: MockOperation.suggestion(for: operation, among: operations) ?? "`understudy routes` lists them")
  }
}

extension MockOperation {
  /// `did you mean `GET_me`?`, for a name that no operation has.
  package static func suggestion(for name: String, among operations: [MockOperation]) -> String? {
    let phrase = Suggestion.phrase(
      for: name, among: operations.map(\.id) + operations.compactMap(\.compiled.operation.operationId))
    return phrase ?? operations.first { $0.compiled.isNamed("/\(name)") }.map { "did you mean `\($0.id)`?" }
  }
}
