/// One operation x one status.
///
/// A class, like all that is compiled once and asked for every request: it is handed around, never copied.
package final class Cell: Sendable {
  package let status: Response.Status
  /// `nil` for a status that only a fixture has.
  package let response: Response?

  package init(status: Response.Status, response: Response?) {
    self.status = status
    self.response = response
  }

  /// The meaning of the status, where the contract gives one.
  package var meaning: String? { response?.meaning }

  /// The documented media types, in the contract's order.
  package var content: [MediaTypeObject] { response?.content ?? [] }
}
