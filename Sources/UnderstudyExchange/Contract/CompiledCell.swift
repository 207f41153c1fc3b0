/// One operation x one status.
package final class CompiledCell: Sendable {
  package let status: Response.Status
  /// `nil` for a status that only a fixture has.
  package let response: Response?

  package init(status: Response.Status, response: Response?) { (self.status, self.response) = (status, response) }

  package var meaning: String? { response?.meaning }
  /// The meaning, if the contract gives it by `x-meaning`.
  package var explicitMeaning: String? { response?.explicitMeaning }

  /// In the contract's order.
  package var content: [MediaTypeObject] { response?.content ?? [] }

  /// The documented media types, first those that describe a body. In Swagger 2.0 these are the types of `produces`,
  /// and any of them may have the example.
  package var offers: [MediaTypeObject] { content.filter(\.describesBody) + content.filter { !$0.describesBody } }

  /// Whether an answer with a code has no body, even if the contract documents one (RFC 9110, 6.4.1, 15.3.6).
  package static func isBodiless(_ code: Int) -> Bool { 100...199 ~= code || [204, 205, 304].contains(code) }
}

extension MediaTypeObject {
  fileprivate var describesBody: Bool { schema != nil || itemSchema != nil || !examples.isEmpty }
}
