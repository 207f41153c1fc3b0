package import JSONSchema

/// Makes the judges of one contract's operations.
package struct JudgeCompiler {
  let api: API
  package let schemas: SchemaLibrary
  let options: JudgeOptions

  package init(_ api: API, schemas: SchemaLibrary, options: JudgeOptions = JudgeOptions()) {
    self.api = api
    self.schemas = schemas
    self.options = options
  }

  package func judge(for operation: Operation) -> RequestJudge {
    let parameters = OperationParameters(
      operation.parameters, specification: api.specification, resolve: schemas.target(ofReference:))
    let judged = parameters.decoders.map { decoder in
      (decoder.parameter.schema ?? decoder.parameter.content?.schema).map { LazySchema($0, schemas, .request) }
    }
    return RequestJudge(
      operation: operation, parameters: parameters, parameterSchemas: judged,
      body: operation.requestBody.map { BodyJudge($0, operation, api.specification, schemas, options) },
      security: SecurityCheck(operation.security, schemes: api.securitySchemes, tokens: options.tokens),
      places: RequestPlaces(operation, api.securitySchemes), options: options)
  }

  /// The judge of the answers of an operation.
  package func responseJudge(for operation: Operation) -> ResponseJudge {
    ResponseJudge(operation, api.specification, schemas, options)
  }

  /// The judge of requests with their answers.
  package func exchangeJudge(for operation: Operation) -> ExchangeJudge {
    ExchangeJudge(request: judge(for: operation), response: responseJudge(for: operation))
  }
}
