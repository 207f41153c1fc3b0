/// Validates answers of a server, and whether it accepted or refused their requests correctly.
struct LiveResponseValidator: Sendable {
  let subject: LiveOperation

  private var operation: Operation { subject.operation }

  func validate(_ call: LiveCall, _ answer: Exchange.Response) -> LiveValidation {
    var validation = LiveValidation(about: subject.subject(answeredWith: answer.status))
    let isWhole = validateAnswer(call, answer, &validation)
    validateAdmission(call, answer, &validation)
    validation.findings = validation.findings.compactMap(subject.options.weighed)
    validation.holds =
      isWhole && keepsContract(call, answer.status) && !validation.findings.contains { $0.severity == .error }
    return validation
  }

  /// Whether a request is valid, or was refused.
  private func keepsContract(_ call: LiveCall, _ status: Int) -> Bool {
    guard call.validated.isWhole else { return false }
    return call.violation.map { subject.refusals.isRefusal(status, of: $0) } ?? call.validated.isValid
  }

  /// Returns whether the answer is documented and was validated as a whole.
  private func validateAnswer(_ call: LiveCall, _ answer: Exchange.Response, _ validation: inout LiveValidation) -> Bool
  {
    let view = RequestView(request: call.wire.request, target: call.wire.target, captures: [], body: call.wire.body)
    let documented = operation.response(for: answer.status)
    func validated(_ body: [UInt8]) -> ValidationResult {
      let response = ResponseView(answer.head, body: body, to: view, duration: answer.duration)
      guard !call.purpose.isOfForeignMethod else {
        return subject.compiled.responseValidator.validateForeign(response, subject.options)
      }
      return subject.compiled.exchangeValidator(subject.options).answer(
        response,
        breaksContract: call.violation != nil
          || (call.purpose == .answerOnly && call.fixture == nil && !call.isAllowed))
    }
    var result = validated(answer.body.bytes)
    if let half = result.findings.first(where: Self.isHalfOfPair),
      let body = SurrogateHalves.replaced(in: answer.body.bytes)
    {
      result = validated(body)
      result.findings.append(half)
    }
    if let reason = answer.body.reason {
      result.withdrawBody(reason)
    } else if Self.isFromInFront(answer.status), documented != nil, !call.purpose.isOfForeignMethod {
      result.withdrawBody("the body of a \(answer.status), which is sent before the operation is reached")
    }
    if let defect = answer.defect {
      validation.report(.providerMalformed, defect, at: "/body", contract: operation.node)
    }
    validation.notValidated += result.notValidated.map(\.reason)
    if answersUndeclaredCondition(call, answer.status),
      result.findings.contains(where: { $0.rule == .responseStatusUndocumented })
    {
      validation.notValidated.append("the answer to a condition or a range that the contract does not declare")
    }
    let status = call.purpose.isOfForeignMethod ? 0 : 1
    let headers = call.purpose.isOfForeignMethod ? 0 : documented?.headers.count ?? 0
    validation.count(.http, 1)
    validation.count(.status, status)
    validation.count(.headers, headers)
    validation.count(.body, max(0, result.checked - headers - status - 1))
    validation.findings += result.findings.filter { isRelevant($0.rule, call, answer.status) && !Self.isCount($0) }.map
    {
      shown($0, call, answer)
    }
    reportDocumentedFailure(call, answer, &validation)
    return documented != nil && result.isWhole
  }

  /// Whether a finding only counts others of the same body.
  private static func isCount(_ finding: Diagnostic) -> Bool {
    finding.rule == .responseBodySchema && finding.notes.isEmpty && finding.message.hasPrefix("and ")
  }

  /// A finding with the server's own words, where it is about a failure. Half of a surrogate pair comes from the run, which
  /// sends it to every server: one that gives it back is only asked to look.
  private func shown(_ finding: Diagnostic, _ call: LiveCall, _ answer: Exchange.Response) -> Diagnostic {
    var finding = finding
    if finding.rule == .responseStatusUndocumented, [401, 403].contains(answer.status) {
      let origin =
        switch subject.writer.credentials.origin(of: call.draft.credentials, for: operation) {
        case .given: "the request had the given credentials"
        case .invented: "the request had made-up credentials; the run was given none for this operation"
        case .none: "the request had no credentials"
        }
      finding.help = [finding.help, origin].compactMap(\.self).joined(separator: "; ")
    }
    if finding.rule == .responseServerError, finding.help == nil {
      finding.help = excerpt(of: answer).map { "the response is: \($0)" }
    }
    if Self.isHalfOfPair(finding), SurrogateHalves.replaced(in: answer.body.bytes) != nil { finding.severity = .info }
    return finding
  }

  private static func isHalfOfPair(_ finding: Diagnostic) -> Bool {
    finding.rule == .responseBodyUnparsable && finding.message.contains("half of a surrogate pair")
  }

  /// Warns of a documented failure of a valid request: the contract says that it may happen, not that it should.
  private func reportDocumentedFailure(
    _ call: LiveCall, _ answer: Exchange.Response, _ validation: inout LiveValidation
  ) {
    let isExpected =
      subject.refusals.map.means(answer.status, call.violation) || call.fixture?.expects(answer.status) == true
    guard answer.status == 500, call.isValid, !isExpected, subject.options.wants(.responseServerError),
      operation.responses.contains(where: { $0.status == .code(500) || $0.status == .range(5) })
    else { return }
    validation.findings.append(
      Diagnostic(
        .responseServerError, "the server failed with 500, which the contract documents, at a valid request",
        at: Location(exchange: "/status"), severity: .warning,
        help: excerpt(of: answer).map { "the response is: \($0)" }))
  }

  /// Whether a finding is neither reported under another rule nor what the contract asks for.
  private func isRelevant(_ rule: Rule, _ call: LiveCall, _ status: Int) -> Bool {
    switch rule {
    case .responseServerError:
      !subject.refusals.map.means(status, call.violation) && call.fixture?.expects(status) != true
    // The first is reported as `prov.auth.open`; the second is the contract's choice.
    case .responseStatusMisuse:
      !(status == 401 && operation.security.isEmpty) && !operation.responses.contains { $0.status == .code(status) }
    case .responseStatusUndocumented: !answersUndeclaredCondition(call, status)
    default: !(Self.isFromInFront(status) && LiveCheck(of: rule) == .body)
    }
  }

  /// Whether what reads the head of a request before the operation sends the status: too slow, too long.
  private static func isFromInFront(_ status: Int) -> Bool { [408, 414, 431].contains(status) }

  /// Whether a status answers a field of the run's own choice, which the operation may not know.
  private func answersUndeclaredCondition(_ call: LiveCall, _ status: Int) -> Bool {
    guard Self.conditionAnswers.contains(status) else { return false }
    return call.draft.arguments.contains { argument in
      argument.parameter.location == .header
        && Self.conditions.contains(FieldSyntax.lowercased(argument.parameter.name.utf8))
        && operation.parameter(argument.parameter.name, in: .header) == nil
    }
  }

  /// RFC 9110, 13.2.2 and 14.
  private static let conditionAnswers: Set<Int> = [206, 304, 412, 416]
  private static let conditions: Set<String> = [
    "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range", "range",
  ]

  /// The finding about an answer that is not HTTP, or breaks off within its head.
  func malformed(_ failure: UpstreamFailure) -> LiveValidation {
    var validation = LiveValidation(.providerMalformed, about: subject.subject())
    validation.report(.providerMalformed, failure.message, at: "", contract: operation.node)
    validation.findings = validation.findings.compactMap(subject.options.weighed)
    return validation
  }

  /// The finding about a request without a response, while the server responds to others.
  func silent(_ failure: UpstreamFailure) -> LiveValidation {
    var validation = LiveValidation(.providerNoResponse, about: subject.subject())
    validation.report(
      .providerNoResponse, "\(operation.id) gave no response: \(failure.message)", at: "", contract: operation.node)
    validation.findings = validation.findings.compactMap(subject.options.weighed)
    return validation
  }

  private func validateAdmission(_ call: LiveCall, _ answer: Exchange.Response, _ validation: inout LiveValidation) {
    let refusals = subject.refusals
    switch call.purpose {
    case .valid, .example:
      reportRefusal(of: call, answer, call.purpose == .example ? .providerExample : .providerValidRejected, &validation)
    case .invalid(let rule):
      validation.count(.rule(rule), 1)
      if rule == .providerAuthIgnored { reportRefusal(ofCredentials: call, answer, &validation) }
      guard let violation = call.violation, !refusals.isRefusal(answer.status, of: violation) else { break }
      let broken = call.validated.findings.first { $0.violation != nil }
      let message = "\(operation.id) answered \(answer.status) to a request that breaks the contract, \(call.label)"
      validation.findings.append(
        Diagnostic(
          rule, message + (broken.map { ": \($0.message)" } ?? ""),
          at: broken?.location ?? Location(exchange: "/header"),
          notes: broken?.notes ?? .contract(operation.security.first?.node ?? operation.node)))
    case .answerOnly:
      // The contract allows the value, but a server may have a reason to refuse it.
      if call.isAllowed { reportRefusal(of: call, answer, .providerValidRejected, severity: .info, &validation) }
    case .options: break
    case .method:
      validation.count(.rule(.providerMethodUnsupported), 1)
      let method = call.draft.method
      guard !refusals.isRefusal(answer.status, of: .unknownMethod) else {
        reportRefusal(ofMethod: method, answer, &validation)
        break
      }
      validation.report(
        .providerMethodUnsupported, "`\(operation.path)` has no \(method), but \(method) got \(answer.status)",
        at: "/method", contract: operation.pathNode)
    case .duplicate:
      guard subject.options.wants(.providerDuplicateParam) else { break }
      validation.count(.rule(.providerDuplicateParam), 1)
      guard (200...299).contains(answer.status) else { break }
      validation.findings.append(
        Diagnostic(
          .providerDuplicateParam, "\(operation.id) answered \(answer.status) to \(call.label)",
          at: call.validated.findings.first?.location))
    }
    if call.isValid, operation.security.isEmpty, !subject.declaresAuthorization {
      validation.count(.rule(.providerAuthOpen), 1)
      guard answer.status == 401, !subject.takesCredentials else { return }
      validation.report(
        .providerAuthOpen, "\(operation.id) answered 401, but the contract asks for no credentials",
        contract: operation.node)
    }
  }

  /// Reports that an allowed request is refused for its form; an undocumented status is reported as such.
  private func reportRefusal(
    of call: LiveCall, _ answer: Exchange.Response, _ rule: Rule, severity: Severity? = nil,
    _ validation: inout LiveValidation
  ) {
    validation.count(.rule(rule), 1)
    guard subject.refusals.blamesForm(answer.status), let documented = operation.response(for: answer.status),
      !Self.isAboutData(documented, answer.status)
    else { return }
    validation.report(
      rule, "\(operation.id) refused a valid request with \(answer.status): \(call.label)", contract: operation.node,
      severity: severity, help: excerpt(of: answer).map { "the answer is: \($0)" })
  }

  /// Reports that a method which the path does not have is refused as if the request were malformed.
  private func reportRefusal(ofMethod method: String, _ answer: Exchange.Response, _ validation: inout LiveValidation) {
    guard ![405, 501].contains(answer.status),
      subject.refusals.blamesForm(answer.status), subject.refusals.map[.unknownMethod] != .status(answer.status)
    else { return }
    validation.report(
      .providerMethodStatus,
      "\(method), which `\(operation.path)` does not have, got \(answer.status) in place of 405 or 501",
      at: "/method", contract: operation.pathNode)
  }

  /// Reports bad credentials that are refused for the form of the request, although the contract documents 401 or 403.
  private func reportRefusal(
    ofCredentials call: LiveCall, _ answer: Exchange.Response, _ validation: inout LiveValidation
  ) {
    let documented = operation.responses.map(\.status.code).filter { $0 == 401 || $0 == 403 }
    let isOfForm = [400, 405, 406, 415, 422].contains(answer.status)
    guard isOfForm, let first = documented.first, subject.refusals.map[.unauthorized] != .status(answer.status),
      call.violation == .unauthorized
    else { return }
    validation.report(
      .providerAuthStatus,
      "\(operation.id) answered \(answer.status) in place of the documented \(first), \(call.label)",
      contract: operation.response(for: first)?.node ?? operation.node)
  }

  /// Whether the contract documents a refusal for what the server has, whatever its status: `400: Pet not found`.
  private static func isAboutData(_ documented: Response, _ status: Int) -> Bool {
    guard (400...499).contains(status), documented.status != .default else { return false }
    let description = documented.description.lowercased()
    return aboutData.contains { description.contains($0) }
  }

  private static let aboutData = [
    "not found", "no matching", "non-exist", "nonexist", "unknown", "not exist", "n't exist", "already exist",
  ]

  /// The bytes of a body that are searched for secrets before its start is shown.
  private static let excerptSource = 16_384

  /// The start of a body on one line, without secrets; `nil` for an empty one.
  private func excerpt(of answer: Exchange.Response) -> String? {
    guard !answer.body.bytes.isEmpty else { return nil }
    let values = SecretValues(Exchange(answer), of: operation, subject.compiled.secrets)
    let text = values.masked(String(decoding: answer.body.bytes.prefix(Self.excerptSource), as: UTF8.self))
    let start = String(decoding: text.utf8.prefix(160), as: UTF8.self)
    let line = start.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }.joined()
    return "`\(line)`" + (text.utf8.count > 160 ? " and more" : "")
  }
}
