/// Where one instance of a machine is.
package struct MachineState: Codable, Sendable, Hashable {
  package var state: String
  /// When it came to the state by the clock of the lane, in microseconds since 1970.
  package var since: Int
  /// By their names.
  package var variables: [String: String] = [:]
  /// The number of the request that led to the state; `nil` for a timer and for the start.
  package var cause: Int?

  package init(_ state: String, since: Int) {
    self.state = state
    self.since = since
  }

  /// Moves along the timers that have run out.
  mutating func settle(in machine: ScenarioMachine, at now: Int) {
    for _ in 0..<Self.timerLimit {
      guard let timer = machine.state(state)?.timer else { return }
      let end = since &+ Int(timer.after / .microseconds(1))
      guard now >= end else { return }
      state = timer.next
      since = end
      cause = nil
    }
    // States that lead to each other by time alone: where it would be does not matter after so many rounds.
    since = now
  }

  private static let timerLimit = 10_000

  mutating func move(to next: String, at now: Int, by request: Int) {
    guard !next.utf8Equals(state) else { return }
    state = next
    since = now
    cause = request
  }
}
