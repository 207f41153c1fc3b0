/// Judges the body of requests of one operation.
struct BodyJudge: Sendable {
  private let operation: Operation
  private let requestBody: RequestBody
  private let entries: [Entry]

  /// One documented media type.
  private struct Entry: Sendable {
    var object: MediaTypeObject
    var range: MediaRange
    var schema: LazySchema?
    var form: FormBody
    var multipart: MultipartBody
  }

  init(_ body: RequestBody, _ operation: Operation, _ specification: Specification, _ schemas: SchemaLibrary) {
    self.operation = operation
    requestBody = body
    entries = body.content.compactMap { object in
      guard let range = MediaRange(object.range) else { return nil }
      return Entry(
        object: object, range: range, schema: object.schema.map { LazySchema($0, schemas, .request) },
        form: FormBody(object, specification: specification, resolve: schemas.target(ofReference:)),
        multipart: MultipartBody(object, specification: specification, resolve: schemas.target(ofReference:)))
    }
  }

  func judge(_ request: RequestView, _ input: ParameterInput, _ findings: inout [Finding]) {
    // A lone `=` is how some clients write "no fields".
    if request.body.isEmpty || request.body == [UInt8(ascii: "=")] {
      guard requestBody.isRequired else { return }
      findings.append(
        Finding(
          .invalidRequest, .requestBodyMissing, "\(operation.id) needs a body, and the request has none", at: "/body",
          contract: requestBody.node, help: inQuery(input)))
      return
    }
    guard !entries.isEmpty else { return }
    guard let entry = entry(for: request, &findings) else { return }
    let count = findings.count
    let value = decode(request, entry, &findings)
    guard let value, findings[count...].allSatisfy({ $0.violation == nil }), let schema = entry.schema?.schema else { return }
    judge(value, by: schema, input, &findings)
  }

  /// The documented media type that holds for the request.
  private func entry(for request: RequestView, _ findings: inout [Finding]) -> Entry? {
    guard let text = request.request.headerFields[.contentType] else {
      findings.append(
        Finding(
          nil, .requestContentType, "the body has no Content-Type; it is read as `\(entries[0].object.range)`",
          at: "/header/Content-Type", contract: requestBody.node, severity: .warning))
      return entries[0]
    }
    if let actual = MediaRange(text), let index = MediaRange.mostSpecific(of: entries.map(\.range), for: actual) {
      return entries[index]
    }
    let documented = entries.map { "`\($0.object.range)`" }.joined(separator: ", ")
    findings.append(
      Finding(
        .unsupportedMediaType, .requestContentType, "Content-Type `\(text)` is not documented; \(operation.id) takes \(documented)",
        at: "/header/Content-Type", contract: requestBody.node))
    return nil
  }

  /// The body as a value; `nil` when it cannot be read, or is of a kind that nobody here judges.
  private func decode(_ request: RequestView, _ entry: Entry, _ findings: inout [Finding]) -> JSON? {
    let actual = request.contentType ?? entry.range
    switch actual.syntax {
    case .json:
      do throws(TextProblem) {
        return try JSONParser.parse(request.body).root
      } catch {
        let mistake = BodyMistake.notJSON(request.body)
        findings.append(
          Finding(
            .invalidRequest, .requestBodyUnparsable, mistake?.sentence ?? "the body is no JSON: \(error.message)", at: "/body",
            contract: entry.object.node, help: mistake == nil ? error.help : nil))
        return nil
      }
    case .form: return value(entry.form.decode(request.body), &findings)
    case .multipart: return value(entry.multipart.decode(request.body, contentType: actual), &findings)
    case .text:
      guard let text = String(validating: request.body, as: UTF8.self) else { return nil }
      return .string(text)
    case .jsonSequence, .eventStream, .xml, .binary: return nil
    }
  }

  private func value(_ decoded: Decoded, _ findings: inout [Finding]) -> JSON? {
    findings += decoded.problems.map { problem in
      let pointer = problem.key.isEmpty ? "/body" : "/body/\(JSONPointer.escape(problem.key))"
      return RequestJudge.finding(problem, at: pointer, contract: requestBody.node)
    }
    return decoded.readings.first
  }

  private func judge(_ value: JSON, by schema: Schema, _ input: ParameterInput, _ findings: inout [Finding]) {
    guard !schema.accepts(value) else { return }
    for failure in schema.failures(value, limit: 20) {
      findings.append(
        Finding(
          .invalidRequest, .requestBodySchema, failure.message, at: "/body" + failure.instance.description,
          contract: failure.schema, help: failure.help ?? (failure.keyword == "required" ? inQuery(input) : nil)))
    }
  }

  /// Whether the fields were sent in the query string instead, in words.
  private func inQuery(_ input: ParameterInput) -> String? {
    let names = entries.flatMap { entry in entry.object.schema?["properties"]?.members.map(\.name) ?? [] }
    return BodyMistake.inQuery(names, input)?.sentence
  }
}
