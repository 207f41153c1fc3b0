/// Keeps secrets out of the messages of findings, which are logged, recorded and sent to clients.
enum HiddenValues {
  static func hide(
    in result: inout ValidationResult, of request: RequestView, _ operation: Operation, _ secrets: ContractSecrets
  ) {
    guard result.showsValues else { return }
    var head = request.request
    head.path = request.target
    let exchange = ExchangeContent(head, body: request.body, operation: operation)
    hide(in: &result, SecretValues(exchange, secrets))
  }

  static func hide(
    in result: inout ValidationResult, of answer: ResponseView, _ operation: Operation, _ secrets: ContractSecrets
  ) {
    guard result.showsValues else { return }
    let response = HTTPResponse(status: .init(code: min(max(answer.status, 100), 999)), headerFields: answer.fields)
    let exchange = ExchangeContent(
      HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"), response: response, responseBody: answer.body,
      isResponseDecoded: answer.isDecoded, operation: operation)
    hide(in: &result, SecretValues(exchange, secrets))
  }

  private static func hide(in result: inout ValidationResult, _ values: SecretValues) {
    for index in result.findings.indices where result.findings[index].rule.showsValues {
      values.hide(in: &result.findings[index])
    }
    result.notValidated = result.notValidated.map { item in
      guard values.isSecret(item.pointer) else { return item.redacted(by: values.masked) }
      return ValidationResult.NotValidated(
        pointer: item.pointer, reason: "the value, which is a secret and not shown, cannot be validated")
    }
  }
}

extension SecretValues {
  /// The start of the messages about a parameter or a header.
  private static func subject(of pointer: String) -> String {
    guard let tokens = JSONPointer(pointer)?.tokens, tokens.count > 1, tokens[0] != "body" else { return "" }
    return "\(tokens[0]) `\(VisibleText.line(VisibleText.shortened(tokens[1], to: 120)))`: "
  }

  fileprivate func hide(in finding: inout Diagnostic) {
    let pointer = finding.location?.pointer ?? ""
    // A count of further failures has no place in the contract.
    if finding.rule.isAboutValue, !finding.notes.isEmpty, isSecret(pointer), !isNull(pointer) {
      let keyword = finding.notes.first?.location?.pointer.flatMap { JSONPointer($0)?.tokens.last }
      let broken = keyword.flatMap { Keyword.named($0) }.map { "`\($0.name)`" } ?? "the contract"
      finding.message = "\(Self.subject(of: pointer))the value breaks \(broken); it is a secret and not shown"
      finding.help = nil
    } else {
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
    case .requestParamSchema, .requestParamEncoding, .requestBodySchema, .responseHeaderSchema, .responseBodySchema:
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
