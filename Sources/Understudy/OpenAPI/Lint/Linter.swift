import JSONSchema

/// Finds what is wrong with a contract beyond what keeps it from being read.
package enum Linter {
  /// What a rule must ask of others.
  package struct Options: Sendable {
    /// Why a `pattern` is no regular expression of ECMA-262; `nil` when it is one. Without it patterns are not validated.
    package var patternProblem: (@Sendable (_ pattern: String) -> String?)?
    /// Whether a file is there, for `externalValue`.
    package var fileExists: @Sendable (_ path: String) -> Bool

    package init(
      patternProblem: (@Sendable (String) -> String?)? = nil,
      fileExists: @escaping @Sendable (String) -> Bool = { FileSystem.exists($0) }
    ) {
      self.patternProblem = patternProblem
      self.fileExists = fileExists
    }
  }

  /// Everything that is wrong with the contract, what reading found included, in the order of the files; `others` are
  /// findings about extensions, made by whoever gives them a meaning, and those of whoever compiles the schemas.
  package static func lint(_ api: API, options: Options = Options(), others: [Diagnostic] = []) -> [Diagnostic] {
    check(api, LintRule.all, options, others)
  }

  /// What reading found, and every reference that leads nowhere: the part of `lint` that whoever serves a contract must
  /// know. Reading follows no reference of a schema; afterwards `api.files` holds every file that the contract reaches.
  package static func checkReferences(of api: API) -> [Diagnostic] { check(api, [.refUnresolved], Options()) }

  private static func check(
    _ api: API, _ rules: [LintRule], _ options: Options, _ others: [Diagnostic] = []
  ) -> [Diagnostic] {
    let subject = LintSubject(api, options)
    var findings = api.diagnostics + others
    for rule in rules { findings += rule.check(subject) }
    let order = Dictionary(
      api.files.enumerated().map { (ObjectIdentifier($0.element), $0.offset) }, uniquingKeysWith: { first, _ in first })
    let placed = findings.map { finding in
      let file = finding.location?.source.flatMap { order[ObjectIdentifier($0)] } ?? order.count
      return Placed(file: file, offset: finding.location?.range?.lowerBound ?? 0, finding: finding)
    }
    // A reference that both the reader and a rule complain about is one finding; where a rule says more, the compiler of
    // schemas need not say it again.
    var seen: Set<Placed.Key> = []
    let told = Set(placed.filter { !Rule.schema.contains($0.finding.rule) }.map(\.place))
    return placed.sorted { ($0.file, $0.offset) < ($1.file, $1.offset) }.filter {
      seen.insert($0.key).inserted && !(Self.compilers.contains($0.finding.rule) && told.contains($0.place))
    }
    .map(\.finding)
  }

  private static let compilers: [Rule] = [.wrongKeywordValue, .unresolvedSchemaReference]

  private struct Placed {
    var file: Int
    var offset: Int
    var finding: Diagnostic

    var place: [Int] { [file, offset] }

    var key: Key {
      Key(rule: finding.rule, file: file, offset: offset, pointer: finding.location?.pointer, message: finding.message)
    }

    struct Key: Hashable {
      var rule: Rule
      var file: Int
      var offset: Int
      var pointer: String?
      var message: String
    }
  }
}
