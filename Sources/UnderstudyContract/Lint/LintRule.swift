import UnderstudySystem

/// One check of the linter. To add one, copy a file of `OpenAPI/Rules` and list it in `all`.
package struct LintRule: Sendable {
  package let rule: Rule
  private let check: @Sendable (LintSubject, Rule) -> [Diagnostic]

  init(
    _ id: String, _ severity: Severity, _ summary: String, help: String, _ examples: Rule.Example...,
    check: @escaping @Sendable (LintSubject, Rule) -> [Diagnostic]
  ) {
    self.init(Rule(id, severity, owner: .contract, summary, help: help, examples: examples), check: check)
  }

  init(_ rule: Rule, check: @escaping @Sendable (LintSubject, Rule) -> [Diagnostic]) {
    self.rule = rule
    self.check = check
  }

  /// The findings, in any order.
  func findings(in subject: LintSubject) -> [Diagnostic] { check(subject, rule) }

  package static let all: [LintRule] = [
    .duplicateKey, .refUnresolved, .refOutside, .refChain, .refSiblings, .pathConflict, .pathAmbiguous,
    .pathParamUndeclared, .pathParamUnused,
    .pathParamRepeated, .pathAdjacent, .paramDuplicate, .paramQuerystring, .paramIgnored, .paramWireCollision,
    .paramStyleInvalid, .paramSchema, .paramRequired, .paramType, .schemaUnsatisfiable, .schemaTypeFormat,
    .schemaWrongDialect, .schemaPatternInvalid, .schemaTimeLimit,
    .schemaDiscriminator, .schemaRequiredDefault, .schemaEnumDuplicate, .securityUndefined, .responseNone,
    .responseDescription, .responsesKey, .linkBroken, .exampleExternal,
  ]
}

/// What a rule checks: the model, and every object of the contract by kind, each once, references followed.
package final class LintSubject: Sendable {
  let api: API
  let options: Linter.Options
  private let objects: [ObjectKind: [JSON]]
  let references: [ContractWalk.Reference]
  /// Every Schema Object; in 2.0 also the parameters and headers, which hold the keywords of a schema themselves.
  package let schemas: [JSON]
  private let lazyLibrary = Lazy<SchemaLibrary>()

  package convenience init(_ api: API, _ options: Linter.Options = Linter.Options()) {
    self.init(api, options, ContractWalk.visit(api.root, as: .contract, api))
  }

  init(_ api: API, _ options: Linter.Options, _ walk: ContractWalk) {
    self.api = api
    self.options = options
    objects = walk.objects
    references = walk.references
    let kinds: [ObjectKind] = api.specification == .swagger2 ? [.schema, .parameter, .header] : [.schema]
    schemas = kinds.flatMap { walk.objects[$0] ?? [] }
  }

  var specification: Specification { api.specification }
  var resolver: ReferenceResolver { api.resolver }

  /// The schemas of the contract, for rules that follow references; the library keeps its results.
  var library: SchemaLibrary { lazyLibrary.value { SchemaLibrary(of: api, resolver.store) } }

  /// Whether a schema object is a reference that hides the keywords beside it.
  func isPlainReference(_ schema: JSON) -> Bool { schema.reference != nil && specification < .openAPI31 }

  func all(_ kind: ObjectKind) -> [JSON] { objects[kind] ?? [] }

  /// The object at `value`, references followed; `nil` for a broken reference, which another rule reports.
  func resolve(_ value: JSON) -> JSON? { try? resolver.resolve(value).get() }

  /// The keys of `paths` with their operations.
  var paths: [(key: JSON, operations: [Operation])] {
    let operations = Dictionary(grouping: api.operations, by: { Array($0.path.utf8) })
    return all(.paths).flatMap(\.distinctMembers).compactMap { member in
      operations[member.key.bytes].map { (member.key, $0) }
    }
  }
}
