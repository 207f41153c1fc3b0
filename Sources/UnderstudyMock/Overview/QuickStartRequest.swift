/// The first request to send to a mock: it asks for a documented status.
package struct QuickStartRequest: Sendable {
  let method: String
  /// With the base path and values for the expressions.
  let target: String
  let code: Int

  /// Prefers GET, an operation with an error, and a path without parameters; `nil` if no response is documented.
  package init?(of mock: Mock) {
    let ranks = mock.operations.map(Self.rank)
    let ranked = mock.operations.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    guard let first = ranked.lazy.compactMap({ Self(mock.operations[$0], seed: mock.options.seed) }).first else {
      return nil
    }
    self = first
  }

  private static func rank(_ mocked: MockOperation) -> Int {
    (mocked.compiled.operation.method == "GET" ? 0 : 4) + (error(of: mocked) == nil ? 2 : 0)
      + (mocked.compiled.operation.template.names.isEmpty ? 0 : 1)
  }

  private static func error(of mocked: MockOperation) -> Int? { mocked.cells.map(\.status.code).first { $0 >= 400 } }

  private init?(_ mocked: MockOperation, seed: String) {
    let operation = mocked.compiled.operation
    // Clients wait for a final answer after 1xx, and do not send what follows a `#`.
    guard !operation.path.utf8.contains(UInt8(ascii: "#")),
      let code = Self.error(of: mocked) ?? mocked.cells.map(\.status.code).first(where: { $0 >= 200 })
    else { return nil }
    guard let target = Self.target(of: mocked, seed: seed) else { return nil }
    method = operation.method
    self.target = target
    self.code = code
  }

  /// The path of an operation, with its base path and values for the expressions; `nil` where none can be generated.
  static func target(of mocked: MockOperation, seed: String) -> String? {
    let operation = mocked.compiled.operation
    let generator = SampleGenerator(schemas: mocked.compiled.schemas, seed: seed)
    let values = operation.parameters.filter { $0.location == .path }.compactMap { parameter in
      let encoded = ParameterEncoder(parameter).encode(generator.value(of: parameter) ?? "text")
      return if case .path(let text)? = encoded { (name: parameter.name, text: text) } else { nil }
    }
    return operation.template.filled(with: values).map { mocked.compiled.basePath + $0 }
  }

  /// The command line for the mock's address, without a trailing slash.
  package func curl(to url: String) -> String {
    var fields = HTTPFields()
    if let prefer = HTTPField.Name("Prefer") { fields[prefer] = "code=\(code)" }
    return CurlLine(method: method, url: url + target, fields: fields, body: .none).text()
  }
}
