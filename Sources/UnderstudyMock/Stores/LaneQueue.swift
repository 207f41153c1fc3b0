import Dispatch
import UnderstudySystem

/// The changes of a lane that wait to be stored, in order. The first one leads: its thread applies all that wait by then,
/// and stores them together.
final class LaneQueue: Sendable {
  private struct State {
    var waiting: [LaneWork] = []
    var isLed = false
  }

  private let state = Lock(State())
  /// The maximum number of changes that are stored together.
  private static let batchLimit = 1_000

  /// Waits until a change is stored or has failed; its thread may store it, and others with it.
  ///
  /// - Parameter store: Stores the changes of a batch, in order, and delivers each of them.
  func run(_ work: LaneWork, by store: ([LaneWork]) -> LaneProblem?) {
    let leads = state.withLock { state in
      state.waiting.append(work)
      defer { state.isLed = true }
      return !state.isLed
    }
    guard leads || work.waitLeads() else { return }
    let batch = state.withLock { state in
      let batch = Array(state.waiting.prefix(Self.batchLimit))
      state.waiting.removeFirst(batch.count)
      return batch
    }
    let problem = store(batch)
    for other in batch { other.finish(problem) }
    let next: LaneWork? = state.withLock { state in
      state.isLed = !state.waiting.isEmpty
      return state.waiting.first
    }
    next?.lead()
  }
}

/// A change of a lane, whose thread waits until it is stored. Unchecked, and safe: one thread at a time has it, and the
/// semaphore hands it over.
final class LaneWork: @unchecked Sendable {
  let kind: LaneUpdateKind
  private var body: ((inout LaneState, Int) -> Void)?
  private var note: (() -> NumberedExchange?)?
  private var deliver: (() -> Void)?
  private(set) var problem: LaneProblem?
  private var leads = false
  private let done = DispatchSemaphore(value: 0)

  init(
    _ kind: LaneUpdateKind, _ body: @escaping (inout LaneState, Int) -> Void,
    noting note: @escaping () -> NumberedExchange?, then deliver: @escaping () -> Void
  ) {
    self.kind = kind
    (self.body, self.note, self.deliver) = (body, note, deliver)
  }

  /// The exchange of the change that was applied last.
  var exchange: NumberedExchange? { note?() }

  func apply(to state: inout LaneState, _ revision: Int) { body?(&state, revision) }

  /// Runs once, after the change is stored.
  func shown() { deliver?() }

  /// - Returns: Whether the thread leads; otherwise the work is finished.
  fileprivate func waitLeads() -> Bool {
    done.wait()
    return leads
  }

  fileprivate func lead() {
    leads = true
    done.signal()
  }

  /// The closures end with the call that they belong to, so nothing holds them beyond it.
  fileprivate func finish(_ problem: LaneProblem?) {
    (body, note, deliver, self.problem) = (nil, nil, nil, problem)
    done.signal()
  }
}
