import HTTPTypes

/// Judges requests of one operation against the contract; compiled once.
package struct RequestJudge: Sendable {
  let operation: Operation
  let parameters: OperationParameters
  /// In the order of the decoders.
  let parameterSchemas: [LazySchema?]
  let body: BodyJudge?
  let security: SecurityCheck

  /// Everything that is wrong, in the order security, parameters, body.
  package func judge(_ request: RequestView) -> [Finding] {
    var findings: [Finding] = []
    let input = request.input
    judgeSecurity(input, request, &findings)
    judgeParameters(input, &findings)
    if let body {
      body.judge(request, input, &findings)
    } else {
      judgeUnexpectedBody(request, &findings)
    }
    return findings
  }

  // MARK: - Security

  private func judgeSecurity(_ input: ParameterInput, _ request: RequestView, _ findings: inout [Finding]) {
    let outcome = security.check(request.request.headerFields, input)
    guard let sentence = outcome.sentence else { return }
    let rule: Rule = if case .malformed = outcome { .requestSecurityMalformed } else { .requestSecurityMissing }
    findings.append(Finding(.unauthorized, rule, sentence, at: "/header", contract: operation.security.first?.node))
  }

  // MARK: - Parameters

  private func judgeParameters(_ input: ParameterInput, _ findings: inout [Finding]) {
    if !parameters.decoders.isEmpty {
      for (position, decoded) in parameters.decode(input).enumerated() {
        let readings = decoded.readings
        let schema = readings.isEmpty ? nil : parameterSchemas[position]?.schema
        let isAccepted = schema.map { readings.contains(where: $0.accepts) } ?? true
        if isAccepted, decoded.problems.isEmpty { continue }
        let parameter = parameters.decoders[position].parameter
        let pointer = "/\(parameter.location.rawValue)/\(JSONPointer.escape(parameter.name))"
        findings += decoded.problems.map { Self.finding($0, at: pointer, contract: parameter.node) }
        guard !isAccepted, let schema, let first = readings.first else { continue }
        for failure in schema.failures(first, limit: 10) {
          findings.append(
            Finding(
              .invalidRequest, .requestParamSchema,
              "\(parameter.location.rawValue) `\(parameter.name)`: \(failure.message)",
              at: pointer + failure.instance.description, contract: failure.schema, help: failure.help))
        }
      }
    }
    judgeUndeclared(input, &findings)
  }

  private func judgeUndeclared(_ input: ParameterInput, _ findings: inout [Finding]) {
    for name in parameters.undeclaredNames(in: input) {
      let known = operation.parameters.filter { $0.location == .query }.map(\.name)
      findings.append(
        Finding(
          nil, .requestParamUndeclared, "the query holds `\(name)`, which \(operation.id) does not know",
          at: "/query/\(JSONPointer.escape(name))", help: Suggestion.phrase(for: name, among: known)))
    }
  }

  /// A problem of decoding, told under the rule that it falls under.
  static func finding(_ problem: DecodingProblem, at pointer: String, contract: JSON?) -> Finding {
    let rule: Rule =
      switch problem.kind {
      case .missing: .requestParamMissing
      case .style, .percentEncoding, .duplicate, .limit: .requestParamEncoding
      case .type, .syntax: .requestParamSchema
      case .contentType: .requestContentType
      }
    return Finding(
      problem.isRecovered ? nil : .invalidRequest, rule, problem.sentence, at: pointer, contract: contract,
      severity: problem.isRecovered ? .warning : nil)
  }

  // MARK: - Body

  /// Some clients send a lone `=` for "no parameters"; servers ignore it.
  private func judgeUnexpectedBody(_ request: RequestView, _ findings: inout [Finding]) {
    guard !request.body.isEmpty, request.body != [UInt8(ascii: "=")] else { return }
    findings.append(
      Finding(
        nil, .requestBodyUnexpected,
        "\(operation.id) documents no body, but the request has one of \(request.body.count) bytes",
        at: "/body", contract: operation.node))
  }
}
