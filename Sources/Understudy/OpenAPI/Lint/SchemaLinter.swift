package import JSONSchema

/// Finds what `Linter` knows of single schemas: keywords of another version, and those that a `$ref` hides.
package enum SchemaLinter {
  /// The findings in a schema and all that it refers to, in the order of the text; none in a dialect of no version of OpenAPI.
  package static func lint(_ schema: JSON, readAs dialect: Dialect?, from store: DocumentStore) -> [Diagnostic] {
    guard let specification = specification(of: dialect) else { return [] }
    let walk = ContractWalk.visit(schema: schema, ReferenceResolver(store: store), specification)
    let findings =
      LintRule.wrongDialect(in: walk.objects[.schema] ?? [], specification)
      + LintRule.ignoredSiblings(of: walk.references, specification)
    return findings.sorted { place($0) < place($1) }
  }

  /// Names that stand twice in an object of any document that a schema was read from.
  package static func duplicateKeys(in store: DocumentStore) -> [Diagnostic] {
    LintRule.duplicateKeys(in: store.documents)
  }

  private static func specification(of dialect: Dialect?) -> Specification? {
    let known: [(Dialect, Specification)] = [
      (.swagger2, .swagger2), (.openAPI30, .openAPI30), (.openAPI31, .openAPI31),
    ]
    return known.first { $0.0 == dialect }?.1
  }

  private static func place(_ finding: Diagnostic) -> (String, Int) {
    (finding.location?.path ?? "", finding.location?.range?.lowerBound ?? 0)
  }
}
