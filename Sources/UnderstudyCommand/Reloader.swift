import Synchronization
import Understudy
import UnderstudyServer

/// Builds a new engine whenever a file changes; a broken contract leaves the last good one serving.
final class Reloader: Sendable {
  private let load: @Sendable () -> (engine: MockEngine?, watched: [String])
  private let use: @Sendable (_ engine: MockEngine?, _ changed: String) async -> Void
  private let watcher = Mutex<FileWatcher?>(nil)

  /// - Parameters:
  ///   - load: reads everything anew; without an engine when that failed.
  ///   - use: is given the new engine, or none, and the names of what changed.
  init(
    load: @escaping @Sendable () -> (engine: MockEngine?, watched: [String]),
    use: @escaping @Sendable (_ engine: MockEngine?, _ changed: String) async -> Void
  ) {
    self.load = load
    self.use = use
  }

  /// - Parameter since: the state of the files before they were loaded first.
  func start(watching paths: [String], since: FileWatcher.Snapshot) {
    let new = FileWatcher(paths: paths, since: since) { [weak self] changed in self?.reload(changed) }
    watcher.withLock { $0 = new }
    new.start()
  }

  func stop() {
    watcher.withLock { watcher in
      watcher?.stop()
      watcher = nil
    }
  }

  private func reload(_ changed: [String]) {
    let names = changed.prefix(3).joined(separator: ", ") + (changed.count > 3 ? " and \(changed.count - 3) more" : "")
    let (engine, watched) = load()
    // A new `$ref` brings new files. What could not be read to its end does not know all of its own.
    if engine != nil { watcher.withLock { $0 }?.watch(watched) }
    Task { await use(engine, names) }
  }
}
