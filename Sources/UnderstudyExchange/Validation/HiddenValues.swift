/// Keeps secrets out of the messages of findings, which are logged, recorded and sent to clients.
package enum HiddenValues {
  static func hide(
    in result: inout ValidationResult, of request: RequestView, _ operation: Operation, _ secrets: ContractSecrets
  ) {
    guard result.showsValues else { return }
    var head = request.request
    head.path = request.target
    hide(in: &result, SecretValues(Exchange(head, body: .coded(request.body)), of: operation, secrets))
  }

  static func hide(
    in result: inout ValidationResult, of answer: ResponseView, _ operation: Operation, _ secrets: ContractSecrets
  ) {
    guard result.showsValues else { return }
    let response = Exchange.Response(
      status: min(max(answer.status, 100), 999), fields: answer.fields,
      body: answer.isDecoded ? .bytes(answer.body) : .coded(answer.body))
    hide(in: &result, SecretValues(Exchange(response), of: operation, secrets))
  }

  /// - Parameter arguments: The arguments of an event, and the schemas that it declares for them.
  package static func hide(
    in result: inout ValidationResult, of event: String, _ arguments: (values: [JSON], schemas: [JSON]),
    _ secrets: ContractSecrets
  ) {
    guard result.showsValues else { return }
    hide(
      in: &result,
      SecretValues(
        Exchange(arguments: JSONWriter.bytes(.array(arguments.values))), of: nil, secrets, arguments: arguments.schemas),
      event: event)
  }

  private static func hide(in result: inout ValidationResult, _ values: SecretValues, event: String? = nil) {
    for index in result.findings.indices where result.findings[index].rule.showsValues {
      values.hide(in: &result.findings[index], event: event)
    }
    result.notValidated = result.notValidated.map { item in
      guard values.isSecret(item.pointer) else { return item.redacted(by: values.masked) }
      return ValidationResult.NotValidated(
        pointer: values.markedPlace(item.pointer) ?? item.pointer,
        reason: "the value, which is a secret and not shown, cannot be validated")
    }
  }
}

extension SecretValues {
  /// The start of the messages about a parameter or a header.
  private static func subject(of pointer: String) -> String {
    guard let tokens = JSONPointer(pointer)?.tokens, tokens.count > 1, tokens[0] != "body" else { return "" }
    return "\(tokens[0]) `\(VisibleText.line(VisibleText.shortened(tokens[1], to: 120)))`: "
  }

  fileprivate func hide(in finding: inout Diagnostic, event: String?) {
    let pointer = finding.location?.pointer ?? ""
    // A count of further failures has no place in the contract.
    if finding.rule.isAboutValue, !finding.notes.isEmpty, isSecret(pointer), !isNull(pointer) {
      // `required` has a position after it.
      let keyword = finding.notes.first?.location?.pointer.flatMap { pointer in
        JSONPointer(pointer)?.tokens.last { !$0.utf8.allSatisfy { 48...57 ~= $0 } }
      }
      let broken = keyword.flatMap { Keyword.named($0) }.map { "`\($0.name)`" } ?? "the contract"
      let subject = event.map { "`\(VisibleText.shortened($0, to: 80))`: " } ?? Self.subject(of: pointer)
      finding.message = "\(subject)the value breaks \(broken); it is a secret and not shown"
      finding.help = nil
      // The names below a secret object are a part of it.
      finding.location = Location(exchange: markedPlace(pointer) ?? pointer)
    } else {
      if isAroundSecret(pointer) {
        finding.message = maskedNumbers(finding.message)
        finding.help = finding.help.map(maskedNumbers)
      }
      finding = finding.redacted(by: masked)
    }
  }
}

extension ValidationResult {
  fileprivate var showsValues: Bool { !notValidated.isEmpty || findings.contains { $0.rule.showsValues } }
}

extension Rule {
  /// Whether messages of the rule are about a value, and may quote a part of it.
  fileprivate var isAboutValue: Bool {
    switch self {
    case .requestParamSchema, .requestParamEncoding, .requestBodySchema, .responseHeaderSchema, .responseBodySchema,
      .eventSchema:
      true
    default: false
    }
  }

  /// Whether messages of the rule may contain values; most of the others are frequent.
  fileprivate var showsValues: Bool {
    switch self {
    case .requestParamMissing, .requestParamUndeclared, .requestBodyMissing, .requestBodyUnexpected, .requestDeprecated,
      .requestSecurityMissing, .responseStatusUndocumented, .responseBodyMissing, .responseBodyUnexpected,
      .responseHeaderMissing, .responseHeaderUndeclared:
      false
    default: true
    }
  }
}
