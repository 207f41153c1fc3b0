import Synchronization

/// Tells when files change, by asking for their stamps now and then: that works on every system and every file system.
///
/// A change is reported once the files have rested for one look, so that a save in several steps, or a checkout of many
/// files, is one change.
package final class FileWatcher: Sendable {
  private let state: Mutex<State>
  private let changed: @Sendable ([String]) -> Void
  private let interval: Duration

  private struct State {
    var paths: [String]
    var stamps: [String: FileStamp]
    /// Changed since the last report.
    var pending: Set<String> = []
    var task: Task<Void, Never>?
  }

  /// The state of files at one moment.
  package struct Snapshot: Sendable {
    fileprivate let stamps: [String: FileStamp]

    package init(of paths: [String]) { stamps = FileWatcher.stamps(of: paths) }
  }

  /// - Parameters:
  ///   - paths: files, and directories with all that is in them; they need not exist yet.
  ///   - since: taken before the files were read, so that no change after that is lost.
  ///   - changed: is given the paths that changed, appeared or vanished, sorted; directories themselves are not named.
  package init(
    paths: [String], since: Snapshot? = nil, interval: Duration = .milliseconds(300),
    changed: @escaping @Sendable ([String]) -> Void
  ) {
    let earlier = since?.stamps.filter { file, _ in paths.contains { file == $0 || file.hasPrefix($0 + "/") } } ?? [:]
    let stamps = Self.stamps(of: paths).merging(earlier) { _, old in old }
    self.state = Mutex(State(paths: paths, stamps: stamps))
    self.changed = changed
    self.interval = interval
  }

  /// Looks from time to time until `stop` is called or the watcher is gone.
  package func start() {
    let task = Task.detached(priority: .background) { [weak self, interval] in
      while !Task.isCancelled {
        guard (try? await Task.sleep(for: interval)) != nil else { return }
        guard let self else { return }
        self.poll()
      }
    }
    replaceTask(task)
  }

  package func stop() { replaceTask(nil) }

  deinit { replaceTask(nil) }

  private func replaceTask(_ task: Task<Void, Never>?) {
    state.withLock { state in
      state.task?.cancel()
      state.task = task
    }
  }

  /// Watches other paths from now on, as when a contract begins to refer to one more file.
  package func watch(_ paths: [String]) {
    state.withLock { state in
      let stamps = Self.stamps(of: paths)
      state.paths = paths
      // Paths that were watched before keep their old stamps: a change between two looks is not lost.
      state.stamps = stamps.merging(state.stamps.filter { stamps[$0.key] != nil }) { _, old in old }
    }
  }

  /// Looks once, and reports what changed before if nothing changed since.
  package func poll() {
    let report: [String] = state.withLock { state in
      let now = Self.stamps(of: state.paths)
      var changes: Set<String> = []
      for (path, stamp) in now where state.stamps[path] != stamp {
        if !stamp.isDirectory { changes.insert(path) }
      }
      for (path, stamp) in state.stamps where now[path] == nil && !stamp.isDirectory { changes.insert(path) }
      state.stamps = now
      state.pending.formUnion(changes)
      guard changes.isEmpty, !state.pending.isEmpty else { return [] }
      defer { state.pending = [] }
      return state.pending.sorted()
    }
    if !report.isEmpty { changed(report) }
  }

  fileprivate static func stamps(of paths: [String]) -> [String: FileStamp] {
    var stamps: [String: FileStamp] = [:]
    for path in paths { stamps.merge(FileStamp.all(under: path)) { first, _ in first } }
    return stamps
  }
}
