/// Checks a contract, or a single schema, beyond what reading it requires.
package enum Linter {
  /// What the linter cannot do by itself.
  package struct Options: Sendable {
    /// Why a `pattern` is not a regular expression of ECMA-262; `nil` for a valid one. Without it patterns are not checked.
    package var patternProblem: (@Sendable (_ pattern: String) -> String?)?
    /// Whether the file of an `externalValue` exists.
    package var fileExists: @Sendable (_ path: String) -> Bool

    package init(
      patternProblem: (@Sendable (String) -> String?)? = nil,
      fileExists: @escaping @Sendable (String) -> Bool = { FileSystem.exists($0) }
    ) {
      self.patternProblem = patternProblem
      self.fileExists = fileExists
    }
  }

  /// All findings about a contract, those of reading it included, in the order of the files; `others` are findings about
  /// extensions and those of the schema compiler.
  package static func lint(_ api: API, options: Options = Options(), others: [Diagnostic] = []) -> [Diagnostic] {
    check(api, LintRule.all, options, others)
  }

  /// The findings of reading, and every broken, forbidden or costly reference: the part of `lint` that a server needs. Reading follows no
  /// reference of a schema; afterwards `api.files` holds every file that the contract reaches.
  package static func checkReferences(of api: API) -> [Diagnostic] {
    check(api, [.refUnresolved, .refOutside, .refChain], Options())
  }

  private static func check(
    _ api: API, _ rules: [LintRule], _ options: Options, _ others: [Diagnostic] = []
  ) -> [Diagnostic] {
    var findings = api.diagnostics + others
    // The rules are about objects of OpenAPI, which a routes file does not have.
    if api.routes == nil {
      let subject = LintSubject(api, options)
      findings += rules.flatMap { $0.findings(in: subject) }
    }
    let order = Dictionary(
      api.files.enumerated().map { (ObjectIdentifier($0.element), $0.offset) }, uniquingKeysWith: { first, _ in first })
    let placed = findings.map { finding in
      let file = finding.location?.source.flatMap { order[ObjectIdentifier($0)] } ?? order.count
      return (place: [file, finding.location?.range?.lowerBound ?? 0], finding: finding)
    }
    // The reader and a rule may report the same reference. At a place where a rule reports, the schema compiler's finding
    // adds nothing.
    var seen: Set<[String]> = []
    let reported = Set(placed.filter { !Rule.schema.contains($0.finding.rule) }.map(\.place))
    return placed.sorted { $0.place.lexicographicallyPrecedes($1.place) }.filter { place, finding in
      seen.insert([finding.rule.id, "\(place)", finding.location?.pointer ?? "", finding.message]).inserted
        && !(compilerRules.contains(finding.rule) && reported.contains(place))
    }
    .map(\.finding)
  }

  private static let compilerRules: [Rule] = [.wrongKeywordValue, .unresolvedSchemaReference]

  /// Keywords of another version and keywords that a `$ref` hides, in a schema and all that it refers to, in the order of
  /// the text; none in a dialect that belongs to no version of OpenAPI.
  package static func lint(schema: JSON, in dialect: Dialect?, from store: DocumentStore) -> [Diagnostic] {
    guard let specification = Specification.allCases.first(where: { $0.dialect == dialect }) else { return [] }
    let api = API(specification: specification, root: schema, resolver: ReferenceResolver(store: store))
    let subject = LintSubject(api, Options(), ContractWalk.visit(schema, as: .schema, api))
    func place(_ finding: Diagnostic) -> (String, Int) {
      (finding.location?.path ?? "", finding.location?.range?.lowerBound ?? 0)
    }
    return [LintRule.schemaWrongDialect, .refSiblings].flatMap { $0.findings(in: subject) }.sorted {
      place($0) < place($1)
    }
  }

  /// The duplicate keys in the documents that a schema was read from.
  package static func duplicateKeys(in store: DocumentStore) -> [Diagnostic] {
    LintRule.duplicateKeys(in: store.documents)
  }
}
