/// A program under construction: blocks of instructions that refer to each other by number, and the side tables.
struct ProgramBuilder: ~Copyable {
  /// A schema in one dynamic scope, with or without notes and exemptions.
  struct Block {
    let place: Origin
    let resource: Int32
    let scope: Int32
    let marks: Bool
    /// The number of a set of names that are not required (see `Exemptions`).
    let exemptions: UInt16
    /// The range of its instructions in the builder's code.
    var code: Range<UInt32> = 0..<0
    /// The range of the blocks that it applies to the same value in `callees`.
    var callees: Range<UInt32> = 0..<0

    /// Whether both blocks compile to the same instructions.
    func isMade(of other: Block) -> Bool {
      place == other.place && scope == other.scope && marks == other.marks && exemptions == other.exemptions
    }
  }

  struct Entry {
    var isRequired: Bool
    /// The schema of the property; `nil` for a name that is only required.
    var block: UInt32?
  }

  var blocks: TableBuilder<Block>
  /// The instructions of all blocks; those of one block are adjacent.
  var code: TableBuilder<Instruction>
  /// Numbers of blocks.
  var callees = TableBuilder<UInt32>()
  /// Numbers of blocks; `nil` accepts everything.
  var branches = TableBuilder<UInt32?>()
  var objects = TableBuilder<ObjectPlan>()
  var entries: TableBuilder<Entry>
  var patternEntries = TableBuilder<ObjectPlan.PatternEntry>()
  var slots: TableBuilder<NameTable.Slot>
  var strayNames: [StrayName: UInt32] = [:]
  var names = TableBuilder<NameReference>()
  var dependencies = TableBuilder<Dependency>()
  var enumerations = TableBuilder<Enumeration>()
  var numbers = TableBuilder<NumberOperand>()
  var contains = TableBuilder<ContainsPlan>()
  var text: TableBuilder<UInt8>
  var constants: [JSON] = []
  var exactNumbers: [JSONNumber] = []
  var patterns: [Pattern] = []
  /// The matchers of the patterns.
  var matchers = TableBuilder<PatternMatcher>()
  var contents: [ContentPlan] = []
  var origins: TableBuilder<Origin>
  var refusals: [UInt32: String] = [:]
  private var patternsByText: [String: Int] = [:]

  /// Reserves memory for a number of schemas, since growing a large table copies it to new memory.
  init(forSchemas count: Int = 0) {
    blocks = TableBuilder(capacity: count * 6)
    code = TableBuilder(capacity: count * 8)
    origins = TableBuilder(capacity: count * 8)
    entries = TableBuilder(capacity: count * 4)
    slots = TableBuilder(capacity: count * 12)
    text = TableBuilder(capacity: count * 40)
  }

  @inline(__always)
  mutating func origin(_ place: Origin) -> UInt32 {
    origins.append(place)
    return UInt32(origins.count - 1)
  }

  mutating func branch(_ block: UInt32) -> UInt32 {
    branches.append(block)
    return UInt32(branches.count - 1)
  }

  /// Adds adjacent branches; returns the number of the first.
  mutating func branches(_ blocks: [UInt32?]) -> UInt32 {
    branches.append(contentsOf: blocks)
    return UInt32(branches.count - blocks.count)
  }

  mutating func number(_ value: JSONNumber) -> UInt32 {
    let integer = value.int
    numbers.append(NumberOperand(integer: Int64(integer ?? 0), isInteger: integer != nil, scaled: ScaledNumber(value)))
    exactNumbers.append(value)
    return UInt32(numbers.count - 1)
  }

  mutating func pattern(_ text: String) throws(PatternProblem) -> UInt32 {
    if let known = patternsByText[text] { return UInt32(known) }
    let pattern = try Pattern(ecma: text)
    patterns.append(pattern)
    matchers.append(pattern.matcher)
    patternsByText[text] = patterns.count - 1
    return UInt32(patterns.count - 1)
  }

  /// Adds the bytes of a string or key to the program's text.
  mutating func name(_ string: JSON) -> NameReference {
    string.document.withBytes(of: string.index) { name($0, hash: JSONDocument.hash($0)) }
  }

  private mutating func name(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> NameReference {
    text.append(contentsOf: bytes)
    return NameReference(offset: UInt32(text.count - bytes.count), length: UInt32(bytes.count), hash: hash)
  }
}

// MARK: - Tables of names

extension ProgramBuilder {
  /// Adds a hash table: half empty with `count` names, and not full with `maximum`.
  mutating func table(for count: Int, maximum: Int) -> NameTable {
    var size = 1
    while size < count * 2 || size <= maximum { size *= 2 }
    let table = NameTable(first: UInt32(slots.count), mask: UInt32(size - 1))
    let free = NameTable.Slot(hash: 0, offset: 0, length: 0, value: NameTable.Slot.empty)
    slots.append(repeating: free, count: size)
    return table
  }

  /// Adds a name with a value; returns the value of a known name without changing it.
  mutating func add(
    _ name: UnsafeBufferPointer<UInt8>, hash: UInt32, _ value: Int, to table: NameTable
  ) -> Int? {
    var position = hash & table.mask
    for _ in 0..<NameTable.reach {
      let slot = slots[Int(table.first + position)]
      if slot.value == NameTable.Slot.empty {
        let reference = self.name(name, hash: hash)
        slots[Int(table.first + position)] = NameTable.Slot(
          hash: hash, offset: reference.offset, length: reference.length, value: UInt32(value))
        return nil
      }
      if slot.hash == hash, isKept(name, slot) { return Int(slot.value) }
      position = (position + 1) & table.mask
    }
    let stray = StrayName(name, in: table)
    if let known = strayNames[stray] { return Int(known) }
    strayNames[stray] = UInt32(value)
    return nil
  }

  private func isKept(_ name: UnsafeBufferPointer<UInt8>, _ slot: NameTable.Slot) -> Bool {
    guard Int(slot.length) == name.count else { return false }
    return text.withElements(in: Int(slot.offset)..<Int(slot.offset) + name.count) { utf8Equals($0, name) }
  }
}
