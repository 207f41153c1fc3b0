/// Validates a request together with its answer.
package struct ExchangeValidator: Sendable {
  let response: ResponseValidator
  /// The contract's own answer to each violation.
  let refusals: ViolationMap
  let options: ValidationOptions

  /// The findings of a request and of its answer.
  ///
  /// A refused request that breaks the contract is most likely a test of the refusal: its findings become notes under
  /// `req.expected-invalid`.
  ///
  /// - Parameter validated: The result for the request.
  package func validate(_ validated: ValidationResult, _ answer: ResponseView) -> ValidationResult {
    var result = settled(validated, by: answer.status)
    let second = self.answer(answer, to: validated)
    result.findings += second.findings
    result.notValidated += second.notValidated
    result.checked += second.checked
    return result
  }

  /// The findings about an answer. Few contracts document how they refuse a request that breaks them, so the status of
  /// such a refusal may be undocumented.
  func answer(_ answer: ResponseView, to validated: ValidationResult) -> ValidationResult {
    self.answer(answer, breaksContract: validated.violation != nil)
  }

  /// The same for a request that may break the contract invisibly, for example by a made-up token.
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

  /// The result for a request once the status of its answer is known.
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
