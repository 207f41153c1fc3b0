package import SourceText

/// One `--force`: `<operation>=<cell>`, the cell a status, a meaning or a name, or `<status>.<name>`.
package struct ForcingRule: Sendable {
  /// An operation's id, or `*` for all that have the cell.
  package var operation: String
  package var cell: String
  /// Where a config file says so; `nil` for `--force`.
  package var location: Location?

  /// `nil` unless both sides of the equals sign have text.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    operation = String(parts[0])
    cell = String(parts[1])
  }

  /// Who asks, at the start of a message.
  var source: String { location == nil ? "--force" : "`force`" }

  func matches(_ operationId: String) -> Bool { operation == "*" || operation.utf8.elementsEqual(operationId.utf8) }

  /// What the rule means for an operation; `nil` when it has no such cell.
  func resolve(for plan: OperationPlan) -> Forcing? {
    if let code = plan.code(named: cell) { return plan.cell(for: code).map { _ in Forcing(code: code) } }
    // `200.empty`, `penaltyFirst.slow`
    let parts = cell.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, let code = plan.code(named: parts[0]), plan.cell(for: code)?.names.contains(parts[1]) == true {
      return Forcing(code: code, name: parts[1])
    }
    // A bare name, looked for in the success status first.
    let cells = plan.cells.sorted {
      ($0.status.code == plan.successCode ? 0 : 1) < ($1.status.code == plan.successCode ? 0 : 1)
    }
    return cells.first { $0.names.contains(cell) }.map { Forcing(code: $0.status.code, name: cell) }
  }
}
