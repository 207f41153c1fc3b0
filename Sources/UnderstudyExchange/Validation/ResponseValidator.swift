/// Validates answers of one operation; compiled once.
package final class ResponseValidator: Sendable {
  private let operation: Operation
  private let responses: [Documented]
  /// The statuses whose response is behind a reference that could not be read.
  private let unread: [Response.Status]
  /// Whether Swagger 2.0 gives every answer the media types of `produces`, errors too.
  private let sharesMediaTypes: Bool
  /// Whether a security scheme of the operation has a challenge for `WWW-Authenticate` (RFC 9110, 11.6.1).
  private let knowsChallenge: Bool
  private let secrets: ContractSecrets

  private struct Documented: Sendable {
    let response: Response
    let content: ContentValidator
    let headers: [(decoder: ParameterDecoder, schema: LazySchema?)]
  }

  init(_ operation: Operation, of api: API, _ library: SchemaLibrary, _ secrets: ContractSecrets) {
    self.secrets = secrets
    self.operation = operation
    let specification = api.specification
    let documented = Set(operation.responses.map(\.status))
    unread =
      operation.node["responses"]?.distinctMembers.compactMap { Response.Status(lenient: $0.name) }.filter {
        !documented.contains($0)
      } ?? []
    sharesMediaTypes = specification == .swagger2
    knowsChallenge = operation.knowsChallenge(of: api.securitySchemes)
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

  /// The findings in the order status, headers, body, requirements of HTTP. A response has a budget by its length too.
  package func validate(
    _ answer: ResponseView, _ options: ValidationOptions = ValidationOptions(), within budget: WorkBudget? = nil
  ) -> ValidationResult {
    var result = validated(answer, options, .forBytes(answer.body.count, within: budget))
    options.weigh(&result)
    HiddenValues.hide(in: &result, of: answer, operation, secrets)
    return result
  }

  private func validated(
    _ answer: ResponseView, _ options: ValidationOptions, _ budget: WorkBudget
  ) -> ValidationResult {
    var result = ValidationResult()
    result.checked += 1
    switch documented(for: answer.status) {
    case .some(.success) where operation.isRoute: break
    case .some(.success(let documented)):
      validateHeaders(answer, documented, options, budget, &result)
      validateBody(answer, documented, options, budget, &result)
      // `produces` names the type of the success: an error of an operation that produces archives is none.
      if sharesMediaTypes, !(200...299).contains(answer.status),
        documented.response.content.allSatisfy({ MediaRange($0.range)?.syntax == .binary })
      {
        result.findings.removeAll { $0.rule == .responseContentTypeUndocumented }
      }
    case .some(.failure(let unread)):
      result.skip("", "the response \(unread.status) is behind a reference that cannot be read")
    // A failure is reported as such; the server did not choose its status.
    case nil where (500...599).contains(answer.status) && options.wants(.responseServerError): break
    case nil:
      let known = operation.responses.map(\.status.description).joined(separator: ", ")
      result.report(
        .responseStatusUndocumented, "\(operation.id) documents no status \(answer.status)", at: "/status",
        contract: operation.node["responses"] ?? operation.node, help: known.isEmpty ? nil : "it documents \(known)",
        severity: Self.infrastructure.contains(answer.status) ? .warning : nil)
    }
    semantics(options).validate(answer, &result)
    return result
  }

  /// The findings about an answer to a method that the path does not have: only the rules of HTTP apply.
  package func validateForeign(
    _ answer: ResponseView, _ options: ValidationOptions = ValidationOptions()
  ) -> ValidationResult {
    var result = ValidationResult()
    semantics(options).validate(answer, &result)
    // 501 refuses a method that the server does not know (RFC 9110, 15.6.2).
    if answer.status == 501 { result.findings.removeAll { $0.rule == .responseServerError } }
    options.weigh(&result)
    HiddenValues.hide(in: &result, of: answer, operation, secrets)
    return result
  }

  private func semantics(_ options: ValidationOptions) -> ResponseSemantics {
    ResponseSemantics(operation: operation, knowsChallenge: knowsChallenge, options: options)
  }

  private struct Unread: Error { let status: Response.Status }

  /// Exact code, then `NXX`, then `default` (OAS 3.1, 4.8.16).
  private func documented(for status: Int) -> Result<Documented, Unread>? {
    for rank in [.code(status), .range(status / 100), .default] as [Response.Status] {
      if let documented = responses.first(where: { $0.response.status == rank }) { return .success(documented) }
      if unread.contains(rank) { return .failure(Unread(status: rank)) }
    }
    return nil
  }

  /// Statuses that gateways, proxies and frameworks send on their own.
  private static let infrastructure: Set<Int> = [401, 403, 404, 405, 406, 413, 415, 429, 502, 503, 504]

  private func validateHeaders(
    _ answer: ResponseView, _ documented: Documented, _ options: ValidationOptions, _ budget: WorkBudget,
    _ result: inout ValidationResult
  ) {
    let input = ParameterInput(target: "/", fields: answer.fields)
    for (decoder, schema) in documented.headers {
      result.checked += 1
      validateHeader(decoder, schema, input, budget, &result)
    }
    guard options.wants(.responseHeaderUndeclared) else { return }
    let names = Set(documented.headers.map { FieldSyntax.lowercased($0.decoder.parameter.name.utf8) })
    for name in options.undeclaredHeaders(in: answer.fields, besides: names) {
      result.report(
        .responseHeaderUndeclared, "\(operation.id)/\(documented.response.status) documents no header `\(name)`",
        at: "/header/\(JSONPointer.escape(name))")
    }
  }

  private func validateHeader(
    _ decoder: ParameterDecoder, _ lazy: LazySchema?, _ input: ParameterInput, _ budget: WorkBudget,
    _ result: inout ValidationResult
  ) {
    let header = decoder.parameter
    let pointer = "/header/\(JSONPointer.escape(header.name))"
    let decoded = decoder.decode(input)
    for problem in decoded.problems {
      let rule: Rule = problem.kind == .missing ? .responseHeaderMissing : .responseHeaderSchema
      result.report(rule, problem, at: pointer, contract: header.node)
    }
    if case .unvalidated(let reason) = decoded.outcome { result.skip(pointer, reason) }
    guard let first = decoded.readings.first, let schema = lazy?.schema,
      !decoded.readings.contains(where: { schema.accepts($0, within: budget) })
    else { return }
    result.report(
      .responseHeaderSchema, failuresOf: first, by: schema, at: pointer, limit: 10, within: budget,
      prefix: "header `\(header.name)`: ")
  }

  private func validateBody(
    _ answer: ResponseView, _ documented: Documented, _ options: ValidationOptions, _ budget: WorkBudget,
    _ result: inout ValidationResult
  ) {
    let response = documented.response
    let bodyless = Self.bodyless(answer)
    if bodyless != nil || response.content.isEmpty {
      result.checked += 1
      guard !answer.body.isEmpty else { return }
      let problem = bodyless.map { "\($0) has no body" } ?? "\(operation.id)/\(response.status) documents no body"
      return result.report(
        .responseBodyUnexpected, "\(problem), but the answer has \(answer.body.count.counted("byte"))", at: "/body",
        contract: bodyless == nil ? response.node : nil,
        severity: bodyless == nil && Self.promisesBody(response.description) ? .info : nil)
    }
    let contentType = answer.fields.contentType
    if answer.body.isEmpty, !Self.mayBeEmpty(contentType, response.content) {
      result.checked += 1
      let ranges = response.content.map { "`\($0.range)`" }.joined(separator: " or ")
      return result.report(
        .responseBodyMissing, "\(operation.id)/\(response.status) documents \(ranges), but the body is empty",
        at: "/body", contract: response.node)
    }
    if answer.status == 206 { return result.skip("/body", "a 206 carries a part of the body") }
    let codings = answer.isDecoded ? [] : answer.fields.lines(named: "content-encoding")
    documented.content.validate(
      MessageBody(answer.body, contentType: contentType, codings: codings), options, budget, contract: response.node,
      into: &result)
  }

  /// Whether a description speaks of a body, which the contract then only failed to describe.
  private static func promisesBody(_ description: String) -> Bool {
    let words = description.utf8.prefix(2_000).split { !(65...90 ~= $0 || 97...122 ~= $0) }
    return words.contains { promises.contains(FieldSyntax.lowercased($0)) }
  }

  private static let promises: Set<String> = [
    "json", "xml", "html", "returns", "return", "returned", "list", "array", "object", "body", "containing", "contains",
    "content", "contents", "text", "string", "document", "payload", "message", "details", "response",
  ]

  /// The kind of an answer that never has a body (RFC 9110, 6.4.1 and 15.3.6).
  private static func bodyless(_ answer: ResponseView) -> String? {
    if answer.method == "HEAD" { return "an answer to HEAD" }
    return (100...199).contains(answer.status) || [204, 205, 304].contains(answer.status)
      ? "a \(answer.status)" : nil
  }

  /// Whether an empty body is valid: a string or file; without Content-Type (RFC 9110, 8.3) a documented type decides.
  private static func mayBeEmpty(_ contentType: String?, _ content: [MediaTypeObject]) -> Bool {
    guard let contentType else { return content.contains { mayBeEmpty($0.range, []) } }
    return switch MediaRange(contentType)?.syntax {
    case .text?, .binary?, .eventStream?, .jsonSequence?, .form?: true
    case .json?, .xml?, .multipart?, nil: false
    }
  }
}
