import Synchronization
import Understudy
import UnderstudyServer

/// Builds a new mock whenever a file changes; a broken contract leaves the last good one serving.
final class Reloader: Sendable {
  private let load: @Sendable () -> (mock: Mock?, watched: [String])
  private let use: @Sendable (_ mock: Mock?, _ changed: String) async -> Void
  private let state = Mutex(State())

  private struct State {
    var watcher: FileWatcher?
    /// What was read, on its way to the one task that puts it to use: in the order in which it was read.
    var results: AsyncStream<(mock: Mock?, changed: String)>.Continuation?
    var task: Task<Void, Never>?
  }

  /// - Parameters:
  ///   - load: reads everything anew; without a mock when that failed.
  ///   - use: is given the new mock, or none, and the names of what changed.
  init(
    load: @escaping @Sendable () -> (mock: Mock?, watched: [String]),
    use: @escaping @Sendable (_ mock: Mock?, _ changed: String) async -> Void
  ) {
    self.load = load
    self.use = use
  }

  /// - Parameter since: the state of the files before they were loaded first.
  func start(watching paths: [String], since: FileWatcher.Snapshot) {
    let new = FileWatcher(paths: paths, since: since) { [weak self] changed in self?.reload(changed) }
    let (stream, results) = AsyncStream.makeStream(of: (mock: Mock?, changed: String).self)
    let task = Task { [use] in
      for await (mock, changed) in stream { await use(mock, changed) }
    }
    state.withLock { $0 = State(watcher: new, results: results, task: task) }
    new.start()
  }

  /// Looks no more, and waits until what was read is in use.
  func stop() async {
    let last = state.withLock { state in
      defer { state = State() }
      return state
    }
    last.watcher?.stop()
    last.results?.finish()
    await last.task?.value
  }

  private func reload(_ changed: [String]) {
    let names = changed.prefix(3).joined(separator: ", ") + (changed.count > 3 ? " and \(changed.count - 3) more" : "")
    let (mock, watched) = load()
    // A new `$ref` brings new files. What could not be read to its end does not know all of its own.
    let (watcher, results) = state.withLock { ($0.watcher, $0.results) }
    if mock != nil { watcher?.watch(watched) }
    results?.yield((mock, names))
  }
}
