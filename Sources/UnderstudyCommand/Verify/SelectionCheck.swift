import UnderstudyVerification

/// Refuses selections of a live run that fit no operation: they are mistakes of spelling.
struct SelectionCheck {
  let operations: [Operation]

  /// Throws for an operation, tag, path or parameter that no contract has.
  func validate(_ settings: LiveSettings, _ configuration: Configuration) throws {
    let ids = operations.map(\.id)
    let selection = settings.selection
    for (option, names) in [("operation", selection.operations), ("exclude-operation", selection.excluded)] {
      for name in names where !ids.contains(where: { $0.utf8Equals(name) }) {
        throw unmatched(option, name, among: ids)
      }
    }
    let tags = operations.flatMap(\.tags).unique()
    for tag in selection.tags where !tags.contains(where: { $0.utf8Equals(tag) }) {
      throw unmatched("tag", tag, among: tags)
    }
    for path in selection.paths {
      var one = OperationSelection()
      one.paths = [path]
      guard !operations.contains(where: one.contains) else { continue }
      throw unmatched("path", path, among: operations.map(\.path).unique())
    }
    let names = operations.flatMap { operation in
      operation.parameters.flatMap { [$0.name, "\(operation.id).\($0.name)"] }
    }
    // Members of bodies and schemas have no list of names to compare with.
    for entry in configuration.parameterValues ?? [] where entry.name.contains(".") && !entry.name.hasPrefix("#") {
      guard !names.contains(where: { $0.utf8Equals(entry.name) }) else { continue }
      throw CommandFailure(
        .usage, "`\(entry.name)` (\(entry.location)) is not a parameter of an operation",
        help: Suggestion.phrase(for: entry.name, among: names) ?? "expected `parameter` or `operation.parameter`")
    }
  }

  private func unmatched(_ option: String, _ name: String, among known: [String]) -> CommandFailure {
    CommandFailure(
      .usage, "`--\(option) \(name)` matched 0 of \(operations.count.counted("operation"))",
      help: Suggestion.phrase(for: name, among: known) ?? "`understudy routes` lists them")
  }
}
