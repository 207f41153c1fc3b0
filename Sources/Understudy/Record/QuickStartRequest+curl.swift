import HTTPTypes

extension QuickStartRequest {
  /// The line to type.
  /// - Parameter url: where the mock listens, without a slash at its end.
  package func curl(to url: String) -> String {
    var fields = HTTPFields()
    fields[.prefer] = "code=\(code)"
    return CurlLine(method: method, url: url + target, fields: fields, body: .none).text()
  }
}

extension HTTPField.Name {
  fileprivate static let prefer = HTTPField.Name("Prefer")!
}
