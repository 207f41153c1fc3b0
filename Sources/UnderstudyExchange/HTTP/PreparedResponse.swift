/// An answer for many requests; a server keeps its own form of the bytes.
package final class PreparedResponse: Sendable {
  /// The position in `Responder.prepared`; `nil` for an answer that the contract made at its first use.
  package let index: Int?
  package let status: Int
  package let response: HTTPResponse
  package let body: [UInt8]
  /// Whether the body is sent even with a status that allows none; the connection ends after it.
  package let forcesBody: Bool

  package init(index: Int? = nil, response: HTTPResponse, body: [UInt8], forcesBody: Bool = false) {
    self.index = index
    self.status = response.status.code
    self.response = response
    self.body = body
    self.forcesBody = forcesBody
  }
}
