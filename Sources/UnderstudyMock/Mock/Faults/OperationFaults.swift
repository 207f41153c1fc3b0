/// The delays and faults of the answers of one operation, or of requests that reach none.
final class OperationFaults: Sendable {
  private let entries: [Entry]

  private struct Entry: Sendable {
    let scope: FaultScope
    let plan: FaultPlan
    /// The outcome, if it is always the same.
    let fixed: FaultPlan.Outcome?
    /// Names the rule in the state.
    let key: String
  }

  /// Later rules take precedence; `nil` where none applies.
  ///
  /// - Parameter owner: Distinguishes the rules of a lane from those of the mock.
  init?(of operation: MockOperation?, by rules: [FaultRule], owner: String = "") {
    entries = rules.enumerated().compactMap { index, rule in
      let scope =
        operation.map { FaultScope(rule, of: $0) } ?? (rule.target == FaultRule.everything ? FaultScope.all : nil)
      return scope.map {
        Entry(
          scope: $0, plan: rule.plan, fixed: rule.plan.fixed, key: "\(owner)\(index) \(rule.target)=\(rule.plan.text)")
      }
    }
    if entries.isEmpty { return nil }
  }

  /// Whether an outcome depends on the state of a lane.
  var needsState: Bool { entries.contains { $0.fixed == nil } }

  func apply(to reply: inout Reply, _ decision: FaultDecision) {
    for entry in entries where entry.scope.covers(reply) {
      guard let outcome = entry.fixed ?? decision.outcome(of: entry.plan, key: entry.key) else { continue }
      reply.apply(outcome)
    }
  }
}

extension Reply {
  /// The same with the faults of the mock and of a lane, whose state they may change.
  ///
  /// - Parameter operation: `nil` for a request that reaches none.
  func failing(
    by faults: OperationFaults?, of operation: MockOperation?, in lane: any LaneAccess, at time: LaneTime,
    _ options: Mock.Options
  ) -> Reply {
    let mayHaveOwn = lane.demand == .everything
    guard faults != nil || mayHaveOwn else { return self }
    return lane.perform(mayHaveOwn || faults?.needsState == true) { state in
      var reply = self
      let decision = FaultDecision(lane: state, time: time, seed: options.seed)
      faults?.apply(to: &reply, decision)
      state?.state.faults(of: operation)?.apply(to: &reply, decision)
      return reply
    }
  }

  /// Adds a delay and a fault, which take precedence over those it has.
  mutating func apply(_ outcome: FaultPlan.Outcome) {
    if let delay = outcome.delay { self.delay = delay }
    if let fault = outcome.fault { self.fault = self.fault?.and(fault) ?? fault }
  }
}
