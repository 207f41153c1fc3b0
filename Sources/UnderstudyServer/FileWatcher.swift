import Synchronization
import Understudy

/// Watches files by polling their stamps, which works on every system and every file system.
///
/// A change is reported after one poll without further changes, so that a save in several steps or a checkout of many
/// files is one change.
package final class FileWatcher: Sendable {
  private let state: Mutex<State>
  private let changed: @Sendable ([String]) -> Void
  private let interval: Duration

  private struct State {
    var paths: [String]
    var stamps: [String: FileStamp]
    /// The time of the stamps, or shortly before.
    var takenAt: Int
    /// The changes since the last report.
    var pending: Set<String> = []
    var task: Task<Void, Never>?
  }

  /// The state of files at one time.
  package struct Snapshot: Sendable {
    fileprivate let takenAt: Int
    fileprivate let stamps: [String: FileStamp]

    fileprivate init(takenAt: Int, stamps: [String: FileStamp]) {
      self.takenAt = takenAt
      self.stamps = stamps
    }

    package init(of paths: [String]) {
      takenAt = FileStatus.now()
      stamps = FileWatcher.stamps(of: paths)
    }
  }

  /// - Parameters:
  ///   - paths: Files, and directories with their descendants. They need not exist yet.
  ///   - since: Taken before the files were read, so that no later change is lost.
  ///   - changed: Receives the sorted paths that changed, appeared or vanished, without directories.
  package init(
    paths: [String], since: Snapshot? = nil, interval: Duration = .milliseconds(300),
    changed: @escaping @Sendable ([String]) -> Void
  ) {
    let since = since ?? Snapshot(of: paths)
    state = Mutex(State(paths: paths, stamps: Self.stamps(of: paths, since: since), takenAt: since.takenAt))
    self.changed = changed
    self.interval = interval
  }

  /// Polls until `stop` is called or the watcher is released.
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

  /// Replaces the watched paths, for example when a contract refers to a new file.
  package func watch(_ paths: [String]) {
    state.withLock { state in
      let known = Snapshot(takenAt: state.takenAt, stamps: state.stamps)
      state.paths = paths
      state.stamps = Self.stamps(of: paths, since: known)
    }
  }

  /// Reports earlier changes, unless files have changed since the last poll.
  package func poll() {
    let report: [String] = state.withLock { state in
      state.takenAt = FileStatus.now()
      let now = Self.stamps(of: state.paths)
      var changes = Set(now.filter { state.stamps[$0] != $1 && !$1.isDirectory }.keys)
      changes.formUnion(state.stamps.filter { now[$0] == nil && !$1.isDirectory }.keys)
      state.stamps = now
      state.pending.formUnion(changes)
      guard changes.isEmpty, !state.pending.isEmpty else { return [] }
      defer { state.pending = [] }
      return state.pending.sorted()
    }
    if !report.isEmpty { changed(report) }
  }

  /// The stamps of an earlier snapshot, so that no change since then is lost.
  ///
  /// A path that the snapshot lacks was read at an unknown time after it. If it has changed since the snapshot, it
  /// counts as changed.
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
