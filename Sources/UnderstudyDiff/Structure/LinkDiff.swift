/// Compares the links of a response in two versions.
struct LinkDiff {
  private let operation: OperationDiff
  private let status: String

  init(_ operation: OperationDiff, _ status: String) {
    self.operation = operation
    self.status = status
  }

  func run(_ before: Response, _ after: Response) {
    for link in before.links {
      guard let other = after.links.first(where: { $0.name.utf8Equals(link.name) }) else {
        add(.linkRemoved, "the link `\(link.name)` of the response was removed", new: after.node, old: link.node)
        continue
      }
      if target(of: link, operation.diff.old) != target(of: other, operation.diff.new) {
        add(.linkChanged, "the link `\(link.name)` leads to another operation", new: other.node, old: link.node)
      } else if link.parameters != other.parameters || link.requestBody != other.requestBody {
        add(.linkChanged, "the link `\(link.name)` sends other values", new: other.node, old: link.node)
      }
    }
    for link in after.links where !before.links.contains(where: { $0.name.utf8Equals(link.name) }) {
      add(.linkAdded, "the link `\(link.name)` of the response was added", new: link.node, old: before.node)
    }
  }

  private func add(_ rule: Rule, _ message: String, new: JSON, old: JSON) {
    operation.changes.add(rule, message, new: new, old: old, about: operation.new, status: status)
  }

  /// The operation of a link by method and path; another identifier may name the same operation.
  private func target(of link: Link, _ api: API) -> String {
    if let id = link.operationId, let found = api.operations.first(where: { $0.operationId?.utf8Equals(id) == true }) {
      return "\(found.method) \(OperationPairs.shape(found.path))"
    }
    return link.operationRef ?? link.operationId ?? ""
  }
}
