extension LintRule {
  static let pathAmbiguous = LintRule(
    "spec.path.ambiguous", .warning, "Two paths can match the same URL, and their order is undefined",
    help: """
      A path without expressions is matched before one with expressions (OAS 3.1, 4.8.8). Where each of two paths has a \
      literal in place of the other's expression, the choice is up to the tool. Understudy takes the path that has a literal \
      in the first segment that differs.
      """,
    .paths(
      """
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
      /{number}/you:
        get:
          parameters: [{name: number, in: path, required: true, schema: {type: integer}}]
          responses: {"200": {description: OK}}
      /{other}/{id}/pages:
        get:
          parameters:
            - {name: other, in: path, required: true, schema: {}}
            - {name: id, in: path, required: true, schema: {type: integer}}
          responses: {"200": {description: OK}}
      /books/first/{page}:
        get:
          parameters: [{name: page, in: path, required: true, schema: {}}]
          responses: {"200": {description: OK}}
      """)
  ) { subject, rule in
    let schemas = subject.library
    var tries: [Int: PathTrie] = [:]
    var isExhausted = false
    return subject.paths.compactMap { path in
      let candidate = PathCandidate(path.key, path.operations, schemas)
      let count = candidate.segments.count
      defer { tries[count, default: PathTrie()].insert(candidate) }
      let earlier = tries[count]?.first(ambiguousWith: candidate)
      if tries[count]?.isExhausted == true {
        defer { isExhausted = true }
        return isExhausted
          ? nil
          : Diagnostic(
            rule,
            "from `\(path.key.text)` on, paths are not compared with all others: the limit of "
              + "\(PathTrie.maximumVisits) steps is reached", at: Location(path.key), severity: .info)
      }
      guard let earlier else { return nil }
      return Diagnostic(
        rule, "the paths `\(path.key.text)` and `\(earlier.key.text)` can match the same URL", at: path.key,
        notes: [Diagnostic.Note("the other path", at: Location(earlier.key))])
    }
  }
}
