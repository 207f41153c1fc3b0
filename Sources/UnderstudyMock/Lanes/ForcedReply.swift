/// An answer of a lane that was chosen from outside.
package struct ForcedReply: Codable, Sendable, Hashable {
  /// The id of an operation; `*` for all that have the answer.
  package var operation: String
  /// A status, a meaning or a variant: `401`, `penaltyFirst`, `200.empty`.
  package var answer: String
  /// The number of requests that it still answers; `nil` for all.
  package var times: Int?
  /// The conditions under which it answers; `nil` for all requests.
  package var conditions: FaultConditions?

  package init(operation: String, answer: String, times: Int? = nil, conditions: FaultConditions? = nil) {
    (self.operation, self.answer, self.times, self.conditions) = (operation, answer, times, conditions)
  }

  /// Whether it leaves some requests to earlier replies.
  var isLimited: Bool { times != nil || conditions != nil }

  /// The label of its requests in `LaneState.turns`.
  var label: String { "force \(operation)=\(answer)\(conditions?.text ?? "")" }

  /// The answer of an operation; `nil` where it is not meant, or lacks it.
  func forcing(of operation: MockOperation) -> Forcing? {
    guard operation.compiled.isNamed(self.operation) else { return nil }
    if let forcing = try? operation.forcing(named: answer).get() { return forcing }
    return ForcingRule("\(self.operation)=\(answer)")?.plain
  }
}

extension LaneState {
  /// The forced response of the next request to an operation, and its index; `turns` gets the labels of the replies whose
  /// conditions decided. `now` is the time of the lane in microseconds since 1970; a lane without a seed has `seed`.
  func nextForced(
    of operation: MockOperation, at now: Int, seed: String, turns: inout [String]
  ) -> (forcing: Forcing, index: Int)? {
    for index in forced.indices.reversed() {
      let reply = forced[index]
      guard let forcing = reply.forcing(of: operation) else { continue }
      guard let conditions = reply.conditions else { return (forcing, index) }
      turns.append(reply.label)
      let turn = self.turns[reply.label] ?? 0
      let elapsed = Duration.microseconds(now - openedAt)
      if conditions.hold(seed: self.seed ?? seed, key: reply.label, turn: turn, elapsed: elapsed) {
        return (forcing, index)
      }
    }
    return nil
  }

  mutating func countForced(at index: Int) {
    guard let times = forced[index].times else { return }
    forced[index].times = times - 1
    if times <= 1 { forced.remove(at: index) }
  }
}
