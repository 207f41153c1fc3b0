import Synchronization

/// What conditional faults remember: part of the state of a mock.
package struct FaultState: Codable, Sendable, Equatable {
  /// The number of requests that met a plan, by its key.
  package var turns: [String: Int] = [:]
  /// Microseconds since 1970; windows begin here.
  package var start: Int

  package init(start: Int) { self.start = start }

  /// The number of requests that met the plan before.
  mutating func turn(of key: String) -> Int {
    defer { turns[key, default: 0] += 1 }
    return turns[key] ?? 0
  }
}

/// The faults that depend on the requests before, on chance or on the clock. Others do without.
final class FaultMemory: Sendable {
  private let state: Mutex<FaultState>
  private let seed: String
  private let now: @Sendable () -> Int

  init(_ options: Mock.Options) {
    seed = options.seed
    now = options.now
    state = Mutex(FaultState(start: now()))
  }

  func restart() { state.withLock { $0 = FaultState(start: now()) } }

  /// The outcome for the next request that meets a plan; `nil` unless its conditions hold.
  func outcome(of plan: FaultPlan, key: String) -> FaultPlan.Outcome? {
    if let fixed = plan.fixed { return fixed }
    let (turn, start) = state.withLock { ($0.turn(of: key), $0.start) }
    return plan.outcome(seed: seed, key: key, turn: turn, elapsed: .microseconds(now() - start))
  }
}
