/// Detects an idle connection by checks at regular intervals, so that requests need no timer.
struct IdleWatch {
  private struct Progress: Equatable {
    let answered: UInt64
    let unsent: Int
  }

  private var answered: UInt64 = 0
  private var last: Progress?
  private var repetitions = 0

  /// The number of checks within the idle timeout.
  static let checks = 4

  mutating func countAnswer() { answered &+= 1 }

  mutating func reset() { last = nil }

  /// Whether there was no progress during the idle timeout: no answer, and no byte that the client received.
  mutating func isIdle(unsent: Int) -> Bool {
    let progress = Progress(answered: answered, unsent: unsent)
    repetitions = progress == last ? repetitions + 1 : 0
    last = progress
    return repetitions == Self.checks
  }
}
