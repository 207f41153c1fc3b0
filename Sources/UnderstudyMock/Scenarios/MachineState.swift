/// Where one instance of a machine is.
package struct MachineState: Codable, Sendable, Hashable {
  package var state: String
  /// When it came to the state by the clock of the lane, in microseconds since 1970.
  package var since: Int
  /// By their names.
  package var variables: [String: String] = [:]
  /// The number of the request that led to the state; `nil` for a timer and for the start.
  package var cause: Int?

  package init(_ state: String, since: Int) { (self.state, self.since) = (state, since) }

  /// Moves along the timers that have run out, and notes each with its instant in microseconds since 1970. Rounds
  /// through the same states are skipped, however many they are.
  mutating func settle(
    in machine: ScenarioMachine, at now: Int, _ note: (ScenarioMachine.Timer, Int) -> Void = { _, _ in }
  ) {
    var visits: [String: Int] = [:]
    while let timer = machine.state(state)?.timer {
      let end = since &+ timer.after.wholeMicroseconds
      guard now >= end else { return }
      if let visit = visits[state] {
        let round = since - visit
        // States that lead to each other without time: any of them is as right.
        guard round > 0 else {
          since = now
          return
        }
        since += (now - since) / round * round
        visits = [:]
        continue
      }
      visits[state] = since
      note(timer, end)
      state = timer.next
      since = end
      cause = nil
    }
  }

  mutating func move(to next: String, at now: Int, by request: Int) {
    guard !next.utf8Equals(state) else { return }
    state = next
    since = now
    cause = request
  }
}
