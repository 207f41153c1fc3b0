extension Contract {
  /// Validates a request: its route, parameters, body and security.
  public func validate(_ request: HTTPRequest, body: [UInt8] = []) -> ValidationResult {
    validate(request) { operation, captures in
      operation.requestValidator.validation(
        of: RequestView(request: request, target: request.path ?? "/", captures: captures, body: body))
    }
  }

  /// Validates a response to a request: its status, headers and body, and the requirements of HTTP. The request itself is
  /// not validated, but it must reach an operation.
  public func validate(_ response: HTTPResponse, body: [UInt8] = [], to request: HTTPRequest) -> ValidationResult {
    validate(request) { operation, _ in
      operation.responseValidator.validate(
        ResponseView(
          status: response.status.code, fields: response.headerFields, body: body, method: request.method.rawValue))
    }
  }

  private func validate(
    _ request: HTTPRequest, _ body: (CompiledOperation, [(name: String, range: Range<Int>)]) -> ValidationResult
  ) -> ValidationResult {
    let contracts = ContractSet([compiled])
    let routing = contracts.router.route(request.method.rawValue, request.path ?? "/")
    if case .match(let match) = routing { return body(contracts.operations[match.operation], match.captures) }
    var result = ValidationResult()
    result.checked = 1
    if let finding = contracts.miss(request, along: routing) { result.findings.append(finding) }
    return result
  }
}
