extension CompiledContract {
  /// Compiles an operation that the provider calls: a webhook, or an operation of a callback.
  package func compiled(_ operation: Operation, as name: String) -> CompiledOperation {
    var operation = operation
    operation.id = name
    return CompiledOperation(operation, of: api, schemas, secrets, basePaths: .servers, violations: violations)
  }
}

extension CompiledOperation {
  /// A body that a request may have, with its media type; `nil` where the contract describes none, or no sample is found.
  ///
  /// - Parameter value: The value in place of the first example or of a sample.
  package func requestBody(
    _ value: JSON?, seed: String, isDynamic: Bool = false
  ) -> (contentType: String, bytes: [UInt8])? {
    let contents = operation.requestBody?.content ?? []
    guard let content = contents.first(where: { MediaRange($0.range)?.syntax == .json }) ?? contents.first else {
      return value.map { ("application/json", JSONWriter.bytes($0)) }
    }
    let writer = BodyWriter(schemas: schemas)
    var value = value
    if value == nil, !isDynamic, let example = content.examples.first {
      switch example.value {
      case .data(let data): value = data
      case .serialized(let text):
        let written = writer.body(text: Array(text.utf8), as: content)
        return (written.contentType, written.bytes)
      case .external: break
      }
    }
    value =
      value
      ?? content.schema.flatMap { SampleGenerator(schemas: schemas, seed: seed).sample(of: $0, direction: .request) }
    guard let value, let written = try? writer.body(of: value, as: content, asJSON: true) else { return nil }
    return (written.contentType, written.bytes)
  }

  /// The required headers of a request, from examples and samples.
  package func requiredHeaders(seed: String) -> [(name: String, value: String)] {
    let generator = SampleGenerator(schemas: schemas, seed: seed)
    return operation.parameters.filter { $0.location == .header && $0.isRequired }.compactMap { parameter in
      var value: JSON?
      if case .data(let data)? = parameter.examples.first?.value { value = data }
      value = value ?? parameter.schema.flatMap { generator.sample(of: $0, direction: .request) }
      guard let text = value?.plainText, HeaderText.isName(parameter.name), HeaderText.isValue(text) else { return nil }
      return (parameter.name, text)
    }
  }
}
