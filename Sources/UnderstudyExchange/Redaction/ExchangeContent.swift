/// A request and its response as they are written to a recording.
package struct ExchangeContent: Sendable {
  /// With the target, query included, as its path.
  package var request: HTTPRequest
  /// As received, content codings included.
  package var requestBody: [UInt8]
  /// `nil` if the client got no response.
  package var response: HTTPResponse?
  package var responseBody: [UInt8]
  /// Whether the content codings of the response's body are removed, although its head still names them.
  package var isResponseDecoded: Bool
  /// The operation that the request reached; its schemas show more secrets than names alone.
  package var operation: Operation?
  /// The schemas of the elements of the response's body, if it is the list of the arguments of an event.
  package var argumentSchemas: [JSON] = []

  package init(
    _ request: HTTPRequest, body: [UInt8] = [], response: HTTPResponse? = nil, responseBody: [UInt8] = [],
    isResponseDecoded: Bool = false, operation: Operation? = nil
  ) {
    self.request = request
    requestBody = body
    self.response = response
    self.responseBody = responseBody
    self.isResponseDecoded = isResponseDecoded
    self.operation = operation
  }

  /// The arguments of an event as the response of an exchange.
  ///
  /// - Parameters:
  ///   - list: A list in JSON.
  ///   - schemas: The schemas of the arguments.
  ///   - handshake: The request of the socket: a message may repeat its secrets.
  package init(arguments list: [UInt8], _ schemas: [JSON], handshake: HTTPRequest? = nil) {
    self.init(
      handshake ?? HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"),
      response: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), responseBody: list,
      isResponseDecoded: true)
    argumentSchemas = schemas
  }
}
