/// Says what an answer shows, of itself and of the request that it answers.
struct LiveResponseValidator: Sendable {
  let subject: LiveOperation

  private var operation: Operation { subject.operation }

  func validate(_ call: LiveCall, _ answer: LiveAnswer) -> LiveValidation {
    var validation = LiveValidation(about: subject.subject(answeredWith: answer.status))
    let isWhole = validateAnswer(call, answer, &validation)
    validateAdmission(call, answer, &validation)
    validation.findings = validation.findings.compactMap(subject.options.weighed)
    validation.holds =
      isWhole && keepsContract(call, answer.status) && !validation.findings.contains { $0.severity == .error }
    return validation
  }

  /// Whether a request keeps the contract, or was refused where it does not.
  private func keepsContract(_ call: LiveCall, _ status: Int) -> Bool {
    guard call.validated.isWhole else { return false }
    return call.violation.map { subject.refusals.isRefusal(status, of: $0) } ?? call.validated.isValid
  }

  // MARK: - The answer

  /// Gives back whether the answer is documented and was validated to its end.
  private func validateAnswer(_ call: LiveCall, _ answer: LiveAnswer, _ validation: inout LiveValidation) -> Bool {
    let view = RequestView(request: call.wire.request, target: call.wire.target, captures: [], body: call.wire.body)
    let response = ResponseView(answer.response, body: answer.body, to: view, duration: answer.duration)
    var result: ValidationResult
    let documented = operation.response(for: answer.status)
    if call.purpose == .method {
      result = ValidationResult()
      ResponseSemantics(operation: operation, options: subject.options).validate(response, &result)
    } else {
      result = subject.compiled.exchangeValidator(subject.options).answer(
        response, breaksContract: call.violation != nil)
    }
    if let reason = answer.unread { result.withdrawBody(reason) }
    validation.notValidated += result.notValidated.map(\.reason)
    let headers = call.purpose == .method ? 0 : documented?.headers.count ?? 0
    let fixed = call.purpose == .method ? 1 : 2
    validation.count(.http, 1)
    if call.purpose != .method { validation.count(.status, 1) }
    validation.count(.headers, headers)
    validation.count(.body, max(0, result.checked - headers - fixed))
    validation.findings += result.findings.filter { isOfInterest($0.rule, call, answer.status) }
    return documented != nil && result.isWhole
  }

  /// What is told elsewhere, or is just what the contract asks for, is left out.
  private func isOfInterest(_ rule: Rule, _ call: LiveCall, _ status: Int) -> Bool {
    switch rule {
    case .responseServerError:
      !subject.refusals.means(status, call.violation) && call.fixture?.expects(status) != true
    // A server that failed did not choose its status.
    case .responseStatusUndocumented: !((500...599).contains(status) && subject.options.wants(.responseServerError))
    // The first is told as `prov.auth.open`; the second is the contract's doing, not the server's.
    case .responseStatusMisuse:
      !(status == 401 && operation.security.isEmpty) && !operation.responses.contains { $0.status == .code(status) }
    case .responseContentTypeUndocumented: !isUnnamedError(call, status)
    // No registered challenge is about API keys.
    case .responseChallengeMissing: subject.writer.credentials.knowsChallenge(for: operation)
    default: true
    }
  }

  /// Whether Swagger 2.0 had no way to name the type of this answer: `produces` counts for every answer of an operation, and
  /// one that produces archives has its errors there too, which are objects.
  private func isUnnamedError(_ call: LiveCall, _ status: Int) -> Bool {
    guard subject.compiled.api.specification == .swagger2, !(200...299).contains(status),
      let response = operation.response(for: status)
    else { return false }
    return response.content.allSatisfy { MediaRange($0.range)?.syntax == .binary }
  }

  // MARK: - Who was let in

  private func validateAdmission(_ call: LiveCall, _ answer: LiveAnswer, _ validation: inout LiveValidation) {
    let refusals = subject.refusals
    let isSuccess = (200...299).contains(answer.status)
    switch call.purpose {
    case .valid, .example:
      let rule: Rule = call.purpose == .example ? .providerExample : .providerValidRejected
      validation.count(.rule(rule), 1)
      guard refusals.blamesForm(answer.status) else { break }
      validation.findings.append(
        Diagnostic(
          rule, "\(operation.id) refused a valid request with \(answer.status): \(call.label)",
          at: Location(exchange: "/status"), notes: .contract(operation.node),
          help: Self.excerpt(answer.body).map { "the answer says: \($0)" }))
    case .invalid(let rule):
      validation.count(.rule(rule), 1)
      guard let violation = call.violation, !refusals.isRefusal(answer.status, of: violation) else { break }
      validation.findings.append(admission(call, answer.status, rule))
    case .recorded: break
    case .method:
      validation.count(.rule(.providerMethodUnsupported), 1)
      guard !refusals.isRefusal(answer.status, of: .unknownMethod) else { break }
      let method = call.draft.method
      validation.findings.append(
        Diagnostic(
          .providerMethodUnsupported, "`\(operation.path)` has no \(method), and \(method) got \(answer.status)",
          at: Location(exchange: "/method"), notes: .contract(operation.pathNode)))
    case .duplicate:
      guard subject.options.wants(.providerDuplicateParam) else { break }
      validation.count(.rule(.providerDuplicateParam), 1)
      guard isSuccess else { break }
      validation.findings.append(
        Diagnostic(
          .providerDuplicateParam, "\(operation.id) answered \(answer.status) to \(call.label)",
          at: call.validated.findings.first?.location))
    }
    if call.isValid, operation.security.isEmpty {
      validation.count(.rule(.providerAuthOpen), 1)
      guard answer.status == 401 else { return }
      validation.findings.append(
        Diagnostic(
          .providerAuthOpen, "\(operation.id) answered 401, and the contract asks for no credentials",
          at: Location(exchange: "/status"), notes: .contract(operation.node)))
    }
  }

  private func admission(_ call: LiveCall, _ status: Int, _ rule: Rule) -> Diagnostic {
    let broken = call.validated.findings.first { $0.violation != nil }
    let why = broken.map { ": \($0.message)" } ?? ""
    return Diagnostic(
      rule, "\(operation.id) answered \(status) to a request that breaks the contract, \(call.label)\(why)",
      at: broken?.location ?? Location(exchange: "/header"),
      notes: broken?.notes ?? .contract(operation.security.first?.node ?? operation.node))
  }

  /// The start of a body on one line; `nil` where there is none.
  private static func excerpt(_ body: [UInt8]) -> String? {
    guard !body.isEmpty else { return nil }
    let text = String(decoding: body.prefix(160), as: UTF8.self)
    let line = text.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }.joined()
    return "`\(line)`" + (body.count > 160 ? " and more" : "")
  }
}
