extension Rule {
  package static let specPathAmbiguous = Rule(
    "spec.path.ambiguous", .warning, owner: .contract, "Two paths can match one URL, and no rule says which does",
    help: """
      A path without expressions is matched before one with them (OAS 3.1, 4.8.8); where each of two has a literal in place of \
      the other's expression, it is up to the tool. Here the first segment that differs decides, literal first.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Books, version: "1"}
        paths:
          /{entity}/me:
            get:
              parameters: [{name: entity, in: path, required: true, schema: {}}]
              responses: {"200": {description: OK}}
          ↓/books/{id}:
            get:
              parameters: [{name: id, in: path, required: true, schema: {}}]
              responses: {"200": {description: OK}}
          /books/mine:
            get:
              responses: {"200": {description: OK}}
        """)
    ])
}

extension LintRule {
  static let pathAmbiguous = LintRule(.specPathAmbiguous) { subject in
    let candidates = subject.paths.map { path in
      (path: path, segments: PathTemplate(path.key.text).segments, methods: Set(path.operations.map(\.method)))
    }
    var findings: [Diagnostic] = []
    for group in Dictionary(grouping: candidates, by: \.segments.count).values {
      var comparisons = 0
      for (position, later) in group.enumerated() {
        // Enough for 3,000 paths of equal length; a hostile contract must not cost more.
        comparisons += position
        if comparisons > 5_000_000 { break }
        for earlier in group[..<position] {
          guard areAmbiguous(earlier.segments, later.segments), !earlier.methods.isDisjoint(with: later.methods) else {
            continue
          }
          findings.append(
            Diagnostic(
              .specPathAmbiguous, "the paths `\(later.path.key.text)` and `\(earlier.path.key.text)` can match one URL",
              at: later.path.key, notes: [Diagnostic.Note("the other path", at: Location(earlier.path.key))]))
          break
        }
      }
    }
    return findings
  }

  /// Each is more concrete than the other somewhere, and they agree everywhere else.
  private static func areAmbiguous(_ a: [[PathTemplate.Part]], _ b: [[PathTemplate.Part]]) -> Bool {
    var isFirstConcrete = false
    var isSecondConcrete = false
    for (a, b) in zip(a, b) where a != b {
      switch (isLiteral(a), isLiteral(b)) {
      case (true, true): return false
      case (true, false):
        guard isExpression(b) else { return false }
        isFirstConcrete = true
      case (false, true):
        guard isExpression(a) else { return false }
        isSecondConcrete = true
      // Two expressions match the same; where text stands around them, the one with more text is more concrete.
      case (false, false): continue
      }
    }
    return isFirstConcrete && isSecondConcrete
  }

  private static func isLiteral(_ segment: [PathTemplate.Part]) -> Bool {
    segment.allSatisfy { if case .literal = $0 { true } else { false } }
  }

  private static func isExpression(_ segment: [PathTemplate.Part]) -> Bool {
    if segment.count == 1, case .expression = segment[0] { true } else { false }
  }
}
