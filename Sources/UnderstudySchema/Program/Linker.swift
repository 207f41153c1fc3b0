/// Lays out the blocks of a builder in one array and inlines small ones.
///
/// Nothing here recurses: schemas may refer to each other in chains of any length.
struct Linker: ~Copyable {
  /// Blocks up to this size are copied into their callers.
  private static let inlineLimit = 12

  /// Whether to keep all blocks apart, so that a collector knows the schema of each.
  private let keepsBlocks: Bool
  private(set) var code: TableBuilder<Instruction>
  /// The instructions of each block in `code`; `nil` before its layout.
  private var ranges: TableBuilder<Range<UInt32>?>

  /// - Parameter order: All blocks, callees first.
  init(_ builder: borrowing ProgramBuilder, in order: [UInt32], keepsBlocks: Bool = false) {
    self.keepsBlocks = keepsBlocks
    code = TableBuilder(capacity: builder.code.count)
    ranges = TableBuilder(capacity: builder.blocks.count)
    ranges.append(repeating: nil, count: builder.blocks.count)
    for block in order { lay(Int(block), of: builder) }
    for position in code.indices where code[position].operation == .call {
      let target = range(of: Int(code[position].a))
      code[position].a = target.lowerBound
      code[position].b = target.upperBound
    }
  }

  /// The schema of each block by its first instruction; empty unless blocks are kept.
  func schemas(of builder: borrowing ProgramBuilder) -> [UInt32: Origin] {
    guard keepsBlocks else { return [:] }
    var schemas: [UInt32: Origin] = [:]
    for block in builder.blocks.indices where !range(of: block).isEmpty {
      schemas[range(of: block).lowerBound] = builder.blocks[block].place
    }
    return schemas
  }

  /// The instructions of a block after linking; `nil` accepts everything.
  func branch(of block: UInt32?) -> Branch {
    let range = block.map { self.range(of: Int($0)) } ?? 0..<0
    guard !range.isEmpty else { return Branch(start: 0, end: 0, kinds: .any, isFalse: false) }
    let first = code[Int(range.lowerBound)]
    switch first.operation {
    case .types:
      return Branch(
        start: range.lowerBound + 1, end: range.upperBound, kinds: JSONTypeSet(rawValue: UInt8(first.a)), isFalse: false
      )
    default:
      return Branch(start: range.lowerBound, end: range.upperBound, kinds: .any, isFalse: first.operation == .fail)
    }
  }

  /// Whether a range ends with `unevaluated*`, which reads the notes of its own schema only and so prevents inlining
  /// (Core 2020-12, 11).
  private func endsUnevaluated(_ range: Range<UInt32>) -> Bool {
    guard !range.isEmpty else { return false }
    let last = code[Int(range.upperBound) - 1].operation
    return last == .unevaluatedItems || last == .unevaluatedProperties
  }

  private func range(of block: Int) -> Range<UInt32> { ranges[block] ?? 0..<0 }

  /// Appends the instructions of a block and replaces calls of small blocks.
  private mutating func lay(_ block: Int, of builder: borrowing ProgramBuilder) {
    let body = builder.blocks[block].code
    // A block that only calls another one is that one.
    if !keepsBlocks, body.count == 1, case let only = builder.code[Int(body.lowerBound)], only.operation == .call,
      let callee = ranges[Int(only.a)]
    {
      ranges[block] = callee
      return
    }
    let start = UInt32(code.count)
    for position in body {
      let instruction = builder.code[Int(position)]
      if let small = inlineable(instruction) {
        for position in small { code.append(code[Int(position)]) }
      } else {
        code.append(instruction)
      }
    }
    ranges[block] = start..<UInt32(code.count)
  }

  /// The instructions to put in place of a call.
  private func inlineable(_ instruction: Instruction) -> Range<UInt32>? {
    guard !keepsBlocks, instruction.operation == .call, let range = ranges[Int(instruction.a)],
      range.count <= Self.inlineLimit, !endsUnevaluated(range)
    else { return nil }
    return range
  }
}
