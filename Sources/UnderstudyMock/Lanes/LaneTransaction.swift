/// The state of a lane while one event changes it, with the time of the event. Only `LaneState.change` creates a
/// transaction, and ends it with its closure, which cannot keep the noncopyable state.
struct LaneTransaction: ~Copyable {
  var state = LaneState()
  /// The time of the event by the clock of the lane, in microseconds since 1970.
  let now: Int
  /// The seed of a lane without its own.
  private let seed: String

  fileprivate init(at now: Int, seed: String) { (self.now, self.seed) = (now, seed) }

  /// Notes the time of a request and the states of its machines.
  mutating func arrive(_ moment: LaneTime.Moment?, _ step: ScenarioStep?) {
    moment?.arrive(in: &state)
    step?.arrive(in: &state)
  }

  /// The outcome of a plan for the next response that it applies to; `nil` unless its conditions hold.
  mutating func outcome(of plan: FaultPlan, key: String) -> FaultPlan.Outcome? {
    if let fixed = plan.fixed { return fixed }
    let turn = state.nextTurn(of: "fault \(key)")
    return plan.outcome(
      seed: state.seed ?? seed, key: key, turn: turn, elapsed: .microseconds(now - state.openedAt))
  }

  /// Adds the faults of the mock and of the lane; `operation` is `nil` for a request that reaches none.
  mutating func fail(_ reply: inout Reply, by faults: OperationFaults?, of operation: MockOperation?) {
    faults?.apply(to: &reply, in: &self)
    if !state.faults.isEmpty { state.faults(of: operation)?.apply(to: &reply, in: &self) }
  }
}

extension LaneState {
  /// Changes the state by one event: the only place where a transaction begins and ends. The state moves uncopied.
  mutating func change<Input: ~Copyable, Result>(
    by input: consuming Input, at now: Int, seed: String,
    _ body: (consuming Input, inout LaneTransaction) -> Result
  ) -> Result {
    var transaction = LaneTransaction(at: now, seed: seed)
    swap(&transaction.state, &self)
    defer { swap(&transaction.state, &self) }
    return body(input, &transaction)
  }

  /// Changes the state by one event that consumes nothing.
  mutating func change(at now: Int, seed: String, _ body: (inout LaneTransaction) -> Void) {
    change(by: (), at: now, seed: seed) { body(&$1) }
  }
}
