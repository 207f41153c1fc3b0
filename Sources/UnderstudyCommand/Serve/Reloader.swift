import UnderstudyMock
import UnderstudyServer
import UnderstudySystem
import UnderstudyVerification

/// Builds a new mock whenever a file changes. With a broken contract the last mock stays.
final class Reloader: Sendable {
  private let load: @Sendable (_ changed: [String]) -> (mock: Mock?, watched: [String])
  private let use: @Sendable (_ mock: Mock?, _ changed: String) async -> Void
  private let state = Lock(State())
  /// Two reloads never overlap.
  private let loading = Lock(())

  private struct State {
    var watcher: FileWatcher?
    /// Passes the results to one task, in order.
    var results: AsyncStream<Result>.Continuation?
    var task: Task<Void, Never>?
  }

  private struct Result {
    var mock: Mock?
    var changed: String
    /// Gets whether the mock is served.
    var isUsed: CheckedContinuation<Bool, Never>?
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

  /// - Parameters:
  ///   - paths: `nil` to reload on demand only.
  ///   - since: The state of the files before they were first loaded.
  func start(watching paths: [String]?, since: FileWatcher.Snapshot) {
    let new = paths.map { paths in
      FileWatcher(paths: paths, since: since) { [weak self] changed in self?.reload(changed) }
    }
    let (stream, results) = AsyncStream.makeStream(of: Result.self)
    let task = Task { [use] in
      for await result in stream {
        await use(result.mock, result.changed)
        result.isUsed?.resume(returning: result.mock?.diagnostics.isEmpty == true)
      }
    }
    state.withLock { $0 = State(watcher: new, results: results, task: task) }
    new?.start()
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

  /// Reads all files again, and returns whether the new mock is served.
  func reload() async -> Bool {
    await withCheckedContinuation { continuation in reload([], isUsed: continuation) }
  }

  private func reload(_ changed: [String], isUsed: CheckedContinuation<Bool, Never>? = nil) {
    let names = changed.prefix(3).joined(separator: ", ") + (changed.count > 3 ? " and \(changed.count - 3) more" : "")
    let (mock, watched) = loading.withLock { _ in load(changed) }
    // A new `$ref` may add files. After a failure the list of files is incomplete.
    let (watcher, results) = state.withLock { ($0.watcher, $0.results) }
    if mock != nil { watcher?.watch(watched) }
    guard case .enqueued? = results?.yield(Result(mock: mock, changed: names, isUsed: isUsed)) else {
      isUsed?.resume(returning: false)
      return
    }
  }
}
