import UnderstudySystem

/// A lane of a shared store that is looked up at its first use, which no event loop waits for.
package final class LazyLane: LaneAccess {
  package typealias Resolve = @Sendable () throws(LaneProblem) -> any LaneAccess

  private let resolve: Resolve
  private let found = Lock<(any LaneAccess)?>(nil)
  private let worker = WorkerPool("lane", limit: 1)

  package init(_ resolve: @escaping Resolve) { self.resolve = resolve }

  private var current: (any LaneAccess)? { found.withLock { $0 } }

  private func lane() throws(LaneProblem) -> any LaneAccess {
    if let current { return current }
    let lane = try resolve()
    found.withLock { $0 = lane }
    return lane
  }

  package var demand: LaneDemand { current?.demand ?? .everything }
  package var clock: LaneClock { current?.clock ?? LaneClock() }
  package var id: ObjectIdentifier? { current?.id ?? ObjectIdentifier(self) }
  package var isDurable: Bool { true }
  package var isLoaded: Bool { current?.isLoaded ?? false }
  package var sharedExchanges: (any ExchangeStore)? { current?.sharedExchanges }
  package func refresh() throws(LaneProblem) { try lane().refresh() }

  package func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) throws(LaneProblem) {
    try lane().read(body)
  }

  package func update(
    _ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void
  ) throws(LaneProblem) {
    try lane().update(body, then: deliver)
  }

  package func update(
    _ kind: LaneUpdateKind, _ body: (inout LaneState, _ revision: Int) -> Void,
    noting exchange: () -> NumberedExchange?,
    then deliver: () -> Void
  ) throws(LaneProblem) {
    try lane().update(kind, body, noting: exchange, then: deliver)
  }

  /// Runs work in the order of its calls, also of those before the lane is found.
  package func schedule(_ work: @escaping @Sendable () -> Void) {
    worker.submit { [self] in
      if let lane = try? lane() { lane.schedule(work) } else { work() }
    }
  }
}
