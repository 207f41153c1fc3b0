extension Contract {
  /// Validates a request: its route, parameters, body and security.
  public func validate(_ request: HTTPRequest, body: [UInt8] = []) -> ValidationResult {
    switch reach(request) {
    case .operation(let operation, let captures):
      let view = RequestView(request: request, target: request.path ?? "/", captures: captures, body: body)
      return operation.requestValidator.validation(of: view, ValidationOptions())
    case .nothing(let result): return result
    }
  }

  /// Validates a response to a request: its status, headers and body, and what HTTP says about it.
  ///
  /// Nothing is said of the request itself, except when it reaches no operation.
  public func validate(
    _ response: HTTPResponse, body: [UInt8] = [], to request: HTTPRequest
  ) -> ValidationResult {
    switch reach(request) {
    case .operation(let operation, _):
      let view = ResponseView(
        status: response.status.code, fields: response.headerFields, body: body, method: request.method.rawValue)
      return operation.responseValidator.validate(view, ValidationOptions())
    case .nothing(let result): return result
    }
  }

  private enum Reach {
    case operation(CompiledOperation, captures: [(name: String, range: Range<Int>)])
    case nothing(ValidationResult)
  }

  private func reach(_ request: HTTPRequest) -> Reach {
    let contracts = ContractSet([compiled])
    let routing = contracts.router.route(request.method.rawValue, request.path ?? "/")
    if case .match(let match) = routing {
      return .operation(contracts.operations[match.operation], captures: match.captures)
    }
    var result = ValidationResult()
    result.checked = 1
    result.findings = contracts.miss(request, along: routing).map { [$0] } ?? []
    return .nothing(result)
  }
}
