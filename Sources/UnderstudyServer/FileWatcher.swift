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
    /// When the stamps were taken, or shortly before.
    var takenAt: FileStamp.Moment
    /// Changed since the last report.
    var pending: Set<String> = []
    var task: Task<Void, Never>?
  }

  /// The state of files at one moment.
  package struct Snapshot: Sendable {
    fileprivate let takenAt: FileStamp.Moment
    fileprivate let stamps: [String: FileStamp]

    fileprivate init(takenAt: FileStamp.Moment, stamps: [String: FileStamp]) {
      self.takenAt = takenAt
      self.stamps = stamps
    }

    package init(of paths: [String]) {
      takenAt = .now()
      stamps = FileWatcher.stamps(of: paths)
    }
  }

  /// - Parameters:
  ///   - paths: files, and directories with all that is in them; they need not exist yet.
  ///   - since: taken before the files were read, so that no change after that is lost.
  ///   - changed: is given the paths that changed, appeared or vanished, sorted; directories themselves are not named.
  package init(
    paths: [String], since: Snapshot? = nil, interval: Duration = .milliseconds(300),
    changed: @escaping @Sendable ([String]) -> Void
  ) {
    let since = since ?? Snapshot(of: paths)
    state = Mutex(State(paths: paths, stamps: Self.stamps(of: paths, since: since), takenAt: since.takenAt))
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
      let known = Snapshot(takenAt: state.takenAt, stamps: state.stamps)
      state.paths = paths
      state.stamps = Self.stamps(of: paths, since: known)
    }
  }

  /// Looks once, and reports what changed before if nothing changed since.
  package func poll() {
    let report: [String] = state.withLock { state in
      state.takenAt = .now()
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

  /// The stamps as they were at an earlier look, so that no change since then is lost.
  ///
  /// A path that nobody looked at then is one that a reader came upon on its way, after that look: what changed since may have
  /// changed before it was read or after, so it counts as changed.
  private static func stamps(of paths: [String], since earlier: Snapshot) -> [String: FileStamp] {
    let known = earlier.stamps.filter { file, _ in paths.contains { file == $0 || file.hasPrefix($0 + "/") } }
    let others = stamps(of: paths).filter { !$0.value.hasChanged(since: earlier.takenAt) }
    return others.merging(known) { _, old in old }
  }

  fileprivate static func stamps(of paths: [String]) -> [String: FileStamp] {
    var stamps: [String: FileStamp] = [:]
    for path in paths { stamps.merge(FileStamp.all(under: path)) { first, _ in first } }
    return stamps
  }
}
