/// The security requirements that no request can prove: scopes, and schemes outside HTTP.
package struct UnvalidatedSecurity {
  /// The reasons, each once, as validated requests give them: ``the scopes of `oauth` ``.
  package let reasons: [String]

  package init(_ mock: Mock) {
    reasons = mock.operations.flatMap { operation in
      let compiled = operation.compiled
      return compiled.operation.security.isEmpty
        ? []
        : SecurityCheck(compiled.operation.security, schemes: compiled.api.securitySchemes)
          .unvalidated(showsCertificates: mock.options.showsCertificates)
    }.unique()
  }
}
