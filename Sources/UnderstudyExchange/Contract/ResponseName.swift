/// The name of an answer: `readChat/200.empty`. A class, since each reply has it.
package final class ResponseName: Sendable, Hashable, CustomStringConvertible {
  package let operation: String
  package let status: Response.Status
  /// `nil` for the only answer, or the default, of its cell.
  package let name: String?

  package init(operation: String, status: Response.Status, name: String? = nil) {
    (self.operation, self.status, self.name) = (operation, status, name)
  }

  package static func == (a: ResponseName, b: ResponseName) -> Bool {
    a === b || a.status == b.status && a.operation.utf8Equals(b.operation) && a.nameBytes == b.nameBytes
  }

  private var nameBytes: [UInt8]? { name.map { Array($0.utf8) } }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(operation)
    hasher.combine(status)
    hasher.combine(name)
  }

  package var description: String { "\(operation)/\(status)" + (name.map { "." + $0 } ?? "") }
}
