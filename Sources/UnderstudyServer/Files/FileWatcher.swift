import UnderstudyMock
import UnderstudySystem

/// Watches files by comparing their stamps, when the system reports an event in their folders. Where it reports none, on
/// file systems of other machines for example, it looks again and again.
///
/// A change is reported after one poll without further changes, so that a save in several steps or a checkout of many
/// files is one change.
package final class FileWatcher: Sendable {
  private let state: Lock<State>
  private let changed: @Sendable ([String]) -> Void
  private let rested: @Sendable () -> Void
  private let interval: Duration

  private struct State {
    var paths: [String]
    var stamps: [String: FileStamp]
    /// The time of the stamps, or shortly before.
    var takenAt: Int
    var pending: Set<String> = []
    var task: Task<Void, Never>?
    var look: AsyncStream<Void>.Continuation?
  }

  package struct Snapshot: Sendable {
    fileprivate let takenAt: Int
    fileprivate let stamps: [String: FileStamp]

    fileprivate init(takenAt: Int, stamps: [String: FileStamp]) { (self.takenAt, self.stamps) = (takenAt, stamps) }

    package init(of paths: [String]) {
      takenAt = FileStatus.now()
      stamps = FileWatcher.stamps(of: paths)
    }
  }

  /// - Parameters:
  ///   - paths: Files, and directories with their descendants. They need not exist yet.
  ///   - since: Taken before the files were read, so that no later change is lost.
  ///   - rested: Called when it has looked and an event will report the next change.
  ///   - changed: Receives the sorted paths that changed, appeared or vanished, without directories.
  package init(
    paths: [String], since: Snapshot? = nil, interval: Duration = .milliseconds(300),
    rested: @escaping @Sendable () -> Void = {}, changed: @escaping @Sendable ([String]) -> Void
  ) {
    let since = since ?? Snapshot(of: paths)
    state = Lock(State(paths: paths, stamps: Self.stamps(of: paths, since: since), takenAt: since.takenAt))
    self.changed = changed
    self.rested = rested
    self.interval = interval
  }

  package func start() {
    let (signals, look) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task.detached(priority: .background) { [weak self, interval] in
      let events = FolderEvents { look.yield() }
      for await _ in signals {
        var isQuiet = false
        while !isQuiet {
          guard (try? await Task.sleep(for: interval)) != nil, let self else { return }
          isQuiet = self.look(events)
          if isQuiet { self.rested() }
        }
      }
    }
    replaceTask(task, look)
    // Something may have changed since the first stamps.
    look.yield()
  }

  package func stop() { replaceTask(nil, nil) }

  deinit { replaceTask(nil, nil) }

  private func replaceTask(_ task: Task<Void, Never>?, _ look: AsyncStream<Void>.Continuation?) {
    state.withLock { state in
      state.task?.cancel()
      state.look?.finish()
      (state.task, state.look) = (task, look)
    }
  }

  /// Polls once. Returns whether an event will report the next change.
  private func look(_ events: FolderEvents?) -> Bool {
    poll()
    guard let events else { return false }
    let (folders, isPending) = state.withLock { (Self.folders(of: $0.paths, $0.stamps), !$0.pending.isEmpty) }
    let coverage = events.watch(folders)
    return coverage.isComplete && !coverage.hasGrown && !isPending
  }

  /// The folders whose events matter, with the names that do: all names within the watched directories, and each path
  /// itself in its parent, since it may be missing or replaced.
  private static func folders(of paths: [String], _ stamps: [String: FileStamp]) -> [String: Set<String>] {
    var folders: [String: Set<String>] = [:]
    func add(_ path: String) {
      let parent = Path.folder(of: path)
      let folder = parent.isEmpty ? "." : parent
      folders[folder, default: []].insert(Path.name(of: path))
      if !FileSystem.exists(folder) { add(folder) }
    }
    for path in paths {
      add(path)
      if let real = FileSystem.realPath(path), real != path { add(real) }
    }
    for (path, stamp) in stamps where stamp.isDirectory { folders[path] = [] }
    return folders
  }

  package func watch(_ paths: [String]) {
    state.withLock { state in
      defer { state.look?.yield() }
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

  /// The stamps of an earlier snapshot, so that no change since then is lost. A path that it lacks was read at an
  /// unknown later time: a change since the snapshot counts as a change.
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
