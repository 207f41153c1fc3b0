import Synchronization
import UnderstudySystem

/// The program of a schema, or of several that share most of theirs. A large one may be dropped, and is compiled again when
/// it is next needed.
///
/// In a recursive contract every schema reaches most others, and the program of each would hold them all.
final class ProgramSource: Sendable {
  let direction: Direction
  /// A small program stays, and is had without a lock.
  let kept: Program?
  private let state: Lock<State>
  private let wasUsed = Atomic<Bool>(true)

  private struct State {
    var program: Program?
    /// The schemas of the program, one for each of its roots. It has no roots yet for those that were added since it was
    /// compiled.
    var nodes: [JSON]
    var bytes: Int
    /// The most that a program of all nodes has.
    var extent: Program.Extent
  }

  /// Programs of at most so many bytes are neither shared nor dropped.
  static let smallBytes = 64 << 10

  /// - Parameter stays: Whether it is never dropped, at any size.
  init(_ program: Program, of nodes: [JSON], _ direction: Direction, stays: Bool = false) {
    self.direction = direction
    let bytes = program.bytes
    let isKept = stays || bytes <= Self.smallBytes
    kept = isKept ? program : nil
    state = Lock(State(program: isKept ? nil : program, nodes: nodes, bytes: bytes, extent: program.extent))
  }

  /// Whether it can be shared and dropped.
  var isLarge: Bool { kept == nil }

  /// The memory of the program's tables, about.
  var bytes: Int { state.withLock { $0.bytes } }

  /// The schemas of the program's roots.
  var nodes: [JSON] { state.withLock { $0.nodes } }

  /// The program, if it has a root; `nil` where it was dropped as well.
  func program(withRoot root: Int) -> Program? {
    if let kept { return kept }
    if !wasUsed.load(ordering: .relaxed) { wasUsed.store(true, ordering: .relaxed) }
    return state.withLock { state in state.program.flatMap { root < $0.roots.count ? $0 : nil } }
  }

  func drop() { state.withLock { $0.program = nil } }

  /// Adds a schema; the program gets a root for it when that is used, since each schema of a contract may be the next to be
  /// added.
  ///
  /// - Parameter program: That of the schema alone.
  /// - Returns: The number of the root; `nil` where both together may exceed the limits of the compiler.
  func add(_ node: JSON, _ program: Program) -> Int? {
    state.withLock { state in
      let extent = state.extent + program.extent
      guard extent.blocks <= Compiler.maximumBlocks, extent.scopes <= Compiler.maximumScopes else { return nil }
      state.extent = extent
      state.nodes.append(node)
      return state.nodes.count - 1
    }
  }

  /// Takes a program of all nodes.
  func restore(_ program: Program) {
    state.withLock { state in
      state.program = program
      state.bytes = program.bytes
      state.extent = program.extent
    }
  }

  /// Whether it was used since the last call.
  func takeUse() -> Bool { wasUsed.exchange(false, ordering: .relaxed) }
}
