extension Rule {
  package static let specDuplicateKey = Rule(
    "spec.duplicate-key", .error, owner: .contract, "A key stands twice in one object",
    help: """
      YAML forbids it (1.2.2, 3.2.1.1), and JSON leaves open which one counts (RFC 8259, 4). Here the last one is read, and \
      the first is lost.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              responses:
                "200": {description: OK}
                "404": {description: Not found}
                ↓"200": {description: Fine}
        """)
    ])
}

extension LintRule {
  static let duplicateKey = LintRule(.specDuplicateKey) { duplicateKeys(in: $0.resolver.store.documents) }

  static func duplicateKeys(in documents: [JSONDocument]) -> [Diagnostic] {
    documents.flatMap { document in
      document.duplicates.map { problem in
        Diagnostic(
          .specDuplicateKey, problem.message, at: document.source.map { Location($0, problem.range) },
          help: problem.help)
      }
    }
  }
}
