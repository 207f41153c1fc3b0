/// The blocks of a program by what they are compiled from: a hash table of their numbers.
struct BlockTable {
  /// One more than a block's number; 0 marks a free slot. Never more than half full.
  private var slots = [UInt32](repeating: 0, count: 16)
  private var count = 0

  /// The number of an equal block, if there is one; else this one is noted as the next.
  mutating func number(of block: ProgramBuilder.Block, in blocks: [ProgramBuilder.Block]) -> UInt32? {
    if count * 2 >= slots.count { grow(blocks) }
    var slot = start(of: block)
    while slots[slot] != 0 {
      let number = slots[slot] - 1
      if blocks[Int(number)].isMade(of: block) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    count += 1
    slots[slot] = UInt32(blocks.count + 1)
    return nil
  }

  private mutating func grow(_ blocks: [ProgramBuilder.Block]) {
    slots = Array(repeating: 0, count: slots.count * 2)
    for number in blocks.indices {
      var slot = start(of: blocks[number])
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(number + 1)
    }
  }

  /// Where to look first. Neighbouring nodes must not lie in neighbouring slots: the high bits of the product are far apart.
  private func start(of block: ProgramBuilder.Block) -> Int {
    let mixed =
      (UInt64(block.place.node) << 1 | (block.marks ? 1 : 0)) &+ UInt64(block.place.document) << 40
      &+ UInt64(truncatingIfNeeded: block.scope) << 52
    return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) >> 32) & (slots.count - 1)
  }
}
