/// The first entry of a recording that shows a finding.
struct RecordedSighting {
  let entry: HAREntry
  /// The body that the finding may be about.
  let body: RecordedBody
  let file: String

  /// Adds the entry and a reproduction to a finding, and hides secret values.
  func complete(_ finding: inout Report.Finding, _ diagnostic: Diagnostic, _ redaction: Redaction) {
    finding.reproduction = entry.curl(redaction)
    let pointer = diagnostic.location?.pointer ?? ""
    if Self.showsValue(diagnostic.rule), redaction.isSecret(pointer), isPresent(pointer) {
      finding.message = "the value breaks the contract; it is a secret and not shown"
      finding.help = nil
    }
    var place = Report.Place(file: file, line: entry.line, pointer: entry.pointer)
    place.column = entry.column
    let time = entry.startedDateTime.isEmpty ? "" : ", \(entry.startedDateTime)"
    finding.notes.append(.init("first seen in entry \(entry.index)\(time)", at: place))
    if case .rebuilt = body, pointer.hasPrefix("/body") {
      finding.notes.append(.init("the body was rebuilt from `postData.params`"))
    }
  }

  /// Whether messages of a rule contain values.
  private static func showsValue(_ rule: Rule) -> Bool {
    [
      .requestParamSchema, .requestParamEncoding, .requestBodySchema, .requestExpectedInvalid, .responseHeaderSchema,
      .responseBodySchema,
    ].contains(rule)
  }

  /// Whether the pointer has a value.
  private func isPresent(_ pointer: String) -> Bool {
    guard let tokens = JSONPointer(pointer)?.tokens, tokens.count > 1, tokens[0] == "query" || tokens[0] == "header"
    else { return true }
    let input = ParameterInput(target: entry.url, fields: entry.requestFields)
    return tokens[0] == "query"
      ? !input.query.texts(of: tokens[1]).isEmpty
      : (entry.requestFields.first(named: tokens[1]) ?? entry.answer.fields.first(named: tokens[1])) != nil
  }
}
