extension SampleGenerator {
  /// An example of a parameter, or a sample of its schema if it has none.
  package func value(of parameter: Parameter) -> JSON? {
    (parameter.examples + (parameter.content?.examples ?? [])).lazy.compactMap(\.data).first
      ?? (parameter.schema ?? parameter.content?.schema).flatMap { sample(of: $0, direction: .request) }
  }
}

extension Example {
  package var data: JSON? { if case .data(let value) = value { value } else { nil } }
}
