/// One operation x one status.
package final class Cell: Sendable {
  package let status: Response.Status
  /// `nil` for a status that only a fixture has.
  package let response: Response?

  package init(status: Response.Status, response: Response?) {
    self.status = status
    self.response = response
  }

  package var meaning: String? { response?.meaning }

  /// In the contract's order.
  package var content: [MediaTypeObject] { response?.content ?? [] }
}
