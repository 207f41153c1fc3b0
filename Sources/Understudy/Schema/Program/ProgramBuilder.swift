/// A program in the making: blocks of instructions that refer to each other by number, and the side tables.
struct ProgramBuilder {
  /// One schema in one way it can be met.
  struct Block {
    let place: Origin
    let resource: Int32
    let scope: Int32
    let marks: Bool
    /// Where its instructions stand in the builder's code.
    var code: Range<UInt32> = 0..<0
    /// Where the blocks that it applies to the same value stand in the list of those.
    var callees: Range<UInt32> = 0..<0
    /// Whether it looks at notes of its own instructions, so that it needs a frame of its own.
    var isUnevaluated = false

    /// Whether compiling this one gives the same instructions as the other.
    func isMade(of other: Block) -> Bool {
      place == other.place && scope == other.scope && marks == other.marks
    }
  }

  struct Entry {
    var isRequired: Bool
    /// The schema of the property; `nil` for a name that is only required.
    var block: UInt32?
  }

  var blocks: [Block] = []
  /// The instructions of all blocks; those of one stand together.
  var code: [Instruction] = []
  /// Numbers of blocks.
  var callees: [UInt32] = []
  /// Numbers of blocks; `nil` for what accepts everything.
  var branches: [UInt32?] = []
  var objects: [ObjectPlan] = []
  var entries: [Entry] = []
  var patternEntries: [ObjectPlan.PatternEntry] = []
  var slots: [NameTable.Slot] = []
  var strayNames: [StrayName: UInt32] = [:]
  var names: [NameReference] = []
  var dependencies: [Dependency] = []
  var enumerations: [Enumeration] = []
  var numbers: [NumberOperand] = []
  var contains: [ContainsPlan] = []
  var text: [UInt8] = []
  var constants: [JSON] = []
  var exactNumbers: [JSONNumber] = []
  var patterns: [Pattern] = []
  var contents: [ContentPlan] = []
  var origins: [Origin] = []
  var refusals: [UInt32: String] = [:]
  private var patternsByText: [String: Int] = [:]

  /// Makes room for what this many schemas of a description commonly need: tables that grow are copied, and the memory of
  /// large ones is new to the process each time.
  mutating func reserve(forSchemas count: Int) {
    blocks.reserveCapacity(count * 6)
    code.reserveCapacity(count * 8)
    origins.reserveCapacity(count * 8)
    entries.reserveCapacity(count * 4)
    slots.reserveCapacity(count * 12)
    text.reserveCapacity(count * 40)
  }

  mutating func origin(_ place: Origin) -> UInt32 {
    origins.append(place)
    return UInt32(origins.count - 1)
  }

  mutating func branch(_ block: UInt32) -> UInt32 {
    branches.append(block)
    return UInt32(branches.count - 1)
  }

  mutating func number(_ value: JSONNumber) -> UInt32 {
    let integer = value.int
    numbers.append(NumberOperand(integer: Int64(integer ?? 0), isInteger: integer != nil, scaled: ScaledNumber(value)))
    exactNumbers.append(value)
    return UInt32(numbers.count - 1)
  }

  mutating func pattern(_ text: String) throws(PatternProblem) -> UInt32 {
    if let known = patternsByText[text] { return UInt32(known) }
    patterns.append(try Pattern(ecma: text))
    patternsByText[text] = patterns.count - 1
    return UInt32(patterns.count - 1)
  }

  /// Takes the bytes of a string or key into the program's text.
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
  /// Begins a hash table: half empty with `count` names, and never full with `maximum`.
  mutating func table(for count: Int, maximum: Int) -> NameTable {
    var size = 1
    while size < count * 2 || size <= maximum { size *= 2 }
    let table = NameTable(first: UInt32(slots.count), mask: UInt32(size - 1))
    let free = NameTable.Slot(hash: 0, offset: 0, length: 0, value: NameTable.Slot.empty)
    slots.append(contentsOf: repeatElement(free, count: size))
    return table
  }

  /// Adds a name with a value; when it is there already, nothing changes, and the value that it has is the answer.
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
      if slot.hash == hash, isSpelled(name, slot) { return Int(slot.value) }
      position = (position + 1) & table.mask
    }
    let stray = StrayName(name, in: table)
    if let known = strayNames[stray] { return Int(known) }
    strayNames[stray] = UInt32(value)
    return nil
  }

  private func isSpelled(_ name: UnsafeBufferPointer<UInt8>, _ slot: NameTable.Slot) -> Bool {
    guard Int(slot.length) == name.count else { return false }
    let start = Int(slot.offset)
    return text.withUnsafeBufferPointer {
      isSameText(UnsafeBufferPointer(rebasing: $0[start..<start + name.count]), name)
    }
  }
}
