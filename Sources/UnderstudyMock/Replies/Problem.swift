/// Problem documents (RFC 9457), where the contract has no response; `validation` lists the findings as Prism does.
enum Problem {
  /// The text of `detail`: the first five findings, each with its help in brackets.
  static func detail(_ diagnostics: [Diagnostic]) -> String {
    let shown = diagnostics.prefix(5).map { $0.placedMessage + ($0.help.map { " (\($0))" } ?? "") }
    let rest = diagnostics.count > 5 ? ["and \(diagnostics.count - 5) more"] : []
    return (shown + rest).joined(separator: "; ")
  }

  static func reply(
    status: Int, title: String, code: String, detail: String, diagnostics: [Diagnostic],
    notValidated: [ValidationResult.NotValidated] = [], operation: MockOperation? = nil,
    headers: [(HTTPField.Name, String)] = []
  ) -> Reply {
    let source = ReplySource(.problem(status: status, title: title.lowercased(), detail: nil))
    var fields = HTTPFields()
    fields[.contentType] = "application/problem+json"
    fields[.understudyReply] = source.fieldValue
    for (name, value) in headers { fields[name] = value }
    let document: JSON = .object([
      ("type", .string("urn:understudy:problem:\(code)")), ("title", .string(title)),
      ("status", JSON(integerLiteral: status)), ("detail", .string(detail)),
      ("validation", .array(diagnostics.map(ViolationList.entry))),
    ])
    return Reply(
      .made(
        HTTPResponse(status: .init(integerLiteral: status), headerFields: fields), body: JSONWriter.bytes(document)),
      operation: operation, source: source, diagnostics: diagnostics, notValidated: notValidated)
  }
}
