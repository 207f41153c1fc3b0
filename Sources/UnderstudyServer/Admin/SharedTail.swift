import UnderstudyMock
import UnderstudySystem

/// The last requests of all replicas, read from their store while clients follow the journal.
final class SharedTail: Sendable {
  private struct State {
    var entries: [StoredEntry] = []
    var position = 0
    var isReading = false
  }

  private static let limit = 1_000

  private let replicas: ReplicaGroup
  private let state = Lock(State())
  /// One reader at a time.
  private let reading = Lock(())

  init(_ replicas: ReplicaGroup) { self.replicas = replicas }

  /// The number of the newest request that was read.
  var newest: Int { state.withLock(\.position) }

  /// The requests after a number, as far as they are read; a worker reads on.
  func entries(after number: Int) -> [StoredEntry] {
    let (found, reads) = state.withLock { state in
      defer { state.isReading = true }
      return (state.entries.filter { $0.number > number }, !state.isReading)
    }
    if reads {
      replicas.workers.submit { [self] in
        // A store that is away now is asked again by the next follower.
        try? read()
      }
    }
    return found
  }

  /// Reads the requests since the last time.
  func read() throws(LaneProblem) {
    defer { state.withLock { $0.isReading = false } }
    try reading.withLock { _ throws(LaneProblem) in try readAlone() }
  }

  private func readAlone() throws(LaneProblem) {
    var position = max(newest, try replicas.clearedPosition())
    while true {
      let page = try replicas.entries(of: nil, after: position, limit: Self.limit)
      guard let last = page.last else { return }
      position = last.number
      state.withLock { state in
        state.entries = (state.entries + page).suffix(Self.limit)
        state.position = max(state.position, position)
      }
    }
  }
}
