package import HTTPTypes

/// The head of a request, shared by connection, journal and log: a copied `HTTPRequest` copies five strings and fields.
package final class SharedRequest: Sendable {
  package let head: HTTPRequest
  /// The names and values of the fields together, in bytes.
  package let fieldBytes: Int

  package init(_ head: HTTPRequest) {
    self.head = head
    fieldBytes = head.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
  }
}
