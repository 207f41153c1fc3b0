/// Lays the blocks of a builder out in one array, with small ones copied to where they are called.
///
/// Nothing here recurses: schemas may refer to each other in chains of any length.
struct Linker {
  /// Blocks up to this size are copied into their callers.
  private static let inlineLimit = 12

  private let builder: ProgramBuilder
  /// Whether every block stays one, so that an explainer can tell which schema it is in.
  private let keepsBlocks: Bool
  private(set) var code: [Instruction] = []
  private var bodies: [[Instruction]] = []
  private var ranges: [Range<UInt32>] = []

  init(_ builder: ProgramBuilder, keepsBlocks: Bool = false) {
    self.builder = builder
    self.keepsBlocks = keepsBlocks
    link()
  }

  /// The schema that each block's first instruction belongs to; empty unless blocks are kept.
  var schemas: [UInt32: JSON] {
    guard keepsBlocks else { return [:] }
    var schemas: [UInt32: JSON] = [:]
    for (block, range) in ranges.enumerated() where !range.isEmpty {
      schemas[range.lowerBound] = builder.origins[Int(builder.blocks[block].origin)]
    }
    return schemas
  }

  private mutating func link() {
    bodies = builder.blocks.map(\.code)
    for block in Self.calleesFirst(builder.blocks) { bodies[block] = inlined(bodies[block]) }
    ranges.reserveCapacity(bodies.count)
    for body in bodies {
      ranges.append(UInt32(code.count)..<UInt32(code.count + body.count))
      code += body
    }
    for position in code.indices where code[position].operation == .call {
      let target = ranges[forwarded(Int(code[position].a))]
      code[position].a = target.lowerBound
      code[position].b = target.upperBound
    }
  }

  /// The instructions of a block, once linked.
  func branch(of block: Int) -> Branch {
    let block = forwarded(block)
    let range = ranges[block]
    guard let first = bodies[block].first else { return Branch(start: 0, end: 0, kinds: .any, isFalse: false) }
    switch first.operation {
    case .types:
      return Branch(
        start: range.lowerBound + 1, end: range.upperBound, kinds: Kinds(rawValue: UInt8(first.a)), isFalse: false)
    default:
      return Branch(start: range.lowerBound, end: range.upperBound, kinds: .any, isFalse: first.operation == .fail)
    }
  }

  /// A block that does nothing but call another is that other.
  private func forwarded(_ block: Int) -> Int {
    var block = block
    guard !keepsBlocks else { return block }
    while bodies[block].count == 1, bodies[block][0].operation == .call { block = Int(bodies[block][0].a) }
    return block
  }

  private func inlined(_ body: [Instruction]) -> [Instruction] {
    guard !keepsBlocks, body.contains(where: { $0.operation == .call }) else { return body }
    var result: [Instruction] = []
    for instruction in body {
      let callee = Int(instruction.a)
      if instruction.operation == .call, !builder.blocks[callee].isUnevaluated,
        bodies[callee].count <= Self.inlineLimit
      {
        result += bodies[callee]
      } else {
        result.append(instruction)
      }
    }
    return result
  }

  /// The blocks in an order in which each stands behind those that it applies in place.
  ///
  /// Where blocks run in a circle, some order is given all the same; `loops` finds those.
  private static func calleesFirst(_ blocks: [ProgramBuilder.Block]) -> [Int] {
    var order: [Int] = []
    walk(blocks) {
      order.append($0)
    } onLoop: { _ in
    }
    return order
  }

  /// Blocks that apply themselves to the same value without end.
  static func loops(_ blocks: [ProgramBuilder.Block]) -> [Int] {
    var found: [Int] = []
    walk(blocks) { _ in
    } onLoop: {
      found.append($0)
    }
    return found
  }

  private static func walk(_ blocks: [ProgramBuilder.Block], leave: (Int) -> Void, onLoop: (Int) -> Void) {
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: blocks.count)
    var path: [(block: Int, next: Int)] = []
    for root in blocks.indices where marks[root] == .new {
      marks[root] = .open
      path.append((root, 0))
      while let (block, next) = path.last {
        guard next < blocks[block].inPlace.count else {
          marks[block] = .done
          leave(block)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let callee = blocks[block].inPlace[next]
        switch marks[callee] {
        case .new:
          marks[callee] = .open
          path.append((callee, 0))
        case .open: onLoop(callee)
        case .done: break
        }
      }
    }
  }
}
