/// A program in the making: blocks of instructions that refer to each other by number, and the side tables.
struct ProgramBuilder {
  /// One schema's instructions.
  struct Block {
    var code: [Instruction] = []
    /// The blocks that it applies to the same value.
    var inPlace: [Int] = []
    /// Whether it looks at notes of its own instructions, so that it needs a frame of its own.
    var isUnevaluated = false
    /// The schema.
    var origin: UInt32 = 0
  }

  struct Entry {
    var isRequired: Bool
    /// The schema of the property; `nil` for a name that is only required.
    var block: Int?
  }

  var blocks: [Block] = []
  /// Numbers of blocks.
  var branches: [Int] = []
  var objects: [ObjectPlan] = []
  var entries: [Entry] = []
  var patternEntries: [ObjectPlan.PatternEntry] = []
  var slots: [NameTable.Slot] = []
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
  var origins: [JSON] = []
  var objectNotes: [ObjectNotes] = []
  var choiceNotes: [UInt32: ChoiceNotes] = [:]
  var refusals: [UInt32: String] = [:]
  private var patternsByText: [String: Int] = [:]

  mutating func origin(_ node: JSON) -> UInt32 {
    origins.append(node)
    return UInt32(origins.count - 1)
  }

  mutating func branch(_ block: Int) -> UInt32 {
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
    string.document.withBytes(of: string.index) { bytes in
      text.append(contentsOf: bytes)
      return NameReference(
        offset: UInt32(text.count - bytes.count), length: UInt32(bytes.count), hash: JSONDocument.hash(bytes))
    }
  }

  /// Makes a hash table of names; the value of a name is its position in the list.
  mutating func table(_ references: [NameReference]) -> NameTable {
    var size = 1
    while size < references.count * 2 { size *= 2 }
    let table = NameTable(first: UInt32(slots.count), mask: UInt32(size - 1))
    slots.append(
      contentsOf: repeatElement(
        NameTable.Slot(hash: 0, offset: 0, length: 0, value: NameTable.Slot.empty), count: max(size, 1)))
    for (position, name) in references.enumerated() {
      var slot = Int(name.hash & table.mask)
      while slots[Int(table.first) + slot].value != NameTable.Slot.empty { slot = (slot + 1) & Int(table.mask) }
      slots[Int(table.first) + slot] = NameTable.Slot(
        hash: name.hash, offset: name.offset, length: name.length, value: UInt32(position))
    }
    return table
  }
}
