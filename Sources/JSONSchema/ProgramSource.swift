import Synchronization

/// The program of a schema, or of several that share most of theirs. A large one may be dropped, and is compiled again when
/// it is next needed.
///
/// In a recursive contract every schema reaches most others, and the program of each would hold them all.
final class ProgramSource: Sendable {
  let direction: Direction
  /// A small program stays, and is had without a lock.
  private let kept: Program?
  private let state: Mutex<State>
  private let wasUsed = Atomic<Bool>(true)

  private struct State {
    var program: Program?
    /// The schemas that the program was compiled from, one for each of its roots.
    var nodes: [JSON]
    var bytes: Int
  }

  /// Programs of at most so many bytes are neither shared nor dropped.
  static let smallBytes = 64 << 10

  /// - Parameter stays: Whether it is never dropped, at any size.
  init(_ program: Program, of nodes: [JSON], _ direction: Direction, stays: Bool = false) {
    self.direction = direction
    let bytes = program.bytes
    let isKept = stays || bytes <= Self.smallBytes
    kept = isKept ? program : nil
    state = Mutex(State(program: isKept ? nil : program, nodes: nodes, bytes: bytes))
  }

  /// Whether it can be shared and dropped.
  var isLarge: Bool { kept == nil }

  /// The memory of the program's tables, about.
  var bytes: Int { state.withLock { $0.bytes } }

  /// The schemas of the program's roots.
  var nodes: [JSON] { state.withLock { $0.nodes } }

  /// The program; `nil` where it was dropped.
  var program: Program? {
    if let kept { return kept }
    if !wasUsed.load(ordering: .relaxed) { wasUsed.store(true, ordering: .relaxed) }
    return state.withLock { $0.program }
  }

  func drop() { state.withLock { $0.program = nil } }

  /// Takes a program with more roots, or the same one again; those that were there keep their positions.
  func restore(_ program: Program, of nodes: [JSON]) {
    state.withLock { $0 = State(program: program, nodes: nodes, bytes: program.bytes) }
  }

  /// Whether it was used since the last call.
  func takeUse() -> Bool { wasUsed.exchange(false, ordering: .relaxed) }
}
