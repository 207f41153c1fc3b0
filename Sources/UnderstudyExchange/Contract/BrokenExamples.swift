extension CompiledContract {
  /// The examples that do not fit their schemas, as `readChat/200.first`; a cancelled task returns the findings so far.
  package func brokenExamples() -> [String] {
    let schemas = freshSchemas()
    let writer = BodyWriter(schemas: schemas)
    var broken: [String] = []
    for operation in operations where operation.operation.method != "HEAD" {
      for cell in operation.cells where !CompiledCell.isBodiless(cell.status.code) {
        for content in cell.content where !content.examples.isEmpty {
          guard !Task.isCancelled else { return broken }
          let validator = ContentValidator([content], api.specification, schemas, .response)
          for example in content.examples where !fits(example, content, writer, validator) {
            broken.append("\(operation.id)/\(cell.status)" + (example.name.map { ".\($0)" } ?? ""))
          }
        }
      }
    }
    return broken
  }

  private func fits(
    _ example: Example, _ content: MediaTypeObject, _ writer: BodyWriter, _ validator: ContentValidator
  ) -> Bool {
    let written: BodyWriter.Written
    switch example.value {
    case .data(let value):
      guard let body = try? writer.body(of: value, as: content, asJSON: true) else { return false }
      written = body
    case .serialized(let text): written = writer.body(text: Array(text.utf8), as: content)
    case .external: return true
    }
    var result = ValidationResult()
    validator.validate(
      MessageBody(written.bytes, contentType: written.contentType), ValidationOptions(), .unlimited,
      contract: content.node,
      into: &result)
    return result.isValid
  }
}
