/// Validates answers of a server, and whether it accepted or refused their requests correctly.
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

  /// Whether a request is valid, or was refused.
  private func keepsContract(_ call: LiveCall, _ status: Int) -> Bool {
    guard call.validated.isWhole else { return false }
    return call.violation.map { subject.refusals.isRefusal(status, of: $0) } ?? call.validated.isValid
  }

  /// Returns whether the answer is documented and was validated as a whole.
  private func validateAnswer(_ call: LiveCall, _ answer: LiveAnswer, _ validation: inout LiveValidation) -> Bool {
    let view = RequestView(request: call.wire.request, target: call.wire.target, captures: [], body: call.wire.body)
    let response = ResponseView(answer.response, body: answer.body, to: view, duration: answer.duration)
    var result: ValidationResult
    let documented = operation.response(for: answer.status)
    if call.purpose.isOfForeignMethod {
      result = subject.compiled.responseValidator.validateForeign(response, subject.options)
    } else {
      result = subject.compiled.exchangeValidator(subject.options).answer(
        response, breaksContract: call.violation != nil || (call.purpose == .answerOnly && call.fixture == nil))
    }
    if let reason = answer.unread { result.withdrawBody(reason) }
    if let defect = answer.defect {
      validation.report(.providerMalformed, defect, at: "/body", contract: operation.node)
    }
    validation.notValidated += result.notValidated.map(\.reason)
    let status = call.purpose.isOfForeignMethod ? 0 : 1
    let headers = call.purpose.isOfForeignMethod ? 0 : documented?.headers.count ?? 0
    validation.count(.http, 1)
    validation.count(.status, status)
    validation.count(.headers, headers)
    validation.count(.body, max(0, result.checked - headers - status - 1))
    validation.findings += result.findings.filter { isRelevant($0.rule, call, answer.status) }
    return documented != nil && result.isWhole
  }

  /// Whether a finding is neither reported under another rule nor what the contract asks for.
  private func isRelevant(_ rule: Rule, _ call: LiveCall, _ status: Int) -> Bool {
    switch rule {
    case .responseServerError:
      !subject.refusals.means(status, call.violation) && call.fixture?.expects(status) != true
    // The first is reported as `prov.auth.open`; the second is the contract's choice.
    case .responseStatusMisuse:
      !(status == 401 && operation.security.isEmpty) && !operation.responses.contains { $0.status == .code(status) }
    default: true
    }
  }

  /// The finding about an answer that is not HTTP.
  func malformed(_ failure: UpstreamFailure) -> LiveValidation {
    var validation = LiveValidation(.providerMalformed, about: subject.subject())
    validation.report(.providerMalformed, failure.message, at: "", contract: operation.node)
    validation.findings = validation.findings.compactMap(subject.options.weighed)
    return validation
  }

  private func validateAdmission(_ call: LiveCall, _ answer: LiveAnswer, _ validation: inout LiveValidation) {
    let refusals = subject.refusals
    switch call.purpose {
    case .valid, .example:
      let rule: Rule = call.purpose == .example ? .providerExample : .providerValidRejected
      validation.count(.rule(rule), 1)
      // A status that the contract does not have is reported as that.
      guard refusals.blamesForm(answer.status), operation.response(for: answer.status) != nil else { break }
      validation.report(
        rule, "\(operation.id) refused a valid request with \(answer.status): \(call.label)", contract: operation.node,
        help: excerpt(of: answer).map { "the answer is: \($0)" })
    case .invalid(let rule):
      validation.count(.rule(rule), 1)
      guard let violation = call.violation, !refusals.isRefusal(answer.status, of: violation) else { break }
      let broken = call.validated.findings.first { $0.violation != nil }
      let message = "\(operation.id) answered \(answer.status) to a request that breaks the contract, \(call.label)"
      validation.findings.append(
        Diagnostic(
          rule, message + (broken.map { ": \($0.message)" } ?? ""),
          at: broken?.location ?? Location(exchange: "/header"),
          notes: broken?.notes ?? .contract(operation.security.first?.node ?? operation.node)))
    case .answerOnly, .options: break
    case .method:
      validation.count(.rule(.providerMethodUnsupported), 1)
      guard !refusals.isRefusal(answer.status, of: .unknownMethod) else { break }
      let method = call.draft.method
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
    if call.isValid, operation.security.isEmpty {
      validation.count(.rule(.providerAuthOpen), 1)
      guard answer.status == 401 else { return }
      validation.report(
        .providerAuthOpen, "\(operation.id) answered 401, but the contract asks for no credentials",
        contract: operation.node)
    }
  }

  /// The bytes of a body that are searched for secrets before its start is shown.
  private static let excerptSource = 16_384

  /// The start of a body on one line, without secrets; `nil` for an empty one.
  private func excerpt(of answer: LiveAnswer) -> String? {
    guard !answer.body.isEmpty else { return nil }
    let values = SecretValues(ExchangeContent(answer, operation), subject.compiled.secrets)
    let text = values.masked(String(decoding: answer.body.prefix(Self.excerptSource), as: UTF8.self))
    let start = String(decoding: text.utf8.prefix(160), as: UTF8.self)
    let line = start.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }.joined()
    return "`\(line)`" + (text.utf8.count > 160 ? " and more" : "")
  }
}
