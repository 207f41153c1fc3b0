import HTTPTypes

extension HAREntry {
  /// A command that sends the request again, without its secrets.
  package func curl(_ redaction: Redaction) -> String {
    var fields = HTTPFields()
    for field in requestFields where !Self.isOwn(field.name.rawName) {
      // Cookies are sessions, whether a contract knows them or not.
      let isCookie = field.name == .cookie
      let value = isCookie ? Redaction.marker : redaction.value(field.name.rawName, field.value)
      fields.append(HTTPField(name: field.name, value: value))
    }
    return CurlLine(method: method, url: redaction.url(url), fields: fields, body: curlBody(redaction)).text()
  }

  private func curlBody(_ redaction: Redaction) -> CurlLine.Body {
    guard requestBody.isPresent else { return .none }
    guard requestBody.reason == nil else { return .file }
    let type = requestFields.first(named: "content-type").flatMap { MediaRange($0) }
    let bytes = redaction.body(requestBody.bytes, type)
    return bytes.count <= CurlLine.bodyLimit ? .bytes(bytes) : .file
  }

  /// Fields that curl writes itself, or that would make the answer unreadable.
  private static func isOwn(_ name: String) -> Bool {
    ["host", "content-length", "connection", "accept-encoding", "transfer-encoding", "expect"].contains(
      FieldSyntax.lowercased(name.utf8))
  }
}
