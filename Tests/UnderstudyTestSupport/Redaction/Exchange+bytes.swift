package import HTTPTypes
package import UnderstudyMock

extension Exchange {
  /// Creates an exchange with bodies as they were received, content codings included.
  package init(
    _ request: HTTPRequest, body: [UInt8], response: HTTPResponse? = nil, responseBody: [UInt8] = []
  ) {
    self.init(
      request, body: .coded(body), response: response.map { Exchange.Response($0, body: .coded(responseBody)) })
  }

  /// The bytes of the response body; setting them keeps the head.
  package var responseBody: [UInt8] {
    get { response?.body.bytes ?? [] }
    set { response?.body = .coded(newValue) }
  }
}
