/// An answer of a lane that was chosen from outside.
package struct ForcedReply: Codable, Sendable, Hashable {
  /// The id of an operation; `*` for all that have the answer.
  package var operation: String
  /// A status, a meaning or a variant: `401`, `penaltyFirst`, `200.empty`.
  package var answer: String
  /// The number of requests that it still answers; `nil` for all.
  package var times: Int?

  package init(operation: String, answer: String, times: Int? = nil) {
    (self.operation, self.answer, self.times) = (operation, answer, times)
  }

  /// The answer of an operation; `nil` where it is not meant, or lacks it.
  func forcing(of operation: MockOperation) -> Forcing? {
    guard operation.compiled.isNamed(self.operation) else { return nil }
    return try? operation.forcing(named: answer).get()
  }
}

extension LaneState {
  func isForced(_ operation: MockOperation) -> Bool { forced.contains { $0.forcing(of: operation) != nil } }

  /// The forced answer of the next request to an operation, and its place.
  func nextForced(of operation: MockOperation) -> (forcing: Forcing, index: Int)? {
    for index in forced.indices.reversed() {
      if let forcing = forced[index].forcing(of: operation) { return (forcing, index) }
    }
    return nil
  }

  mutating func countForced(at index: Int) {
    guard let times = forced[index].times else { return }
    forced[index].times = times - 1
    if times <= 1 { forced.remove(at: index) }
  }
}
