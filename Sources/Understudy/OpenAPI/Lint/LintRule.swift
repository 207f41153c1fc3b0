import JSONSchema

/// One check of the linter. To add one: copy a file of `OpenAPI/Rules`, name it in `all` below and in `Rule.spec`.
package struct LintRule: Sendable {
  package let rule: Rule
  /// The findings; their order does not matter.
  let check: @Sendable (LintSubject) -> [Diagnostic]

  init(_ rule: Rule, _ check: @escaping @Sendable (LintSubject) -> [Diagnostic]) {
    self.rule = rule
    self.check = check
  }

  package static let all: [LintRule] = [
    .duplicateKey, .refUnresolved, .refSiblings, .pathConflict, .pathAmbiguous, .pathParamUndeclared, .pathParamUnused,
    .pathParamRepeated, .pathAdjacent, .paramDuplicate, .paramQuerystring, .paramIgnored, .paramWireCollision,
    .paramStyleInvalid, .schemaUnsatisfiable,
    .schemaTypeFormat, .schemaWrongDialect, .schemaPatternInvalid, .schemaDiscriminator, .schemaRequiredDefault,
    .schemaEnumDuplicate, .securityUndefined, .responseNone, .responseDescription, .responsesKey, .linkBroken,
    .exampleExternal,
  ]
}

/// What a rule may look at: the model, and every object of the contract by kind, each once and references followed.
struct LintSubject: Sendable {
  let api: API
  let options: Linter.Options
  private let objects: [ObjectKind: [JSON]]
  let references: [ContractWalk.Reference]
  /// Every Schema Object, and in 2.0 what is one in all but name: parameters that are no body, headers.
  let schemas: [JSON]

  init(_ api: API, _ options: Linter.Options) {
    let walk = ContractWalk.visit(api)
    self.api = api
    self.options = options
    objects = walk.objects
    references = walk.references
    let disguised = api.specification == .swagger2 ? [ObjectKind.parameter, .header] : []
    schemas = (walk.objects[.schema] ?? []) + disguised.flatMap { walk.objects[$0] ?? [] }
  }

  var specification: Specification { api.specification }

  /// The schemas of the contract, for rules that follow references; the library keeps its results.
  var library: SchemaLibrary { SchemaLibrary(of: api, resolver.store) }

  /// Whether a schema object is a reference that hides the keywords beside it.
  func isPlainReference(_ schema: JSON) -> Bool { schema.reference != nil && specification < .openAPI31 }

  var resolver: ReferenceResolver { api.resolver }

  func all(_ kind: ObjectKind) -> [JSON] { objects[kind] ?? [] }

  /// The object at `value`, references followed; `nil` where they lead nowhere, which is another rule's finding.
  func resolve(_ value: JSON) -> JSON? { try? resolver.resolve(value).get() }

  /// The keys of `paths` with their operations.
  var paths: [(key: JSON, operations: [Operation])] {
    let operations = Dictionary(grouping: api.operations, by: { Array($0.path.utf8) })
    return all(.paths).flatMap(\.distinctMembers).compactMap { member in
      operations[member.key.bytes].map { (member.key, $0) }
    }
  }
}
