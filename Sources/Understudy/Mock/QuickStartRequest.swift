import JSONSchema

/// The first request to send to a mock: a documented answer of one of its operations, asked for by name.
package struct QuickStartRequest: Sendable {
  let method: String
  /// With the base path and values for the expressions.
  let target: String
  /// The documented status that is asked for.
  let code: Int

  /// Chooses what shows most with the least typing: GET before other methods, an operation with an error before those
  /// without, a plain path before one with parameters. `nil` where no operation documents an answer.
  package init?(of mock: Mock) {
    let ranked = mock.operations.enumerated().sorted {
      (Self.rank($0.element), $0.offset) < (Self.rank($1.element), $1.offset)
    }
    guard let first = ranked.lazy.compactMap({ Self($0.element, seed: mock.options.seed) }).first else { return nil }
    self = first
  }

  private static func rank(_ mocked: MockOperation) -> Int {
    (mocked.compiled.operation.method == "GET" ? 0 : 4) + (error(of: mocked) == nil ? 2 : 0)
      + (PathTemplate(mocked.compiled.operation.path).names.isEmpty ? 0 : 1)
  }

  private static func error(of mocked: MockOperation) -> Int? {
    mocked.cells.map(\.status.code).first { $0 >= 400 }
  }

  private init?(_ mocked: MockOperation, seed: String) {
    let operation = mocked.compiled.operation
    // An interim answer (1xx) is none, and behind a `#` nothing is sent.
    guard !operation.path.utf8.contains(UInt8(ascii: "#")),
      let code = Self.error(of: mocked) ?? mocked.cells.map(\.status.code).first(where: { $0 >= 200 })
    else {
      return nil
    }
    let generator = SampleGenerator(schemas: mocked.compiled.schemas, seed: seed)
    let values = operation.parameters.filter { $0.location == .path }.compactMap { parameter in
      Self.value(of: parameter, generator).map { (name: parameter.name, text: $0) }
    }
    guard let path = PathTemplate(operation.path).filled(with: values) else { return nil }
    method = operation.method
    target = mocked.compiled.basePath + path
    self.code = code
  }

  private static func value(of parameter: Parameter, _ generator: SampleGenerator) -> String? {
    let value =
      (parameter.examples + (parameter.content?.examples ?? [])).lazy.compactMap(\.data).first
      ?? (parameter.schema ?? parameter.content?.schema).flatMap { generator.sample(of: $0, direction: .request) }
    guard case .path(let text)? = ParameterEncoder(parameter).encode(value ?? "text") else { return nil }
    return text
  }

  /// The line to type.
  /// - Parameter url: where the mock listens, without a slash at its end.
  package func curl(to url: String) -> String {
    var fields = HTTPFields()
    if let prefer = HTTPField.Name("Prefer") { fields[prefer] = "code=\(code)" }
    return CurlLine(method: method, url: url + target, fields: fields, body: .none).text()
  }
}
