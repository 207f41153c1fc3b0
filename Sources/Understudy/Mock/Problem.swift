import HTTPTypes

/// A problem document (RFC 9457) for what the contract has no answer of its own.
///
/// `validation` lists the findings as Prism does: `location`, `severity`, `code`, `message`.
enum Problem {
  static func reply(
    status: Int, title: String, code: String, detail: String, diagnostics: [Diagnostic], operationId: String? = nil,
    headers: [(HTTPField.Name, String)] = []
  ) -> Reply {
    let reason = "problem \(status) \(title.lowercased())"
    var fields = HTTPFields()
    fields[.contentType] = "application/problem+json"
    fields[.understudyReply] = PercentEncoding.encode(reason, keeping: " /:")
    for (name, value) in headers { fields[name] = value }
    let document: JSON = .object([
      ("type", .string("urn:understudy:problem:\(code)")), ("title", .string(title)),
      ("status", JSON(integerLiteral: status)), ("detail", .string(detail)),
      ("validation", .array(diagnostics.map(entry))),
    ])
    return Reply(
      .made(
        HTTPResponse(status: .init(integerLiteral: status), headerFields: fields), body: JSONWriter.bytes(document)),
      operationId: operationId, reason: reason, diagnostics: diagnostics)
  }

  private static func entry(_ diagnostic: Diagnostic) -> JSON {
    let location = JSONPointer(diagnostic.location?.pointer ?? "")?.tokens ?? []
    let help = diagnostic.help.map { ". \($0)" } ?? ""
    return .object([
      ("location", .array(location.map { JSON.string($0) })),
      (
        "severity",
        .string(diagnostic.severity.rawValue.prefix(1).uppercased() + diagnostic.severity.rawValue.dropFirst())
      ),
      ("code", .string(diagnostic.rule.id)), ("message", .string(diagnostic.message + help)),
    ])
  }
}
