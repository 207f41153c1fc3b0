/// A schema compiled to a flat list of instructions and their side tables.
///
/// Unchecked, and sound: all of it is `let`, and the tables behind the pointers are written once, before anyone else
/// can see them, and freed with the program.
final class Program: @unchecked Sendable {
  let code: Table<Instruction>
  let branches: Table<Branch>
  let objects: Table<ObjectPlan>
  let entries: Table<ObjectPlan.Entry>
  let patternEntries: Table<ObjectPlan.PatternEntry>
  let slots: Table<NameTable.Slot>
  /// The values of names that do not stand in the slots.
  let strayNames: [StrayName: UInt32]
  let names: Table<NameReference>
  let dependencies: Table<Dependency>
  let enumerations: Table<Enumeration>
  let numbers: Table<NumberOperand>
  let contains: Table<ContainsPlan>
  let matchers: Table<PatternMatcher>
  let text: Table<UInt8>
  /// The values of `enum` and `const` that are neither literals nor strings.
  let constants: [JSON]
  let constantIndex: ConstantIndex
  /// The same numbers as in `numbers`, exactly.
  let exactNumbers: [JSONNumber]
  /// Owns what the matchers point to.
  let patterns: [Pattern]
  let contents: [ContentPlan]
  /// The schemas that were asked for, each as a whole.
  let roots: [Branch]

  // For messages only.
  private let documents: [JSONDocument]
  private let origins: Table<Origin>
  /// By origin: the reason why a schema cannot be evaluated.
  let refusals: [UInt32: String]
  /// By its first instruction: the schema of a block. Empty unless the program was linked for tracing.
  let schemas: [UInt32: JSON]

  init(
    linking builder: consuming ProgramBuilder, in order: [UInt32], roots blocks: [UInt32], documents: [JSONDocument],
    traces: Bool
  ) {
    let linker = Linker(builder, in: order, keepsBlocks: traces)
    schemas = linker.schemas(of: builder).mapValues { JSON(document: documents[$0.document], index: $0.node) }
    branches = builder.branches.table { linker.branch(of: $0) }
    roots = blocks.map { linker.branch(of: $0) }
    entries = builder.entries.table { entry in
      ObjectPlan.Entry(
        isDeclared: entry.block != nil, isRequired: entry.isRequired, branch: linker.branch(of: entry.block))
    }
    code = linker.code.table()
    objects = builder.objects.table()
    patternEntries = builder.patternEntries.table()
    slots = builder.slots.table()
    strayNames = builder.strayNames
    names = builder.names.table()
    dependencies = builder.dependencies.table()
    enumerations = builder.enumerations.table()
    numbers = builder.numbers.table()
    contains = builder.contains.table()
    matchers = builder.matchers.table()
    text = builder.text.table()
    constants = builder.constants
    constantIndex = ConstantIndex(enumerations, builder.constants)
    exactNumbers = builder.exactNumbers
    patterns = builder.patterns
    contents = builder.contents
    self.documents = documents
    origins = builder.origins.table()
    refusals = builder.refusals
  }

  /// The node that an instruction comes from.
  func origin(_ number: UInt32) -> JSON {
    let origin = origins.base[Int(number)]
    return JSON(document: documents[origin.document], index: origin.node)
  }
}
