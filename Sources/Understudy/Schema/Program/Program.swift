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
  let names: Table<NameReference>
  let dependencies: Table<Dependency>
  let enumerations: Table<Enumeration>
  let numbers: Table<NumberOperand>
  let contains: Table<ContainsPlan>
  let matchers: Table<PatternMatcher>
  let text: Table<UInt8>
  /// The values of `enum` and `const` that are neither literals nor strings.
  let constants: [JSON]
  /// The same numbers as in `numbers`, exactly.
  let exactNumbers: [JSONNumber]
  /// Owns what the matchers point to.
  let patterns: [Pattern]
  let contents: [ContentPlan]
  /// The schemas that were asked for, each as a whole.
  let roots: [Branch]

  // For messages only.
  let origins: [JSON]
  let objectNotes: [ObjectNotes]
  /// By the index of a choice's first branch.
  let choiceNotes: [UInt32: ChoiceNotes]
  /// By origin: why a schema cannot be judged.
  let refusals: [UInt32: String]
  /// By its first instruction: the schema of a block. Empty unless the program was linked for tracing.
  let schemas: [UInt32: JSON]

  init(linking builder: ProgramBuilder, roots blocks: [Int], traces: Bool) {
    let linker = Linker(builder, keepsBlocks: traces)
    schemas = linker.schemas
    code = Table(linker.code)
    branches = Table(builder.branches.map { linker.branch(of: $0) })
    roots = blocks.map { linker.branch(of: $0) }
    objects = Table(builder.objects)
    entries = Table(
      builder.entries.map { entry in
        ObjectPlan.Entry(
          isDeclared: entry.block != nil, isRequired: entry.isRequired,
          branch: entry.block.map { linker.branch(of: $0) } ?? Branch(start: 0, end: 0, kinds: .any, isFalse: false))
      })
    patternEntries = Table(builder.patternEntries)
    slots = Table(builder.slots)
    names = Table(builder.names)
    dependencies = Table(builder.dependencies)
    enumerations = Table(builder.enumerations)
    numbers = Table(builder.numbers)
    contains = Table(builder.contains)
    matchers = Table(builder.patterns.map(\.matcher))
    text = Table(builder.text)
    constants = builder.constants
    exactNumbers = builder.exactNumbers
    patterns = builder.patterns
    contents = builder.contents
    origins = builder.origins
    objectNotes = builder.objectNotes
    choiceNotes = builder.choiceNotes
    refusals = builder.refusals
  }

  deinit {
    code.free()
    branches.free()
    objects.free()
    entries.free()
    patternEntries.free()
    slots.free()
    names.free()
    dependencies.free()
    enumerations.free()
    numbers.free()
    contains.free()
    matchers.free()
    text.free()
  }
}

/// A constant array that is read without reference counting or bounds checks; its owner frees it.
struct Table<Element: BitwiseCopyable> {
  let base: UnsafePointer<Element>
  let count: Int

  init(_ elements: [Element]) {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    for (position, element) in elements.enumerated() { (memory + position).initialize(to: element) }
    base = UnsafePointer(memory)
    count = elements.count
  }

  func free() { base.deallocate() }
}

/// The schema's side of an object instruction, for messages.
struct ObjectNotes: Sendable {
  var required: JSON?
  var additional: JSON?
  var properties: JSON?
  /// The nodes of the names that must be there.
  var requiredNames: [JSON] = []

  /// The names in `properties`; made here, since compiling must not cost a string for each.
  var propertyNames: [String] { properties?.members.map(\.name) ?? [] }
}

/// What `contentEncoding` and `contentMediaType` promise, when they are asserted.
struct ContentPlan: Sendable {
  var isBase64: Bool
  var isJSON: Bool
}
