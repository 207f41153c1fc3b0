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
    let candidates = subject.paths.map { Candidate($0.key, $0.operations, schemas) }
    var findings: [Diagnostic] = []
    for group in Dictionary(grouping: candidates, by: \.segments.count).values {
      var comparisons = 0
      for (position, later) in group.enumerated() {
        // Enough for 3,000 paths of seven segments each, and a bound for hostile contracts.
        comparisons += position * later.segments.count
        if comparisons > 30_000_000 { break }
        guard let earlier = group[..<position].first(where: { $0.isAmbiguous(with: later) }) else { continue }
        findings.append(
          Diagnostic(
            rule, "the paths `\(later.key.text)` and `\(earlier.key.text)` can match the same URL", at: later.key,
            notes: [Diagnostic.Note("the other path", at: Location(earlier.key))]))
      }
    }
    return findings
  }

  private struct Candidate {
    enum Segment: Equatable {
      case literal([UInt8])
      /// A single expression; whether its parameter accepts any text.
      case expression(takesText: Bool)
      case mixed([PathTemplate.Part])
    }

    let key: JSON
    let segments: [Segment]
    private let methods: Set<String>

    init(_ key: JSON, _ operations: [Operation], _ schemas: SchemaLibrary) {
      self.key = key
      methods = Set(operations.map(\.method))
      let parameters = operations.flatMap(\.parameters).filter { $0.location == .path }
      var segments: [Segment] = []
      for parts in PathTemplate(key.text).segments {
        switch parts.first {
        case .expression(let name) where parts.count == 1:
          let parameter = parameters.first { $0.name.utf8.elementsEqual(name) }
          let types = parameter?.schema.map { schemas.resolved($0).types } ?? .any
          segments.append(.expression(takesText: types.contains(.string)))
        case .literal(let text) where parts.count == 1: segments.append(.literal(text))
        case nil: segments.append(.literal([]))
        default: segments.append(.mixed(parts))
        }
      }
      self.segments = segments
    }

    /// Whether each path has a literal in place of an expression of the other, and all other segments agree.
    func isAmbiguous(with other: Candidate) -> Bool {
      var isConcrete = false
      var isOtherConcrete = false
      for (mine, theirs) in zip(segments, other.segments) where mine != theirs {
        switch (mine, theirs) {
        case (.literal, .expression(takesText: true)): isConcrete = true
        case (.expression(takesText: true), .literal): isOtherConcrete = true
        case (.expression, .expression), (.expression, .mixed), (.mixed, .expression): continue
        // A literal is not a value of a number, and text within a segment separates two paths.
        default: return false
        }
      }
      return isConcrete && isOtherConcrete && !methods.isDisjoint(with: other.methods)
    }
  }
}
