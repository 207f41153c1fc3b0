/// The operations of a live run: by id, tag and path, without the excluded ones.
package struct OperationSelection: Sendable {
  /// Ids; empty for all.
  package var operations: [String] = []
  /// Tags; empty for all.
  package var tags: [String] = []
  /// Path templates; a `*` at the end stands for any rest. Empty for all.
  package var paths: [String] = []
  package var excluded: [String] = []

  package init() {}

  package func contains(_ operation: Operation) -> Bool {
    func isOne<Element>(of choices: [Element], _ isFitting: (Element) -> Bool) -> Bool {
      choices.isEmpty || choices.contains(where: isFitting)
    }
    return !isExcluded(operation) && isOne(of: operations) { $0.utf8Equals(operation.id) }
      && isOne(of: tags) { tag in operation.tags.contains { $0.utf8Equals(tag) } }
      && isOne(of: paths) { Self.matches($0, operation.path) }
  }

  /// Whether an operation is never sent, not even to follow a link.
  func isExcluded(_ operation: Operation) -> Bool { excluded.contains { $0.utf8Equals(operation.id) } }

  private static func matches(_ pattern: String, _ path: String) -> Bool {
    guard pattern.utf8.last == UInt8(ascii: "*") else { return pattern.utf8Equals(path) }
    return path.utf8.starts(with: pattern.utf8.dropLast())
  }

  /// As options of the command.
  var options: [String] {
    operations.map { "--operation \($0)" } + tags.map { "--tag \($0)" } + paths.map { "--path \($0)" }
      + excluded.map { "--exclude-operation \($0)" }
  }
}
