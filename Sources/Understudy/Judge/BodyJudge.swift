import HTTPTypes

/// Judges the body of requests of one operation.
struct BodyJudge: Sendable {
  private let operation: Operation
  private let requestBody: RequestBody
  private let decoder: BodyDecoder
  /// In the order of the body's `content`.
  private let schemas: [LazySchema?]

  init(_ body: RequestBody, _ operation: Operation, _ specification: Specification, _ library: SchemaLibrary) {
    self.operation = operation
    requestBody = body
    decoder = BodyDecoder(body.content, specification: specification, resolve: library.target(ofReference:))
    schemas = body.content.map { $0.schema.map { LazySchema($0, library, .request) } }
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
    guard !requestBody.content.isEmpty else { return }
    let result = decoder.decode(request.body, contentType: request.request.headerFields[.contentType])
    let found = result.decoded.problems.map { finding($0) }
    findings += found
    guard found.allSatisfy({ $0.violation == nil }), let index = result.content, let schema = schemas[index]?.schema
    else {
      return
    }
    judge(result.decoded.readings, by: schema, input, &findings)
  }

  private func judge(_ readings: [JSON], by schema: Schema, _ input: ParameterInput, _ findings: inout [Finding]) {
    guard let first = readings.first, !readings.contains(where: schema.accepts) else { return }
    for failure in schema.failures(first, limit: 20) {
      findings.append(
        Finding(
          .invalidRequest, .requestBodySchema, failure.message, at: "/body" + failure.instance.description,
          contract: failure.schema, help: failure.help ?? (failure.keyword == "required" ? inQuery(input) : nil)))
    }
  }

  private func finding(_ problem: DecodingProblem) -> Finding {
    let pointer = problem.key.isEmpty ? "/body" : "/body/\(JSONPointer.escape(problem.key))"
    var finding = RequestJudge.finding(problem, at: pointer, contract: requestBody.node)
    switch problem.kind {
    case .contentType:
      finding.diagnostic.rule = .requestContentType
      finding.diagnostic.location = Location(exchange: "/header/Content-Type")
      if finding.violation != nil { finding.violation = .unsupportedMediaType }
    case .syntax: finding.diagnostic.rule = .requestBodyUnparsable
    case .missing: finding.diagnostic.rule = .requestBodyMissing
    case .type: finding.diagnostic.rule = .requestBodySchema
    case .style, .percentEncoding, .duplicate, .limit: break
    }
    return finding
  }

  /// Whether the fields were sent in the query string instead, in words.
  private func inQuery(_ input: ParameterInput) -> String? {
    let names = requestBody.content.flatMap { $0.schema?["properties"]?.members.map(\.name) ?? [] }
    return BodyMistake.inQuery(names, input)?.sentence
  }
}
