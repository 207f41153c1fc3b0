import UnderstudyMock
import UnderstudySystem

/// The replies that a test has arranged.
final class ReplyScript: Sendable {
  private let sequences = Lock<[ReplySequence]>([])

  func add(_ sequence: ReplySequence) { sequences.withLock { $0.append(sequence) } }

  /// The reply to a request; `nil` where the mock answers by itself.
  func next(_ operation: String, _ request: RequestView) -> ReplyOverride? {
    sequences.withLock { sequences in
      let index = sequences.lastIndex { sequence in
        sequence.operation.utf8Equals(operation) && !sequence.isOver && sequence.predicate?.matches(request) != false
      }
      return index.map { sequences[$0].advance() }
    }
  }

  /// The replies that no request has met, each with its line in the test.
  var unused: [(message: String, location: SourceLocation)] {
    sequences.withLock { $0 }.compactMap { sequence in
      sequence.unused.map { (message: $0, location: sequence.location) }
    }
  }
}

/// Replies of one `reply(to:)`, in turn.
struct ReplySequence: Sendable {
  let operation: String
  let predicate: RequestMatcher?
  let steps: [Step]
  /// The number of requests after which it is over.
  let times: Int?
  let location: SourceLocation
  private var answered = 0
  private var position = 0
  /// The answers of the step at `position`.
  private var given = 0

  struct Step: Sendable {
    let override: ReplyOverride
    let label: String
    let repetitions: Int?

    init(_ reply: ScriptedReply, in operation: MockOperation) {
      override = reply.override(in: operation)
      label = reply.label
      repetitions = reply.repetitions
    }
  }

  init(operation: String, predicate: RequestMatcher?, steps: [Step], times: Int?, location: SourceLocation) {
    self.operation = operation
    self.predicate = predicate
    self.steps = steps
    self.times = times
    self.location = location
  }

  var isOver: Bool {
    if let times, answered >= times { return true }
    return position == steps.count - 1 && steps[position].repetitions.map { given >= $0 } ?? false
  }

  /// The reply to the next request; the last one stays.
  mutating func advance() -> ReplyOverride {
    if position + 1 < steps.count, given >= steps[position].repetitions ?? 1 {
      position += 1
      given = 0
    }
    given += 1
    answered += 1
    return steps[position].override
  }

  /// The first reply that no request has met; `nil` when each has answered.
  var unused: String? {
    if answered == 0 { return "`\(operation)` was never called: the reply \(steps[0].label) was not sent" }
    guard position + 1 < steps.count else { return nil }
    return "`\(operation)` was called \(answered) \(answered == 1 ? "time" : "times"): "
      + "the reply \(steps[position + 1].label) was not sent"
  }
}
