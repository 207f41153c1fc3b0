import JSONSchema

/// Validates answers of one operation against the contract; compiled once.
package final class ResponseValidator: Sendable {
  private let operation: Operation
  private let responses: [Documented]

  /// One documented response, ready to validate by.
  private struct Documented: Sendable {
    let response: Response
    let content: ContentValidator
    let headers: [(decoder: ParameterDecoder, schema: LazySchema?)]
  }

  init(_ operation: Operation, of api: API, _ library: SchemaLibrary) {
    self.operation = operation
    let specification = api.specification
    responses = operation.responses.map { response in
      Documented(
        response: response,
        content: ContentValidator(response.content, specification, library, .response),
        headers: response.headers.map { header in
          (
            ParameterDecoder(header, specification: specification, schemas: library),
            (header.schema ?? header.content?.schema).map { LazySchema($0, library, .response) }
          )
        })
    }
  }

  /// Everything that is wrong, in the order status, headers, body, what HTTP itself asks for.
  package func validate(_ answer: ResponseView, _ options: ValidationOptions = ValidationOptions()) -> ValidationResult
  {
    var result = ValidationResult()
    result.checked += 1
    if let documented = documented(for: answer.status) {
      validateHeaders(answer, documented, options, &result)
      validateBody(answer, documented, options, &result)
    } else {
      result.findings.append(undocumented(answer.status))
    }
    ResponseSemantics(operation: operation, options: options).validate(answer, &result)
    options.weigh(&result)
    return result
  }

  /// Exact code, then `NXX`, then `default` (OAS 3.1, 4.8.16).
  private func documented(for status: Int) -> Documented? {
    let ranks: [Response.Status] = [.code(status), .range(status / 100), .default]
    return ranks.lazy.compactMap { rank in self.responses.first { $0.response.status == rank } }.first
  }

  // MARK: - Status

  /// Statuses that gateways, proxies and frameworks send on their own.
  private static let infrastructure: Set<Int> = [401, 403, 404, 405, 406, 413, 415, 429, 502, 503, 504]

  private func undocumented(_ status: Int) -> Diagnostic {
    let known = operation.responses.map(\.status.description).joined(separator: ", ")
    return Diagnostic(
      .responseStatusUndocumented, "\(operation.id) documents no status \(status)", at: "/status",
      contract: operation.node["responses"] ?? operation.node, help: known.isEmpty ? nil : "it documents \(known)",
      severity: Self.infrastructure.contains(status) ? .warning : nil)
  }

  // MARK: - Headers

  private func validateHeaders(
    _ answer: ResponseView, _ documented: Documented, _ options: ValidationOptions, _ result: inout ValidationResult
  ) {
    let input = ParameterInput(target: "/", fields: answer.fields)
    for (decoder, schema) in documented.headers {
      result.checked += 1
      validateHeader(decoder, schema, input, documented.response, &result)
    }
    guard options.wants(.responseHeaderUndeclared) else { return }
    var seen = Set(documented.headers.map { FieldSyntax.lowercased($0.decoder.parameter.name.utf8) })
    for field in answer.fields {
      let name = field.name.rawName
      guard !options.ignoresHeader(name), seen.insert(FieldSyntax.lowercased(name.utf8)).inserted else { continue }
      result.report(
        .responseHeaderUndeclared, "\(operation.id)/\(documented.response.status) documents no header `\(name)`",
        at: "/header/\(JSONPointer.escape(name))")
    }
  }

  private func validateHeader(
    _ decoder: ParameterDecoder, _ lazy: LazySchema?, _ input: ParameterInput, _ response: Response,
    _ result: inout ValidationResult
  ) {
    let header = decoder.parameter
    let pointer = "/header/\(JSONPointer.escape(header.name))"
    let decoded = decoder.decode(input)
    for problem in decoded.problems {
      let rule: Rule = problem.kind == .missing ? .responseHeaderMissing : .responseHeaderSchema
      result.report(
        rule, problem.sentence, at: pointer, contract: header.node,
        severity: problem.isRecovered ? .warning : nil)
    }
    if case .unvalidated(let reason) = decoded.outcome { result.skip(pointer, reason) }
    guard let first = decoded.readings.first, let schema = lazy?.schema,
      !decoded.readings.contains(where: schema.accepts)
    else { return }
    for failure in schema.failures(first, limit: 10, countsMore: true) {
      guard !failure.isNotValidated else {
        result.skip(pointer, failure.message)
        continue
      }
      result.report(
        .responseHeaderSchema, "header `\(header.name)`: \(failure.message)",
        at: pointer + failure.instance.description, contract: failure.schema, help: failure.help,
        severity: failure.kind == .more ? .info : nil)
    }
  }

  // MARK: - Body

  private func validateBody(
    _ answer: ResponseView, _ documented: Documented, _ options: ValidationOptions, _ result: inout ValidationResult
  ) {
    let response = documented.response
    if let reason = Self.bodyless(answer) {
      result.checked += 1
      guard !answer.body.isEmpty else { return }
      return result.report(
        .responseBodyUnexpected, "\(reason) has no body, but \(answer.body.count) bytes came", at: "/body")
    }
    guard !response.content.isEmpty else {
      result.checked += 1
      guard !answer.body.isEmpty else { return }
      return result.report(
        .responseBodyUnexpected,
        "\(operation.id)/\(response.status) documents no body, but \(answer.body.count) bytes came", at: "/body",
        contract: response.node)
    }
    let contentType = answer.fields.contentType
    if answer.body.isEmpty, !Self.mayBeEmpty(contentType) {
      result.checked += 1
      let ranges = response.content.map { "`\($0.range)`" }.joined(separator: " or ")
      return result.report(
        .responseBodyMissing, "\(operation.id)/\(response.status) documents \(ranges), and the body is empty",
        at: "/body", contract: response.node)
    }
    if answer.status == 206 { return result.skip("/body", "a 206 carries a part of the body") }
    let codings = answer.isDecoded ? [] : answer.fields.lines(named: "content-encoding")
    documented.content.validate(
      MessageBody(answer.body, contentType: contentType, codings: codings), options, contract: response.node,
      into: &result)
  }

  /// Answers that have no body, whatever the contract says (RFC 9110, 6.4.1 and 15.3.6), in words.
  private static func bodyless(_ answer: ResponseView) -> String? {
    if answer.method == "HEAD" { return "an answer to HEAD" }
    return (100...199).contains(answer.status) || [204, 205, 304].contains(answer.status)
      ? "a \(answer.status)" : nil
  }

  /// No bytes are a text, and the bytes of an empty file.
  private static func mayBeEmpty(_ contentType: String?) -> Bool {
    switch contentType.flatMap({ MediaRange($0) })?.syntax {
    case .text?, .binary?, .eventStream?, .jsonSequence?, .form?: true
    case .json?, .xml?, .multipart?, nil: false
    }
  }
}
