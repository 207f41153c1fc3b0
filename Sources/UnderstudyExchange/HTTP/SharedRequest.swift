package import HTTPTypes

/// The head of a request, which the connection, the journal and the log hold together: a copy of an `HTTPRequest` copies five
/// texts and its fields.
package final class SharedRequest: Sendable {
  package let head: HTTPRequest
  /// The names and values of the fields together, in bytes.
  package let fieldBytes: Int

  package init(_ head: HTTPRequest) {
    self.head = head
    fieldBytes = head.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
  }
}
