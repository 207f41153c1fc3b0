package import UnderstudyMock

/// One contract or several as texts, with fixtures and other files.
///
/// Files that the product reads from disk are in a temporary folder, which is removed after the call. The files have no
/// arrows that mark places (`MarkedText`).
package struct ContractFixture: Sendable {
  /// The texts by path. A single contract is `api.yaml`, and its fixtures are below `fixtures/api`.
  package private(set) var files: [String: String]
  /// `file line:column` of every mark, by file.
  package private(set) var marks: [String] = []
  private let contracts: [String]

  /// A contract with fixtures by `<operation>/<file>` and other files by path.
  package init(_ contract: String, fixtures: [String: String] = [:], files: [String: String] = [:]) {
    let fixtures = fixtures.map { ("fixtures/api/\($0.key)", $0.value) }
    self.init(contracts: ["api.yaml": contract], files: files.merging(fixtures) { _, new in new })
  }

  /// Several contracts by path, which are loaded in the order of their paths.
  package init(contracts: [String: String], files: [String: String] = [:]) {
    self.contracts = contracts.keys.sorted()
    self.files = files.merging(contracts) { _, new in new }
    for path in self.files.keys.sorted() {
      let marked = MarkedText(self.files[path] ?? "", path: path)
      self.files[path] = marked.text
      marks += marked.offsets.map { offset in
        let position = marked.source.position(of: offset)
        return "\(path) \(position.line):\(position.column)"
      }
    }
  }

  /// A contract of a version with one operation, `POST /pets/{id}`; `operation` has the lines below `post:`.
  package init(operation: String, version: String = "3.1.0", components: String = "{}") {
    let indented = operation.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")
    self.init(
      """
      \(version == "2.0" ? "swagger: \"2.0\"" : "openapi: \(version)")
      info: {title: Test, version: "1"}
      paths:
        /pets/{id}:
          post:
      \(indented)
      \(version == "2.0" ? "" : "components: \(components)")
      """)
  }

  /// The text of a contract in OpenAPI 3.1 with these paths, and what follows them.
  package static func text(paths: String) -> String {
    "openapi: 3.1.0\ninfo: {title: Pets, version: \"1\"}\npaths:\n" + paths
  }

  // MARK: - In memory

  /// The files as documents with references to each other.
  package var documents: DocumentStore { .inMemory(files) }

  /// The first contract, `nil` if it is not readable, and its findings.
  ///
  /// - Parameter access: The files that it may name.
  package func read(within access: FileAccess = .unlimited) -> (api: API?, diagnostics: [Diagnostic]) {
    OpenAPIReader.read(contracts[0], from: .inMemory(files, access: access))
  }

  /// The first contract.
  package var api: API {
    get throws {
      let (api, diagnostics) = read()
      guard let api else { throw ContractUnusable(diagnostics) }
      return api
    }
  }

  /// Validates exchanges by the first contract.
  package func validator(_ options: ValidationOptions = ValidationOptions()) throws -> TextValidator {
    try TextValidator(contracts[0], from: documents, options: options)
  }

  // MARK: - On disk

  /// The first contract with its fixtures.
  package func contract() throws -> Contract {
    try withProject(files) { try load(contracts[0], in: $0) }
  }

  /// A mock of all contracts that does not need their files.
  package func mock(configure: (inout Mock.Options) -> Void = { _ in }) throws -> Mock {
    try withMock(configure: configure) { $0 }
  }

  /// A mock of all contracts, whose files exist while `body` runs.
  package func withMock<R>(
    basePaths: BasePathPolicy = .servers, configure: (inout Mock.Options) -> Void = { _ in },
    _ body: (Mock) throws -> R
  ) throws -> R {
    try withProject(files) { folder in
      var options = Mock.Options()
      configure(&options)
      let loaded = try contracts.map { try load($0, in: folder, basePaths: basePaths) }
      return try body(Mock(contracts: loaded, options: options))
    }
  }

  private func load(
    _ path: String, in folder: String, basePaths: BasePathPolicy = .servers
  ) throws -> Contract {
    let loaded = Contract.load("\(folder)/\(path)", fixtures: "\(folder)/fixtures", basePaths: basePaths)
    guard let contract = loaded.contract else { throw ContractUnusable(loaded.diagnostics) }
    return contract
  }
}

/// An unusable contract of a test, with the reasons.
package struct ContractUnusable: Error, CustomStringConvertible {
  /// The messages of all findings.
  package let description: String

  package init(_ diagnostics: [Diagnostic]) {
    description = diagnostics.map(\.message).joined(separator: "\n")
  }
}
