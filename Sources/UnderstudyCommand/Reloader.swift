import Synchronization
import Understudy
import UnderstudyServer

/// Builds a new mock whenever a file changes. With a broken contract the last mock stays.
final class Reloader: Sendable {
  private let load: @Sendable (_ changed: [String]) -> (mock: Mock?, watched: [String])
  private let use: @Sendable (_ mock: Mock?, _ changed: String) async -> Void
  private let state = Mutex(State())

  private struct State {
    var watcher: FileWatcher?
    /// Passes the results to one task, in order.
    var results: AsyncStream<(mock: Mock?, changed: String)>.Continuation?
    var task: Task<Void, Never>?
  }

  /// - Parameters:
  ///   - load: Receives the changed files and reads all files again. Returns no mock if that failed.
  ///   - use: Receives the new mock, if any, and the names of the changed files.
  init(
    load: @escaping @Sendable (_ changed: [String]) -> (mock: Mock?, watched: [String]),
    use: @escaping @Sendable (_ mock: Mock?, _ changed: String) async -> Void
  ) {
    self.load = load
    self.use = use
  }

  /// - Parameter since: The state of the files before they were first loaded.
  func start(watching paths: [String], since: FileWatcher.Snapshot) {
    let new = FileWatcher(paths: paths, since: since) { [weak self] changed in self?.reload(changed) }
    let (stream, results) = AsyncStream.makeStream(of: (mock: Mock?, changed: String).self)
    let task = Task { [use] in
      for await (mock, changed) in stream { await use(mock, changed) }
    }
    state.withLock { $0 = State(watcher: new, results: results, task: task) }
    new.start()
  }

  /// Stops watching, and waits until the last result is in use.
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
    let (mock, watched) = load(changed)
    // A new `$ref` may add files. After a failure the list of files is incomplete.
    let (watcher, results) = state.withLock { ($0.watcher, $0.results) }
    if mock != nil { watcher?.watch(watched) }
    results?.yield((mock, names))
  }
}
