import HTTPTypes

extension HAREntry {
  /// A command that sends the request again, without its secrets.
  package func curl(_ redaction: Redaction) -> String {
    var words = ["curl", "-i"]
    let hasBody = requestBody.isPresent
    if method != (hasBody ? "POST" : "GET") { words += method == "HEAD" ? ["-I"] : ["-X", Self.quoted(method)] }
    // curl would take brackets and braces for patterns.
    if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("-g") }
    words.append(Self.quoted(redaction.url(url)))
    for field in requestFields where !Self.isOwn(field.name.rawName) {
      // Cookies are sessions, whether a contract knows them or not.
      let isCookie = field.name == .cookie
      let value = isCookie ? Redaction.marker : redaction.value(field.name.rawName, field.value)
      words += ["-H", Self.quoted("\(field.name.rawName): \(value)")]
    }
    guard hasBody else { return words.joined(separator: " ") }
    let type = requestFields.first(named: "content-type").flatMap { MediaRange($0) }
    let body = redaction.body(requestBody.bytes, type)
    if let text = String(validating: body, as: UTF8.self), body.count <= Self.curlBodyLimit, !body.contains(0),
      requestBody.reason == nil
    {
      words += ["--data-raw", Self.quoted(text)]
    } else {
      words += ["--data-binary", "@body"]
    }
    return words.joined(separator: " ")
  }

  /// Bytes of the longest body that is written into the command; a longer one is left to a file `body`.
  static let curlBodyLimit = 2048

  /// Fields that curl writes itself, or that would make the answer unreadable.
  private static func isOwn(_ name: String) -> Bool {
    ["host", "content-length", "connection", "accept-encoding", "user-agent", "transfer-encoding", "expect"].contains(
      FieldSyntax.lowercased(name.utf8))
  }

  /// For a POSIX shell.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "/:@%+=,".utf8.contains($0) }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
