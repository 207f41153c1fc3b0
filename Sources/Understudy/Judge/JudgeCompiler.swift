/// Makes the judges of one contract's operations.
struct JudgeCompiler {
  let api: API
  let schemas: SchemaLibrary

  init(_ api: API, schemas: SchemaLibrary) {
    self.api = api
    self.schemas = schemas
  }

  func judge(for operation: Operation) -> RequestJudge {
    let parameters = OperationParameters(
      operation.parameters, specification: api.specification, resolve: schemas.target(ofReference:))
    let judged = parameters.decoders.map { decoder in
      (decoder.parameter.schema ?? decoder.parameter.content?.schema).map { LazySchema($0, schemas, .request) }
    }
    return RequestJudge(
      operation: operation, parameters: parameters, parameterSchemas: judged,
      body: operation.requestBody.map { BodyJudge($0, operation, api.specification, schemas) },
      security: SecurityCheck(operation.security, schemes: api.securitySchemes))
  }
}
