package struct ResponseView: Sendable {
  package var status: Int
  package var fields: HTTPFields
  package var body: [UInt8]
  package var method: String
  package var hadBody: Bool
  /// Whether the request asked for a part (`Range`).
  package var askedForPart: Bool
  /// From the request's last byte to the answer's last; `nil` where it was not measured.
  package var duration: Duration?
  /// Whether the content codings of `Content-Encoding` are already decoded, as in recordings.
  package var isDecoded = false

  package init(
    status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = [], method: String = "GET", hadBody: Bool = false,
    askedForPart: Bool = false, duration: Duration? = nil
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.method = method
    self.hadBody = hadBody
    self.askedForPart = askedForPart
    self.duration = duration
  }

  package init(_ response: HTTPResponse, body: [UInt8], to request: RequestView, duration: Duration? = nil) {
    self.init(
      status: response.status.code, fields: response.headerFields, body: body, method: request.request.method.rawValue,
      hadBody: !request.body.isEmpty, askedForPart: !request.request.headerFields.lines(named: "range").isEmpty,
      duration: duration)
  }
}
