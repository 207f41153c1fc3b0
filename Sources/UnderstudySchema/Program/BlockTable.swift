/// The blocks of a program by what they are compiled from: a hash table of their numbers.
struct BlockTable: ~Copyable {
  /// A slot has the node of its block, since reading the block would be a second cache miss.
  struct Slot {
    var node: UInt32
    /// One more than the block's number; 0 marks a free slot.
    var next: UInt32

    static let free = Slot(node: 0, next: 0)
  }

  /// Never more than half full.
  private var slots: TableBuilder<Slot>
  private var count = 0

  /// - Parameter capacity: The number of blocks to reserve memory for.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = TableBuilder(capacity: size)
    slots.append(repeating: .free, count: size)
  }

  /// The number of an equal block; without one, adds this block as the next and returns `nil`.
  mutating func number(
    of block: ProgramBuilder.Block, in blocks: borrowing TableBuilder<ProgramBuilder.Block>
  ) -> UInt32? {
    if count * 2 >= slots.count { grow(blocks) }
    let node = UInt32(truncatingIfNeeded: block.place.node)
    var position = start(of: block)
    while slots[position].next != 0 {
      let number = slots[position].next - 1
      if slots[position].node == node, blocks[Int(number)].isMade(of: block) { return number }
      position = (position + 1) & (slots.count - 1)
    }
    count += 1
    slots[position] = Slot(node: node, next: UInt32(blocks.count + 1))
    return nil
  }

  private mutating func grow(_ blocks: borrowing TableBuilder<ProgramBuilder.Block>) {
    let size = slots.count * 4
    slots = TableBuilder(capacity: size)
    slots.append(repeating: .free, count: size)
    for number in blocks.indices {
      var position = start(of: blocks[number])
      while slots[position].next != 0 { position = (position + 1) & (slots.count - 1) }
      slots[position] = Slot(node: UInt32(truncatingIfNeeded: blocks[number].place.node), next: UInt32(number + 1))
    }
  }

  /// The first slot to look at. Lookups of neighbouring nodes follow each other, so groups of them share cache lines;
  /// the high bits of the product keep these groups apart.
  private func start(of block: ProgramBuilder.Block) -> Int {
    let (group, inGroup) = (UInt64(block.place.node) >> 6, block.place.node >> 1 & 31)
    // All fields except the node are nearly always 0; spread over all bits, they reach the high bits of the product.
    let others =
      UInt64(block.place.document) &* 0xBF58_476D_1CE4_E5B9
      &+ UInt64(truncatingIfNeeded: block.scope) &* 0x94D0_49BB_1331_11EB
      &+ UInt64(block.exemptions) &* 0xD6E8_FEB8_6659_FD93
    let mixed = (group << 1 | (block.marks ? 1 : 0)) &+ others
    let first = Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) >> 32) << 5
    return (first | inGroup) & (slots.count - 1)
  }
}
