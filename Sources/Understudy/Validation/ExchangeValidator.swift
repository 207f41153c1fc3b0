/// Validates a request together with its answer.
package struct ExchangeValidator: Sendable {
  let response: ResponseValidator
  /// What each violation is answered with, where the contract says so.
  let refusals: ViolationMap
  let options: ValidationOptions

  /// The findings of a request and of its answer.
  ///
  /// A request that breaks the contract and was refused is most likely a test of that refusal: its findings become notes
  /// under `req.expected-invalid`.
  /// - Parameter validated: of the request by itself.
  package func validate(_ validated: ValidationResult, _ answer: ResponseView) -> ValidationResult {
    var result = settled(validated, by: answer.status)
    let second = self.answer(answer, to: validated)
    result.findings += second.findings
    result.notValidated += second.notValidated
    result.checked += second.checked
    return result
  }

  /// What an answer shows of itself. A contract is about what keeps it: few say how a request that does not is refused, so
  /// that the status of such a refusal is not held against them.
  func answer(_ answer: ResponseView, to validated: ValidationResult) -> ValidationResult {
    self.answer(answer, breaksContract: validated.violation != nil)
  }

  /// The same where the request may break the contract in a way that it does not show, such as a made-up token.
  /// - Parameter breaksContract: of the request.
  func answer(_ answer: ResponseView, breaksContract: Bool) -> ValidationResult {
    var result = response.validate(answer, options)
    guard breaksContract, (400...499).contains(answer.status),
      result.findings.contains(where: { $0.rule == .responseStatusUndocumented })
    else { return result }
    result.findings.removeAll { $0.rule == .responseStatusUndocumented }
    result.checked = max(0, result.checked - 1)
    result.skip("", "the refusal of a request that breaks the contract, in a status that is not documented")
    return result
  }

  /// What is left to say of a request once its answer's status is known.
  func settled(_ validated: ValidationResult, by status: Int) -> ValidationResult {
    let isMapped = validated.findings.compactMap(\.violation).contains { refusals[$0] == .status(status) }
    guard isMapped || (400...499).contains(status) else { return validated }
    var result = validated
    result.findings = result.findings.map { finding in
      guard finding.violation != nil else { return finding }
      var note = finding
      note.rule = .requestExpectedInvalid
      note.severity = .info
      note.message += "; the server refused it with \(status)"
      return note
    }
    options.weigh(&result)
    return result
  }
}
