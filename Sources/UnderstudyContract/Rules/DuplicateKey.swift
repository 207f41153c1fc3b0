extension LintRule {
  static let duplicateKey = LintRule(
    "spec.duplicate-key", .error, "An object has the same key twice",
    help: """
      YAML forbids duplicate keys (1.2.2, 3.2.1.1), and JSON leaves open which one counts (RFC 8259, 4). Understudy reads the \
      last one.
      """,
    .responses(
      """
      "200": {description: OK}
      "404": {description: Not found}
      ↓"200": {description: Fine}
      """)
  ) { subject, _ in duplicateKeys(in: subject.resolver.store.documents) }

  static func duplicateKeys(in documents: [JSONDocument]) -> [Diagnostic] {
    documents.flatMap { document in
      document.duplicates.map { problem in
        Diagnostic(
          duplicateKey.rule, problem.message, at: document.source.map { Location($0, problem.range) },
          help: problem.help)
      }
    }
  }
}
