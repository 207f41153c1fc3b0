final class BodyValidator: Sendable {
  private let operation: Operation
  private let requestBody: RequestBody
  private let content: ContentValidator
  private let schemas: SchemaLibrary

  init(_ body: RequestBody, _ operation: Operation, _ specification: Specification, _ library: SchemaLibrary) {
    self.operation = operation
    requestBody = body
    schemas = library
    content = ContentValidator(body.content, specification, library, .request)
  }

  func validate(
    _ request: RequestView, _ options: ValidationOptions, _ budget: WorkBudget, into result: inout ValidationResult
  ) {
    // A lone `=` is how some clients write "no fields".
    if request.body.isEmpty || request.body.elementsEqual("=".utf8) {
      result.checked += 1
      guard requestBody.isRequired else { return }
      result.report(
        .requestBodyMissing, "\(operation.id) needs a body, and the request has none", at: "/body",
        contract: requestBody.node, help: inQuery(request.input))
      return
    }
    guard !requestBody.content.isEmpty else {
      return result.skip("/body", "the contract documents a body without a media type")
    }
    content.validate(
      request.content, options, budget, contract: requestBody.node, into: &result, hint: { inQuery(request.input) })
  }

  /// Advice where the fields were sent in the query string instead.
  private func inQuery(_ input: ParameterInput) -> String? {
    let names = requestBody.content.flatMap { $0.schema.map { schemas.resolved($0).properties.map(\.name) } ?? [] }
    return BodyDecodingError.inQuery(names, input)?.sentence
  }
}
