/// Turns a schema and all that it refers to into a program.
///
/// Each schema becomes one block for each way it can be met: under which dynamic scope (2020-12, 7.1), and whether an
/// `unevaluated*` outside wants to know what it evaluates. Blocks wait in a list for their turn, so that no chain of
/// references is too long for the stack, and a recursive schema compiles once.
struct Compiler {
  /// More blocks than any honest contract needs.
  private static let maximumBlocks = 300_000

  var registry: ResourceRegistry
  let direction: Direction
  let assertion: FormatAssertion
  let assertsContent: Bool
  let traces: Bool
  var builder = ProgramBuilder()
  private(set) var problems: [Diagnostic] = []
  private var scopes = DynamicScopes()
  private var blockIDs: [BlockKey: Int] = [:]
  private var pending: [(block: Int, key: BlockKey, resource: Int)] = []
  private var reported: Set<ReportKey> = []

  init(
    registry: ResourceRegistry, direction: Direction, assertion: FormatAssertion, assertsContent: Bool, traces: Bool
  ) {
    self.registry = registry
    self.direction = direction
    self.assertion = assertion
    self.assertsContent = assertsContent
    self.traces = traces
  }

  private struct BlockKey: Hashable {
    let document: Int
    let node: Int
    let scope: Int
    let marks: Bool
  }

  private struct ReportKey: Hashable {
    let document: ObjectIdentifier
    let node: Int
    let rule: String
  }

  /// Compiles the schemas at some nodes to one program, whose `roots` stand in the same order.
  mutating func compile(_ nodes: [JSON]) -> Program {
    let roots = nodes.map { block(at: registry.place(of: $0), scope: 0, marks: false) }
    while let next = pending.popLast() { compile(next.block, next.key, resource: next.resource) }
    for loop in Linker.loops(builder.blocks) {
      let origin = builder.blocks[loop].origin
      report(
        .schemaReferenceLoop, "the schema refers to itself without going deeper into the value",
        at: builder.origins[Int(origin)], help: "refer to it from within `properties` or `items`, or drop the reference"
      )
      builder.refusals[origin] = "the schema refers to itself in a circle"
      builder.blocks[loop].code = [Self.refusal(origin)]
      builder.blocks[loop].inPlace = []
    }
    return Program(linking: builder, roots: roots, traces: traces)
  }

  /// The block of a schema, met in a scope; compiled later when it is new.
  private mutating func block(at place: ResourceRegistry.Place, scope: Int, marks: Bool) -> Int {
    let scope = scopes.entering(registry.resources[place.resource], scope)
    let key = BlockKey(document: place.document, node: place.node, scope: scope, marks: marks)
    if let known = blockIDs[key] { return known }
    builder.blocks.append(ProgramBuilder.Block())
    let id = builder.blocks.count - 1
    blockIDs[key] = id
    builder.blocks[id].origin = builder.origin(registry.json(place))
    if id < Self.maximumBlocks {
      pending.append((id, key, place.resource))
    } else {
      refuse(id, "the schema is too large: it stands for more than \(Self.maximumBlocks) rules")
    }
    return id
  }

  private mutating func compile(_ id: Int, _ key: BlockKey, resource: Int) {
    let place = ResourceRegistry.Place(document: key.document, node: key.node, resource: resource)
    let node = registry.json(place)
    guard let dialect = registry.resources[resource].dialect else {
      let uri = registry.resources[resource].dialectNode
      report(
        .unknownDialect, "the dialect `\(uri?.string ?? "")` is not known, so nothing is judged by it", at: uri ?? node,
        help: "known are drafts 4, 6, 7, 2019-09, 2020-12 and the dialects of OpenAPI")
      refuse(id, "the schema is written in a dialect that is not known")
      return
    }
    switch node.kind {
    case .true: break
    case .false:
      builder.blocks[id].code = [
        Instruction(operation: .fail, applies: .any, flags: [], a: 0, b: 0, origin: builder.blocks[id].origin)
      ]
    case .object:
      var schema = SchemaContext(node, dialect, resource: resource, scope: key.scope, marks: key.marks, block: id)
      compileKeywords(of: &schema)
      builder.blocks[id].code = schema.code
      builder.blocks[id].isUnevaluated = schema.hasUnevaluated
    default:
      report(.wrongKeywordValue, "expected a schema, found \(node.kindName)", at: node)
    }
  }

  private mutating func refuse(_ id: Int, _ reason: String) {
    let origin = builder.blocks[id].origin
    builder.refusals[origin] = reason
    builder.blocks[id].code = [Self.refusal(origin)]
  }

  private static func refusal(_ origin: UInt32) -> Instruction {
    Instruction(operation: .refuse, applies: .any, flags: [], a: 0, b: 0, origin: origin)
  }

  /// Every family looks for its own keywords; what is cheap to test comes first, `unevaluated*` must come last.
  private mutating func compileKeywords(of schema: inout SchemaContext) {
    if schema.dialect.has(.refHidesSiblings), schema[.ref]?.isString == true {
      compileReferences(&schema)
      return
    }
    compileTypes(&schema)
    compileEnumerations(&schema)
    compileNumbers(&schema)
    compileStrings(&schema)
    compileFormat(&schema)
    compileContent(&schema)
    compileObjects(&schema)
    compileArrays(&schema)
    compileContains(&schema)
    compileReferences(&schema)
    compileChoices(&schema)
    compileConditions(&schema)
    compileUnevaluated(&schema)
  }
}

// MARK: - For the keyword families

extension Compiler {
  /// A branch for a schema that applies to a child of the value.
  mutating func child(_ node: JSON, of schema: SchemaContext) -> UInt32 {
    builder.branch(childBlock(node, of: schema))
  }

  mutating func childBlock(_ node: JSON, of schema: SchemaContext) -> Int {
    block(at: place(of: node, in: schema), scope: schema.scope, marks: false)
  }

  /// A branch for a schema that applies to the value itself.
  mutating func inPlace(_ node: JSON, of schema: SchemaContext) -> UInt32 {
    builder.branch(inPlaceBlock(place(of: node, in: schema), of: schema))
  }

  /// The place of a subschema, which stands in the same document.
  func place(of node: JSON, in schema: SchemaContext) -> ResourceRegistry.Place {
    registry.place(node.index, in: registry.resources[schema.resource].document)
  }

  mutating func inPlaceBlock(_ place: ResourceRegistry.Place, of schema: SchemaContext) -> Int {
    let id = block(at: place, scope: schema.scope, marks: schema.marks)
    builder.blocks[schema.block].inPlace.append(id)
    return id
  }

  /// Where a dynamic reference leads from a scope: the outermost anchor of that name.
  func dynamicTarget(_ name: String, in schema: SchemaContext) -> ResourceRegistry.Place? {
    scopes.target(of: name, in: schema.scope).map { registry.place($0.node, in: $0.document) }
  }

  mutating func emit(
    _ operation: Instruction.Operation, _ applies: Kinds, _ a: UInt32 = 0, _ b: UInt32 = 0,
    flags: Instruction.Flags = [], at origin: JSON, in schema: inout SchemaContext
  ) {
    schema.code.append(
      Instruction(
        operation: operation, applies: applies, flags: flags, a: a, b: b, origin: builder.origin(origin)))
  }

  /// Emits an instruction that lets nothing pass, for a reason.
  mutating func emitRefusal(_ reason: String, at origin: JSON, in schema: inout SchemaContext) {
    schema.code.append(Self.refusal(builder.origin(origin)))
    builder.refusals[UInt32(builder.origins.count - 1)] = reason
  }

  /// Tells a problem of the schema, once for each place.
  mutating func report(_ rule: Rule, _ message: String, at node: JSON, help: String? = nil) {
    let key = ReportKey(document: ObjectIdentifier(node.document), node: node.index, rule: rule.id)
    guard reported.insert(key).inserted else { return }
    problems.append(Diagnostic(rule, message, at: node, help: help))
  }

  mutating func reportWrongValue(_ keyword: Keyword, _ expected: String, _ node: JSON) {
    report(
      .wrongKeywordValue, "`\(keyword.name)` wants \(expected), found \(node.kindName); it is ignored", at: node)
  }

  /// A keyword whose value must be a whole number that is not negative; larger ones than 32 bits are cut.
  mutating func bound(_ keyword: Keyword, in schema: SchemaContext) -> UInt32? {
    guard let node = schema[keyword] else { return nil }
    guard let number = node.number, number.isInteger, !number.isNegative else {
      reportWrongValue(keyword, "a whole number that is not negative", node)
      return nil
    }
    return UInt32(clamping: number.int ?? .max)
  }
}
