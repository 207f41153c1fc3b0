/// One answer on disk: for an operation, a status and, for a variant, a name.
package struct Fixture: Sendable {
  /// The folder: the operation's id.
  package var operationId: String
  package var status: Response.Status
  /// `nil` for the default of its cell.
  package var name: String?
  package var source: SourceFile
  package var summary: String?
  package var headers: [(name: String, value: String)]
  /// As written; `nil` leaves it to the file extension and the contract.
  package var contentType: String?
  package var body: Body
  package var delay: Duration
  package var fault: Fault?
  /// Answers by itself when the request matches; otherwise a named variant waits to be asked for.
  package var when: RequestMatcher?
  /// Rules that this answer breaks on purpose.
  package var violates: [String]

  package enum Body: Sendable {
    case bytes([UInt8], fileExtension: String)
    /// Rendered anew for each request.
    case template(FixtureTemplate)

    package var isEmpty: Bool {
      if case .bytes(let bytes, _) = self { bytes.isEmpty } else { false }
    }
  }

  /// `readChat/200.empty`: how people and headers name it.
  package var label: String { "\(operationId)/\(status)" + (name.map { "." + $0 } ?? "") }
}

/// The parts of a fixture's file name: `<status>[.<name>].<extension>`.
package struct FixtureFileName {
  package var status: Response.Status
  package var name: String?
  package var fileExtension: String

  /// `nil` when the name starts with no status or has no extension.
  package init?(_ fileName: String) {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2, let status = Response.Status(String(parts[0])), let last = parts.last, !last.isEmpty else {
      return nil
    }
    self.status = status
    let middle = parts.dropFirst().dropLast().joined(separator: ".")
    guard parts.count == 2 || !middle.isEmpty else { return nil }
    name = parts.count > 2 ? middle : nil
    fileExtension = last.lowercased()
  }
}
