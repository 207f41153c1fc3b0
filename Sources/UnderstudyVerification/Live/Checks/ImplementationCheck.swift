/// Finds operations that a server does not have: every valid request gets 405, 501 or the like.
enum ImplementationCheck {
  private static let rule = Rule.coverageStatusUnimplemented

  /// Reports a missing operation once, in place of the findings that follow from it.
  static func apply(to result: inout OperationResult) {
    let operation = result.subject.operation
    guard operation.responses.contains(where: { 200...299 ~= $0.status.code }), let call = result.firstValid else {
      return
    }
    let status = result.validAnswers.keys.min() ?? 404
    var validation = LiveValidation(rule, about: result.subject.subject(status: String(status)))
    let isReported = result.subject.options.levels[rule] != .off
    if isReported, result.count(where: { isAbsence($0, of: operation) }) == result.validCount {
      result.findings.removeAll { entry in
        let rules = [Rule.providerValidRejected, .providerExample, .responseStatusUndocumented]
        let isSame = entry.finding.rule == Rule.responseServerError.id && entry.evidence.status == status
        return isSame || rules.map(\.id).contains(entry.finding.rule)
      }
      validation.report(
        rule, "\(operation.id) answered \(status) to all of \(result.validCount.counted("valid request"))",
        contract: operation.node)
    }
    result.add(validation, of: LiveEvidence(call))
  }

  private static func isAbsence(_ status: Int, of operation: Operation) -> Bool {
    guard operation.responses.allSatisfy({ $0.status != .code(status) }) else { return false }
    // A server may know none of the values of a parameter.
    let hasParameters =
      !operation.template.names.isEmpty
      || operation.parameters.contains { $0.isRequired && !FramingFields.contains($0) && $0.location != .header }
    return status == 405 || status == 501 || (status == 404 && !hasParameters)
  }
}
