/// Compiles a schema and all schemas that it refers to.
///
/// Each schema becomes one block for each combination of a dynamic scope (2020-12, 7.1) and the need for notes, which
/// an enclosing `unevaluated*` causes. Pending blocks wait on a stack, so that chains of references have any length,
/// and a recursive schema compiles once.
struct Compiler: ~Copyable {
  /// The most blocks; real contracts need fewer.
  static let maximumBlocks = 300_000
  /// The most dynamic scopes, whose number may double with every resource that has an anchor; real schemas need fewer.
  static let maximumScopes = 2_000

  var registry: ResourceRegistry
  let direction: Direction
  let assertion: FormatAssertion
  let assertsContent: Bool
  let traces: Bool
  var builder = ProgramBuilder()
  private(set) var problems: [Diagnostic] = []
  /// Keywords that no document had when the compiler looked for them. If a document that is loaded later has one, the
  /// compiled program is void.
  var takenForAbsent: KeywordSet = []
  /// A copy, since access to a global takes a lock.
  private let families = KeywordFamilies.all
  private var scopes = DynamicScopes()
  var exemptions = Exemptions()
  private var blockTable = BlockTable(capacity: 0)
  /// The blocks to compile, the next one last.
  private var pending = TableBuilder<UInt32>()
  private var reported: Set<ReportKey> = []
  private var isTooLarge = false

  init(
    registry: consuming ResourceRegistry, direction: Direction, assertion: FormatAssertion, assertsContent: Bool,
    traces: Bool
  ) {
    self.registry = registry
    self.direction = direction
    self.assertion = assertion
    self.assertsContent = assertsContent
    self.traces = traces
  }

  private struct ReportKey: Hashable {
    let node: NodeID
    let rule: Rule
  }

  /// Compiles the schemas at some nodes to one program, whose `roots` have the same order.
  mutating func compile(_ nodes: [JSON]) -> Program {
    var roots = [UInt32](repeating: 0, count: nodes.count)
    if let first = nodes.first {
      builder = ProgramBuilder(forSchemas: nodes.count)
      blockTable = BlockTable(capacity: nodes.count * 4)
      var schema = SchemaContext(in: first.document)
      // In the order of the document rather than of the request, so that memory is read in order.
      for position in nodes.indices.sorted(by: { nodes[$0].index < nodes[$1].index }) {
        roots[position] = block(at: registry.place(of: nodes[position]), scope: 0, marks: false)
        compilePending(&schema)
      }
    }
    let order = CallOrder(builder)
    for loop in order.loops {
      report(
        .schemaReferenceLoop, "the schema refers to itself without going deeper into the value",
        at: registry.json(builder.blocks[loop].place),
        help: "refer to it from `properties` or `items`, or remove the reference")
      refuse(loop, "the schema refers to itself")
    }
    var finished = ProgramBuilder()
    swap(&finished, &builder)
    return Program(
      linking: finished, in: order.blocks, roots: roots, documents: registry.documents, scopes: scopes.count,
      traces: traces)
  }

  /// Compiles the pending blocks in the order of the document, as far as references allow.
  private mutating func compilePending(_ schema: inout SchemaContext) {
    while let next = pending.popLast() {
      let waiting = pending.count
      compile(Int(next), &schema)
      // Blocks are compiled in the order in which they were added.
      pending.reverse(from: waiting)
    }
  }

  /// The block of a schema in a scope; a new one is compiled later.
  private mutating func block(
    at place: ResourceRegistry.SchemaPlace, scope outer: Int, marks: Bool, exemptions: UInt16 = 0
  ) -> UInt32 {
    let scope = registry.hasDynamicAnchors ? scopes.entering(place.resource, outer, registry) : outer
    let block = ProgramBuilder.Block(
      place: place.origin, resource: Int32(truncatingIfNeeded: place.resource),
      scope: Int32(truncatingIfNeeded: scope), marks: marks, exemptions: exemptions)
    if let known = blockTable.number(of: block, in: builder.blocks) { return known }
    let number = UInt32(builder.blocks.count)
    builder.blocks.append(block)
    pending.append(number)
    return number
  }

  /// Compiles one block; its entries in the builder's lists are adjacent.
  private mutating func compile(_ id: Int, _ schema: inout SchemaContext) {
    var block = builder.blocks[id]
    guard id < Self.maximumBlocks, scopes.count <= Self.maximumScopes else { return refuseTooLarge(id) }
    guard schema.resource == Int(block.resource) || schema.enter(resource: Int(block.resource), of: registry) else {
      let uri = registry.resources[Int(block.resource)].dialectNode
      report(
        .unknownDialect, "the dialect `\(uri?.text ?? "")` is unknown, so its schemas validate no values",
        at: uri ?? registry.json(block.place),
        help: "use draft 4, 6, 7, 2019-09, 2020-12 or a dialect of OpenAPI")
      return refuse(id, "the dialect of the schema is unknown")
    }
    let (code, callees) = (UInt32(builder.code.count), UInt32(builder.callees.count))
    switch schema.kind(of: block.place.node) {
    case .true: break
    case .false:
      builder.code.append(
        Instruction(operation: .fail, applies: .any, flags: [], a: 0, b: 0, origin: builder.origin(block.place)))
    case .object:
      schema.enter(block)
      if direction != .either, !schema.present.isDisjoint(with: families.conjunctions) {
        schema.exemptions = exemptions(of: schema)
      }
      compileKeywords(of: schema)
    default:
      let node = registry.json(block.place)
      report(.wrongKeywordValue, "expected a schema, found \(found(node)); it is ignored", at: node)
    }
    block.code = code..<UInt32(builder.code.count)
    block.callees = callees..<UInt32(builder.callees.count)
    builder.blocks[id] = block
  }

  private mutating func refuseTooLarge(_ id: Int) {
    let reason =
      scopes.count > Self.maximumScopes
      ? "the schema is too large: it has more than \(Self.maximumScopes) dynamic scopes"
      : "the schema is too large: it expands to more than \(Self.maximumBlocks) rules"
    // Reported once.
    if !isTooLarge {
      isTooLarge = true
      report(
        .schemaTooLarge, reason, at: registry.json(builder.blocks[id].place),
        help: "the rest is not validated; use parts of the schema")
    }
    refuse(id, reason)
  }

  private mutating func refuse(_ id: Int, _ reason: String) {
    let start = UInt32(builder.code.count)
    appendRefusal(reason, builder.blocks[id].place)
    builder.blocks[id].code = start..<start + 1
    builder.blocks[id].callees = 0..<0
  }

  private mutating func appendRefusal(
    _ reason: String, for kinds: JSONTypeSet = .any, of count: UInt32 = 0, _ place: Origin
  ) {
    let origin = builder.origin(place)
    builder.refusals[origin] = reason
    builder.code.append(Instruction(operation: .refuse, applies: kinds, flags: [], a: count, b: 0, origin: origin))
  }

  /// Compiles the keywords by family: cheap tests first, `unevaluated*` last.
  private mutating func compileKeywords(of schema: SchemaContext) {
    if schema.dialect.has(.refHidesSiblings), schema[.ref]?.isString == true {
      return compileReference(.ref, schema)
    }
    let present = schema.present
    if !present.isDisjoint(with: families.anyType) {
      compileTypes(schema)
      compileEnumerations(schema)
    }
    if !present.isDisjoint(with: families.numbers) { compileNumbers(schema) }
    if !present.isDisjoint(with: families.strings) {
      compileStrings(schema)
      compileFormat(schema)
      compileContent(schema)
    }
    if !present.isDisjoint(with: families.objects) { compileObjects(schema) }
    if !present.isDisjoint(with: families.arrays) {
      compileArrays(schema)
      compileContains(schema)
    }
    if !present.isDisjoint(with: families.inPlace) {
      compileReferences(schema)
      compileChoices(schema)
      compileConditions(schema)
    }
    if !present.isDisjoint(with: families.checked) { checkValues(schema) }
    if schema.hasUnevaluated { compileUnevaluated(schema) }
  }
}

/// The keywords of each family.
private struct KeywordFamilies {
  let anyType: KeywordSet = [.type, .enum, .const]
  let numbers: KeywordSet = [.minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf]
  let strings: KeywordSet = [.minLength, .maxLength, .pattern, .format, .contentEncoding, .contentMediaType]
  let objects: KeywordSet = [
    .minProperties, .maxProperties, .required, .properties, .patternProperties, .additionalProperties, .propertyNames,
  ]
  let arrays: KeywordSet = [.minItems, .maxItems, .prefixItems, .items, .additionalItems, .uniqueItems, .contains]
  let inPlace: KeywordSet = [
    .ref, .dynamicRef, .recursiveRef, .allOf, .anyOf, .oneOf, .not, .if, .dependencies, .dependentRequired,
    .dependentSchemas,
  ]
  /// Keywords whose values no other family always checks.
  let checked: KeywordSet = [
    .schema, .id, .draft4ID, .anchor, .dynamicAnchor, .recursiveAnchor, .defs, .definitions, .nullable, .xNullable,
    .contentEncoding, .contentMediaType, .contentSchema, .minContains, .maxContains, .if, .then, .else,
    .additionalItems, .discriminator, .readOnly, .writeOnly,
  ]
  /// Keywords that apply other schemas to the same value unconditionally.
  let conjunctions: KeywordSet = [.ref, .allOf]

  static let all = KeywordFamilies()
}

// MARK: - For the keyword families

extension Compiler {
  /// A branch for a schema that applies to a child of the value.
  mutating func child(_ node: JSON, of schema: SchemaContext) -> UInt32 {
    builder.branch(childBlock(node.index, of: schema))
  }

  mutating func childBlock(_ node: Int, of schema: SchemaContext) -> UInt32 {
    block(at: registry.place(node, in: schema.documentID), scope: schema.scope, marks: false)
  }

  /// A branch for a schema that applies to the value itself.
  mutating func inPlace(_ node: JSON, of schema: SchemaContext) -> UInt32 {
    builder.branch(inPlaceBlock(place(of: node, in: schema), of: schema))
  }

  /// The block of a subschema that applies to the value itself on a condition; a loop through it may be unreachable.
  mutating func conditionalBlock(_ node: JSON, of schema: SchemaContext) -> UInt32 {
    block(at: place(of: node, in: schema), scope: schema.scope, marks: schema.marks)
  }

  /// The place of a subschema in the same document.
  func place(of node: JSON, in schema: SchemaContext) -> ResourceRegistry.SchemaPlace {
    registry.place(node.index, in: schema.documentID)
  }

  mutating func inPlaceBlock(_ place: ResourceRegistry.SchemaPlace, of schema: SchemaContext) -> UInt32 {
    let id = block(at: place, scope: schema.scope, marks: schema.marks)
    builder.callees.append(id)
    return id
  }

  /// The block of a schema that always applies together with this one.
  mutating func conjunctBlock(_ place: ResourceRegistry.SchemaPlace, of schema: SchemaContext) -> UInt32 {
    let id = block(at: place, scope: schema.scope, marks: schema.marks, exemptions: schema.exemptions)
    builder.callees.append(id)
    return id
  }

  /// The target of a dynamic reference in the scope of a schema: the outermost anchor of that name.
  func dynamicTarget(_ name: String, in schema: SchemaContext) -> ResourceRegistry.SchemaPlace? {
    scopes.target(of: name, in: schema.scope).map { registry.place($0.node, in: $0.document) }
  }

  /// - Parameter node: The node of the keyword's value, in the schema's document.
  mutating func emit(
    _ operation: Instruction.Operation, _ applies: JSONTypeSet, _ a: UInt32 = 0, _ b: UInt32 = 0,
    flags: Instruction.Flags = [], at node: Int, in schema: SchemaContext
  ) {
    let origin = builder.origin(Origin(document: schema.documentID, node: node))
    builder.code.append(
      Instruction(operation: operation, applies: applies, flags: flags, a: a, b: b, origin: origin))
  }

  mutating func emit(
    _ operation: Instruction.Operation, _ applies: JSONTypeSet, _ a: UInt32 = 0, _ b: UInt32 = 0,
    flags: Instruction.Flags = [], at node: JSON, in schema: SchemaContext
  ) {
    emit(operation, applies, a, b, flags: flags, at: node.index, in: schema)
  }

  /// Emits an instruction that refuses all values of some types, for a reason.
  ///
  /// - Parameter count: The number of members from which on a value is refused.
  mutating func emitRefusal(
    _ reason: String, for kinds: JSONTypeSet = .any, of count: UInt32 = 0, at node: JSON, in schema: SchemaContext
  ) {
    appendRefusal(reason, for: kinds, of: count, Origin(document: schema.documentID, node: node.index))
  }

  /// Reports a problem of the schema, once for each node.
  mutating func report(
    _ rule: Rule, _ message: String, at node: JSON, severity: Severity? = nil, help: String? = nil
  ) {
    guard reported.insert(ReportKey(node: node.id, rule: rule)).inserted else { return }
    problems.append(Diagnostic(rule, message, at: Location(node), severity: severity, help: help))
  }

  /// Reports an invalid value of a keyword.
  ///
  /// - Parameters:
  ///   - consequence: The effect of the problem.
  ///   - severity: `.info` for a problem without an effect.
  mutating func reportWrongValue(
    _ keyword: Keyword, _ expected: String, _ node: JSON, consequence: String = "it is ignored",
    severity: Severity? = nil, help: String? = nil
  ) {
    report(
      .wrongKeywordValue, "`\(keyword.name)` expects \(expected), found \(found(node)); \(consequence)", at: node,
      severity: severity, help: help)
  }

  /// A value for messages: scalars with their type, containers as they are spelled.
  private func found(_ node: JSON) -> String {
    node.isArray || node.isObject ? Wording.quote(node) : Wording.found(node)
  }

  /// Advice for keywords in the form of an older draft.
  static let olderDialect = "declare the older draft with `$schema` or `--dialect`"

  /// The value of a keyword that must be a whole number that is not negative, clamped to 32 bits.
  mutating func bound(_ keyword: Keyword, in schema: SchemaContext) -> UInt32? {
    guard let node = schema[keyword] else { return nil }
    guard let number = node.number, number.isInteger, !number.isNegative else {
      reportWrongValue(keyword, "a whole number that is not negative", node)
      return nil
    }
    return UInt32(clamping: number.int ?? .max)
  }

  /// Emits the instruction of such a keyword, if present.
  ///
  /// - Parameter trivial: The bound that every value meets.
  mutating func emitBound(
    _ operation: Instruction.Operation, of keyword: Keyword, _ applies: JSONTypeSet, in schema: SchemaContext,
    trivial: UInt32? = nil
  ) {
    guard let bound = bound(keyword, in: schema), bound != trivial, let node = schema[keyword] else { return }
    emit(operation, applies, bound, at: node, in: schema)
  }
}
