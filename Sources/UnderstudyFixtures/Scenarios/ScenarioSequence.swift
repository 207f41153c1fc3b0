package struct ScenarioSequence: Sendable, Equatable {
  package var steps: [Step] = []
  /// Whether the first step follows the last one; otherwise the last one repeats.
  package var loops = false

  /// One answer: `404`, `401*2`, `{answer: 200, after: 5s}`.
  package struct Step: Sendable, Equatable {
    package var forcing: Forcing
    /// How often it answers before the next step may follow.
    package var times = 1
    /// The least time since the first answer of the step before; until then, that step repeats.
    package var after = Duration.zero
  }

  /// The last item of a list that starts again.
  package static let loop = "loop"
  package static let timesLimit = 1_000_000

  /// The place in a sequence after some answers.
  package struct Position: Codable, Sendable, Hashable {

    package init() {
    }
    /// Of the step that answered last.
    private(set) var step = 0
    /// The answers of this step.
    private var given = 0
    /// The time of its first answer, in microseconds since 1970.
    private var start = 0

    /// Moves to the step that answers at a time, and returns it.
    package mutating func advance(in sequence: ScenarioSequence, at now: Int) -> Int {
      // A state may come from another version of the file.
      if !sequence.steps.indices.contains(step) { self = Position() }
      if given >= sequence.steps[step].times, let next = follower(in: sequence),
        .microseconds(now - start) >= sequence.steps[next].after
      {
        self = Position()
        step = next
      }
      if given == 0 { start = now }
      given = min(given + 1, ScenarioSequence.timesLimit)
      return step
    }

    private func follower(in sequence: ScenarioSequence) -> Int? {
      step + 1 < sequence.steps.count ? step + 1 : sequence.loops ? 0 : nil
    }
  }
}
