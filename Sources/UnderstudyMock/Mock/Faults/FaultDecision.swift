/// Decides about the faults of one answer: some depend on the requests before, on chance or on the clock.
struct FaultDecision {
  /// `nil` where no plan of the answer depends on state.
  let lane: LaneReference?
  let time: LaneTime
  /// Unless the lane has its own.
  let seed: String

  /// The outcome for the next request that meets a plan; `nil` unless its conditions hold.
  func outcome(of plan: FaultPlan, key: String) -> FaultPlan.Outcome? {
    if let fixed = plan.fixed { return fixed }
    let turn = lane?.state.nextTurn(of: "fault \(key)") ?? 0
    let now = time()
    return plan.outcome(
      seed: lane?.state.seed ?? seed, key: key, turn: turn,
      elapsed: .microseconds(now - (lane?.state.openedAt ?? now)))
  }
}
