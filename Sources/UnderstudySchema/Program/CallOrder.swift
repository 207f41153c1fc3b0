/// The blocks of a builder in the order of calls: callees come first.
struct CallOrder {
  /// All blocks; those of a loop in any order.
  private(set) var blocks: [UInt32] = []
  /// Blocks that apply themselves to the same value in an endless loop.
  private(set) var loops: [Int] = []

  /// Walks the calls without recursion: schemas may refer to each other in chains of any length.
  init(_ builder: borrowing ProgramBuilder) {
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: builder.blocks.count)
    var path: [(block: Int, callees: Range<UInt32>)] = []
    blocks.reserveCapacity(builder.blocks.count)
    for root in builder.blocks.indices where marks[root] == .new {
      if builder.blocks[root].callees.isEmpty {
        marks[root] = .done
        blocks.append(UInt32(root))
        continue
      }
      marks[root] = .open
      path.append((root, builder.blocks[root].callees))
      while let (block, callees) = path.last {
        guard let next = callees.first else {
          marks[block] = .done
          blocks.append(UInt32(block))
          path.removeLast()
          continue
        }
        path[path.count - 1].callees = next + 1..<callees.upperBound
        let callee = Int(builder.callees[Int(next)])
        switch marks[callee] {
        case .new:
          marks[callee] = .open
          path.append((callee, builder.blocks[callee].callees))
        case .open: loops.append(callee)
        case .done: break
        }
      }
    }
  }
}
