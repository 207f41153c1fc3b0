package struct WireRequest: Sendable, Hashable {
  package var request: HTTPRequest
  package var body: [UInt8]

  package init(_ request: HTTPRequest, body: [UInt8] = []) { (self.request, self.body) = (request, body) }

  package var target: String { request.path ?? "/" }

  package var url: String { "\(request.scheme ?? "http")://\(request.authority ?? "")\(target)" }

  var weight: Int {
    target.utf8.count + body.count
      + request.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
  }

  /// A command that repeats the request, with variables in place of secrets and of the given texts.
  package func curl(
    _ redactor: Redactor = Redactor(), variables: [(spelling: String, name: String)] = []
  ) -> String {
    let line = CurlLine(
      method: request.method.rawValue, url: url, fields: request.headerFields,
      body: body.isEmpty ? .none : .bytes(body))
    return line.text(ShellQuoting(variables: redactor.variables + variables))
  }
}
