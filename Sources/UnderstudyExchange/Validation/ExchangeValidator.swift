package struct ExchangeValidator: Sendable {
  let response: ResponseValidator
  /// The contract's own answer to each violation.
  let refusals: ViolationMap
  let options: ValidationOptions

  /// The findings of a request and of its response; `isMeant` says that fixtures mark a refusal or failure as intended.
  /// Findings of a refused request become `req.expected-invalid`: a mistake of the client, or a test of it.
  package func validate(
    _ validated: ValidationResult, _ answer: ResponseView, isMeant: Bool = false, within budget: WorkBudget? = nil
  ) -> ValidationResult {
    var result = settled(validated, by: answer.status, isMeant: isMeant)
    let second = self.answer(answer, to: validated, isMeant: isMeant, within: budget)
    result.findings += second.findings
    result.notValidated += second.notValidated
    result.checked += second.checked
    return result
  }

  /// The findings about an answer. Few contracts document how they refuse a request that breaks them, so the status of
  /// such a refusal may be undocumented. A failure that the contract or a fixture asks for is none.
  package func answer(
    _ answer: ResponseView, to validated: ValidationResult, isMeant: Bool, within budget: WorkBudget? = nil
  ) -> ValidationResult {
    var result = self.answer(answer, breaksContract: validated.violation != nil, within: budget)
    if isMeant || refusals.means(answer.status, validated.violation) {
      result.findings.removeAll { $0.rule == .responseServerError }
    }
    return result
  }

  /// The findings about an answer to a method that the path does not have.
  package func foreign(_ answer: ResponseView) -> ValidationResult {
    var result = response.validateForeign(answer, options)
    if refusals.means(answer.status, .unknownMethod) { result.findings.removeAll { $0.rule == .responseServerError } }
    return result
  }

  /// The same for a request that may break the contract invisibly, for example by a made-up token.
  package func answer(
    _ answer: ResponseView, breaksContract: Bool, within budget: WorkBudget? = nil
  ) -> ValidationResult {
    var result = response.validate(answer, options, within: budget)
    guard breaksContract, (400...499).contains(answer.status),
      result.findings.contains(where: { $0.rule == .responseStatusUndocumented })
    else { return result }
    result.findings.removeAll { $0.rule == .responseStatusUndocumented }
    result.checked = max(0, result.checked - 1)
    result.skip("", "the refusal of a request that breaks the contract, in a status that is not documented")
    return result
  }

  /// The result for a request by the status of its response. A refusal that the fixtures mark as intended stays a note
  /// at any level but `off`: the mark names one request, the level all of them.
  package func settled(_ validated: ValidationResult, by status: Int, isMeant: Bool) -> ValidationResult {
    let isMapped = validated.findings.compactMap(\.violation).contains { refusals[$0] == .status(status) }
    guard isMapped || (400...499).contains(status) else { return validated }
    var result = validated
    result.findings = result.findings.map { finding in
      guard finding.violation != nil else { return finding }
      var note = finding
      note.rule = .requestExpectedInvalid
      note.severity = note.rule.severity
      note.message += "; the server refused it with \(status)"
      return note
    }
    options.weigh(&result)
    guard isMeant else { return result }
    for position in result.findings.indices where result.findings[position].rule == .requestExpectedInvalid {
      result.findings[position].severity = .info
    }
    return result
  }
}
