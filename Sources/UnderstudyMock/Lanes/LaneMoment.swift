/// The state of a lane while one event changes it, at the time of the event.
struct LaneMoment {
  var state = LaneState()
  /// By the clock of the lane, in microseconds since 1970.
  let now: Int
  /// Of a lane without one of its own.
  private let seed: String

  /// Takes the state, which is put back at the end, so that changing it copies nothing.
  init(taking state: inout LaneState, at now: Int, seed: String) {
    (self.now, self.seed) = (now, seed)
    swap(&self.state, &state)
  }

  /// Gives the state back, and ends the moment.
  mutating func putBack(into state: inout LaneState) { swap(&self.state, &state) }

  /// Notes the time of a request, and where the machines are.
  mutating func arrive(_ moment: LaneTime.Moment?, _ turn: ScenarioTurn?) {
    moment?.arrive(in: &state)
    turn?.arrive(in: &state)
  }

  /// The outcome of a plan for the next answer that it is for; `nil` unless its conditions hold.
  mutating func outcome(of plan: FaultPlan, key: String) -> FaultPlan.Outcome? {
    if let fixed = plan.fixed { return fixed }
    let turn = state.nextTurn(of: "fault \(key)")
    return plan.outcome(
      seed: state.seed ?? seed, key: key, turn: turn, elapsed: .microseconds(now - state.openedAt))
  }

  /// Adds the faults of the mock and of the lane.
  ///
  /// - Parameter operation: `nil` for a request that reaches none.
  mutating func fail(_ reply: inout Reply, by faults: OperationFaults?, of operation: MockOperation?) {
    faults?.apply(to: &reply, in: &self)
    if !state.faults.isEmpty { state.faults(of: operation)?.apply(to: &reply, in: &self) }
  }
}
