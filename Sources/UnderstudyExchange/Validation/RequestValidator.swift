/// Validates requests to one operation; compiled once. A class, because a struct would be copied at every request.
package final class RequestValidator: Sendable {
  let operation: Operation
  let parameters: OperationParameters
  /// In the order of the decoders.
  private let parameterSchemas: [LazySchema?]
  private let body: BodyValidator?
  private let security: SecurityCheck
  private let securityNotes: [Diagnostic.Note]
  private let optionalChecks: OptionalRequestChecks
  /// The media types of the success; empty where it has no body.
  private let offers: [MediaRange]
  private let secrets: ContractSecrets

  init(_ operation: Operation, of api: API, _ schemas: SchemaLibrary, _ secrets: ContractSecrets) {
    self.secrets = secrets
    self.operation = operation
    // No request can have what its path does not name (`spec.path.param.unused`).
    let names = operation.template.names
    let sendable = operation.parameters.filter { parameter in
      parameter.location != .path || names.contains { parameter.name.utf8.elementsEqual($0) }
    }
    parameters = OperationParameters(sendable, specification: api.specification, schemas: schemas)
    parameterSchemas = parameters.decoders.map { decoder in
      (decoder.parameter.schema ?? decoder.parameter.content?.schema).map { LazySchema($0, schemas, .request) }
    }
    body = operation.requestBody.map { BodyValidator($0, operation, api.specification, schemas) }
    security = SecurityCheck(operation.security, schemes: api.securitySchemes)
    securityNotes = .contract(operation.security.first?.node)
    optionalChecks = OptionalRequestChecks(operation, api.securitySchemes)
    let success = operation.responses.filter { 200...299 ~= $0.status.code }.min { $0.status.code < $1.status.code }
    offers = success?.content.compactMap { MediaRange($0.range) } ?? []
  }

  /// The findings in the order security, parameters, Accept, body, with a note where the operation itself is deprecated.
  package func validation(
    of request: RequestView, _ options: ValidationOptions = ValidationOptions(), within budget: WorkBudget? = nil
  ) -> ValidationResult {
    var result = ValidationResult()
    guard !operation.isRoute else {
      // A route documents nothing that a request could break.
      result.checked = 1
      return result
    }
    validate(request, options, .forBytes(request.body.count, within: budget), into: &result)
    if operation.isDeprecated {
      result.report(.requestDeprecated, "\(operation.id) is deprecated", at: "/method", contract: operation.node)
    }
    options.weigh(&result)
    HiddenValues.hide(in: &result, of: request, operation, secrets)
    return result
  }

  private func validate(
    _ request: RequestView, _ options: ValidationOptions, _ budget: WorkBudget, into result: inout ValidationResult
  ) {
    validateSecurity(request, options, &result)
    if !parameters.decoders.isEmpty || request.hasQuery { validateParameters(request.input, budget, &result) }
    if !offers.isEmpty { validateAccept(request.accept, &result) }
    if let body {
      body.validate(request, options, budget, into: &result)
    } else {
      validateUnexpectedBody(request, &result)
    }
    if !options.optional.isEmpty { optionalChecks.validate(request, options, into: &result) }
  }

  private func validateSecurity(
    _ request: RequestView, _ options: ValidationOptions, _ result: inout ValidationResult
  ) {
    guard !operation.security.isEmpty else { return }
    result.checked += 1
    let outcome = security.check(
      request.request.headerFields, request.input, tokens: options.tokens, showsCertificates: options.showsCertificates,
      collects: security.namesScopes)
    switch outcome {
    case .satisfied(let credentials):
      for credential in credentials {
        if let reason = security.scopesReason(of: credential.scheme) {
          result.skip(security.place(of: credential.scheme), reason)
        }
      }
    case .unvalidated(let reason): result.skip("/header", reason)
    case .missing, .malformed:
      let rule: Rule = if case .malformed = outcome { .requestSecurityMalformed } else { .requestSecurityMissing }
      result.findings.append(
        Diagnostic(rule, outcome.sentence ?? "", at: Location(exchange: outcome.place), notes: securityNotes))
    }
  }

  private func validateParameters(
    _ input: ParameterInput, _ budget: WorkBudget, _ result: inout ValidationResult
  ) {
    let all = parameters.decode(input)
    for (position, decoded) in all.enumerated() {
      result.checked += 1
      let decoder = parameters.decoders[position]
      let readings = decoded.readings
      let schema = readings.isEmpty ? nil : parameterSchemas[position]?.schema
      let isAccepted = schema.map { schema in readings.contains { schema.accepts($0, within: budget) } } ?? true
      if isAccepted, decoded.isFlawless, !decoder.isDeprecated { continue }
      report(decoded, of: decoder.parameter, by: isAccepted ? nil : schema, input, budget, &result)
    }
    validateUndeclared(input, besides: all, &result)
  }

  /// Reports the findings about a parameter; `schema` is set only where it refuses the value.
  private func report(
    _ decoded: Decoded, of parameter: Parameter, by schema: Schema?, _ input: ParameterInput,
    _ budget: WorkBudget, _ result: inout ValidationResult
  ) {
    let pointer = "/\(parameter.location.rawValue)/\(JSONPointer.escape(parameter.name))"
    for problem in decoded.problems {
      result.report(Self.rule(for: problem), problem, at: pointer, contract: parameter.node)
    }
    if case .unvalidated(let reason) = decoded.outcome { result.skip(pointer, reason) }
    let readings = decoded.readings
    if parameter.isDeprecated, !readings.isEmpty {
      result.report(
        .requestDeprecated, "the \(parameter.location.rawValue) parameter `\(parameter.name)` is deprecated",
        at: pointer, contract: parameter.node)
    }
    guard let first = readings.first, let schema else { return }
    result.report(
      .requestParamSchema, failuresOf: first, by: schema, at: pointer, limit: 10, within: budget,
      prefix: "\(parameter.location.rawValue) `\(parameter.name)`: ", help: { _ in Self.barePlus(in: parameter, input) }
    )
  }

  /// Advice for dates whose offset lost its plus in the query.
  private static func barePlus(in parameter: Parameter, _ input: ParameterInput) -> String? {
    guard parameter.location == .query else { return nil }
    let isBare = input.query.values(of: parameter.name).contains { $0.raw.contains(UInt8(ascii: "+")) }
    return isBare ? "a `+` in a query stands for a space; a plus is sent as %2B" : nil
  }

  /// Reports an `Accept` that no media type of the success meets (RFC 9110, 12.5.1).
  private func validateAccept(_ accept: [String], _ result: inout ValidationResult) {
    guard !accept.isEmpty, Negotiation.choose(accept: accept, among: offers) == nil else { return }
    let refusal = Negotiation.refusal(of: offers, accept: accept, by: operation.id)
    result.report(.requestNotAcceptable, refusal.message, at: "/header/Accept", help: refusal.help)
  }

  private func validateUndeclared(
    _ input: ParameterInput, besides decoded: [Decoded], _ result: inout ValidationResult
  ) {
    let names = parameters.undeclaredNames(in: input, besides: decoded).filter { !optionalChecks.isKey($0) }
    for name in names.prefix(Self.undeclaredLimit) {
      result.report(
        .requestParamUndeclared,
        name.isEmpty
          ? "the query has a parameter without a name" : "\(operation.id) has no query parameter `\(name)`",
        at: "/query/\(JSONPointer.escape(name))",
        help: name.isEmpty
          ? "send no `=` without a name: a request without parameters has no query"
          : Suggestion.phrase(for: name, among: parameters.queryNames) ?? Preferences.help(forParameter: name))
    }
    guard names.count > Self.undeclaredLimit else { return }
    result.report(
      .requestParamUndeclared,
      "the query has \(names.count - Self.undeclaredLimit) more parameters that \(operation.id) does not have",
      at: "/query")
  }

  /// The most names that are reported one by one: a query can hold thousands.
  private static let undeclaredLimit = 20

  private static func rule(for problem: DecodingProblem) -> Rule {
    switch problem.kind {
    case .missing: .requestParamMissing
    case .style, .percentEncoding, .duplicate, .limit: .requestParamEncoding
    case .type, .syntax: .requestParamSchema
    case .encoding: .requestEncoding
    case .contentType: .requestContentType
    }
  }

  /// Some clients send a lone `=` for "no parameters"; servers ignore it.
  private func validateUnexpectedBody(_ request: RequestView, _ result: inout ValidationResult) {
    result.checked += 1
    guard !request.body.isEmpty, !request.body.elementsEqual("=".utf8) else { return }
    result.report(
      .requestBodyUnexpected,
      "\(operation.id) documents no body, but the request has a body of \(request.body.count.counted("byte"))",
      at: "/body", contract: operation.node)
  }
}
