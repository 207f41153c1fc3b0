/// A schema compiled to a flat list of instructions and their side tables.
///
/// Unchecked, and safe: all properties are constant, and the memory of the tables is written before the program is
/// shared.
final class Program: @unchecked Sendable {
  let code: Table<Instruction>
  let branches: Table<Branch>
  let objects: Table<ObjectPlan>
  let entries: Table<ObjectPlan.Entry>
  let patternEntries: Table<ObjectPlan.PatternEntry>
  let slots: Table<NameTable.Slot>
  /// The values of names outside of the slots.
  let strayNames: [StrayName: UInt32]
  let names: Table<NameReference>
  let dependencies: Table<Dependency>
  let enumerations: Table<Enumeration>
  let numbers: Table<NumberOperand>
  let contains: Table<ContainsPlan>
  let matchers: Table<PatternMatcher>
  let text: Table<UInt8>
  let constants: Table<Constant>
  let constantIndex: ConstantIndex
  /// The exact values of `numbers`.
  let exactNumbers: [JSONNumber]
  /// The owners of the memory of `matchers`.
  let patterns: [Pattern]
  /// The owners of the documents of `constants`.
  private let constantValues: [JSON]
  let contents: [ContentPlan]
  /// The requested schemas.
  let roots: [Branch]

  // For messages only.
  private let documents: [JSONDocument]
  private let originTable: Table<Origin>
  /// The reason why a schema cannot be evaluated, by origin.
  let refusals: [UInt32: String]
  /// What counts towards the limits of the compiler.
  let extent: Extent
  /// The schema of each block by its first instruction; empty unless the program is linked for tracing.
  let schemas: [UInt32: JSON]

  struct Extent {
    var blocks: Int
    var scopes: Int

    /// At most that of one program with the parts of both.
    static func + (a: Extent, b: Extent) -> Extent {
      Extent(blocks: a.blocks + b.blocks, scopes: a.scopes + b.scopes)
    }
  }

  init(
    linking builder: consuming ProgramBuilder, in order: [UInt32], roots blocks: [UInt32], documents: [JSONDocument],
    scopes: Int, traces: Bool
  ) {
    extent = Extent(blocks: order.count, scopes: scopes)
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
    var constants = TableBuilder<Constant>(capacity: builder.constants.count)
    for value in builder.constants { constants.append(Constant(value)) }
    self.constants = constants.table()
    constantIndex = ConstantIndex(enumerations, builder.constants)
    exactNumbers = builder.exactNumbers
    patterns = builder.patterns
    constantValues = builder.constants
    contents = builder.contents
    self.documents = documents
    originTable = builder.origins.table()
    refusals = builder.refusals
  }

  /// The places in schemas that its instructions implement.
  var origins: OriginSet { OriginSet(UnsafeBufferPointer(start: originTable.base, count: originTable.count)) }

  /// The number of its instructions and properties: a measure for the cost of compiling it.
  var size: Int { code.count + entries.count }

  /// The memory of its tables, about.
  var bytes: Int {
    let tables =
      code.bytes + branches.bytes + objects.bytes + entries.bytes + patternEntries.bytes + slots.bytes + names.bytes
      + dependencies.bytes + enumerations.bytes + numbers.bytes + contains.bytes + matchers.bytes + text.bytes
      + originTable.bytes + constants.bytes
    return tables + constantValues.count * MemoryLayout<JSON>.stride + exactNumbers.count * 64 + patterns.count * 1_000
  }

  /// The node of an instruction's origin.
  func origin(_ number: UInt32) -> JSON {
    let origin = originTable.base[Int(number)]
    return JSON(document: documents[origin.document], index: origin.node)
  }
}
