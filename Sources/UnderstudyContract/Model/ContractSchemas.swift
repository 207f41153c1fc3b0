extension SchemaLibrary {
  /// The schemas of a contract, in the dialect of its version; references are followed through the contract's own store.
  package convenience init(of api: API, _ documents: DocumentStore, formats: FormatAssertion = .byDialect) {
    let loader = SchemaLoader {
      try? documents.document(ofURI: $0).get()
    } failure: {
      documents.failure(ofURI: $0)
    }
    self.init(
      dialect: api.specification.dialect, startingAt: api.root.document, assertsFormats: formats, loader: loader)
  }

  /// The findings of compiling the schemas of a contract: cycles, unknown dialects, invalid values of keywords. Patterns are a
  /// rule of the linter.
  package func problems(in api: API) -> [Diagnostic] {
    problems(of: LintSubject(api).all(.schema)).filter { $0.rule != .invalidPattern }
  }
}
