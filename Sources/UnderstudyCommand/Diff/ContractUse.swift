import UnderstudyDiff
import UnderstudyVerification

/// Two versions of a contract, and what uses them: recorded calls, fixtures, and enumerations of generated code.
struct ContractUse {
  /// The name of the contract in reports.
  let name: String
  let old: API
  let new: API
  var recorded: RecordedUse?
  /// The position of the contract among the contracts of `recorded`.
  var position = 0
  var fixtures: OutdatedFixtures?

  /// The maximum number of fixtures that a finding names.
  private static let shown = 2

  /// The names of the enumerations that `understudy generate` writes for the old version, by operation.
  private let enumerations: [String: String]

  init(_ name: String, _ old: API, _ new: API, _ changes: [ContractChange]) {
    self.name = name
    self.old = old
    self.new = new
    let needsNames = changes.contains { $0.diagnostic.rule == .successAdded }
    let lists = needsNames ? StatusList.all(of: CompiledContract(old, from: old.resolver.store).operations) : []
    enumerations = Dictionary(lists.map { ($0.operation, $0.typeName + "Status") }, uniquingKeysWith: { $1 })
  }

  /// The change with the severity and the words that its use calls for.
  func weighed(_ change: ContractChange) -> ContractChange {
    guard change.diagnostic.rule == .successAdded, let operation = change.operation else { return change }
    var change = change
    if let enumeration = enumeration(of: operation), change.status.flatMap(Int.init) != nil {
      change.diagnostic.message += ": `\(enumeration)` has no case for it"
      change.diagnostic.help = "write the enumeration again by `understudy generate`, and handle the status in clients"
    }
    if recorded?.count(of: [operation], in: position).calls == 0 { change.diagnostic.severity = .info }
    return change
  }

  /// The enumeration of an operation whose statuses have meanings.
  private func enumeration(of operation: Operation) -> String? {
    let before =
      old.operations.first { $0.method == operation.method && $0.path.utf8Equals(operation.path) }
      ?? old.operation(operation.id)
    guard let before, before.responses.contains(where: \.isNamed) else { return nil }
    return enumerations[before.id]
  }

  /// Notes on the fixtures and calls of the operations of a change.
  func notes(on change: ContractChange) -> [Diagnostic.Note] {
    guard change.diagnostic.severity > .info, let operation = change.operation else { return [] }
    let operations = [operation] + change.others.map(\.operation)
    return fixtureNotes(change, operations) + (recorded.map { [note($0, operations, change)] } ?? [])
  }

  private func fixtureNotes(_ change: ContractChange, _ operations: [Operation]) -> [Diagnostic.Note] {
    let found = (fixtures?.items ?? []).filter { item in
      operations.contains { $0.id.utf8Equals(item.subject.operation ?? "") }
        && (change.status == nil || item.subject.status == change.status)
    }
    return found.prefix(Self.shown).map {
      Diagnostic.Note("this \($0.kind) no longer validates", at: $0.reason?.location ?? $0.place)
    }
  }

  private func note(
    _ recorded: RecordedUse, _ operations: [Operation], _ change: ContractChange
  ) -> Diagnostic.Note {
    let count = recorded.count(of: operations, in: position)
    let calls = count.calls.counted("recorded call")
    if count.calls == 0 { return Diagnostic.Note("no recorded call uses the operation") }
    // Calls break by their requests.
    let isAboutResponse = change.diagnostic.rule.id.hasPrefix("diff.response.")
    if count.broken == 0 || isAboutResponse {
      return Diagnostic.Note("\(calls) \(count.calls == 1 ? "uses" : "use") the operation")
    }
    return Diagnostic.Note("\(count.broken) of \(calls) of the operation \(count.broken == 1 ? "breaks" : "break")")
  }
}
