package import HTTPTypes

/// The head of a request, for those who hold it: an `HTTPRequest` has five texts and its fields, which a copy would count
/// one by one.
package final class SharedRequest: Sendable {
  package let head: HTTPRequest
  /// The names and values of the fields together, in bytes.
  let fieldBytes: Int

  package init(_ head: HTTPRequest) {
    self.head = head
    fieldBytes = head.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
  }
}
