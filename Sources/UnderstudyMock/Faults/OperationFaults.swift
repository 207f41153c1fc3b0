/// The delays and faults of the answers of one operation, or of requests that reach none.
final class OperationFaults: Sendable {
  private let entries: [Entry]

  private struct Entry: Sendable {
    let scope: FaultScope
    let plan: FaultPlan
    let fixed: FaultPlan.Outcome?
    /// Names the rule in the state.
    let key: String
  }

  /// Later rules take precedence; `nil` where none applies. `owner` distinguishes the rules of a lane from the mock's.
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

  func apply(to reply: inout Reply, in lane: inout LaneTransaction) {
    for entry in entries where entry.scope.covers(reply) {
      guard let outcome = entry.fixed ?? lane.outcome(of: entry.plan, key: entry.key) else { continue }
      reply.apply(outcome)
    }
  }
}

extension Reply {
  /// Adds a delay and a fault, which take precedence over those it has.
  mutating func apply(_ outcome: FaultPlan.Outcome) {
    if let delay = outcome.delay { self.delay = delay }
    if let fault = outcome.fault { self.fault = self.fault?.and(fault) ?? fault }
  }
}
