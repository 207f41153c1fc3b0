#if canImport(Glibc)
import Dispatch
import UnderstudyMock
import UnderstudySystem

/// Reports changes in folders by inotify(7), so that an idle watcher costs nothing.
final class FolderEvents: Sendable {
  private let descriptor: CInt
  // Dispatch's types are safe to use from any thread, but not all of its versions declare it.
  nonisolated(unsafe) private let source: any DispatchSourceRead
  /// The names that matter, by the number of the watch; an empty set means all.
  private let watches = Lock<[CInt: Set<String>]>([:])

  /// - Returns: `nil` if the system has no more instances.
  init?(changed: @escaping @Sendable () -> Void) {
    let descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "files"))
    source.setEventHandler { [weak self] in if self?.readEvents() == true { changed() } }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit { source.cancel() }

  /// - Parameter folders: The folders, each with the names that matter; an empty set means all.
  func watch(_ folders: [String: Set<String>]) -> FolderCoverage {
    var coverage = FolderCoverage()
    let remote = RemoteMounts()
    watches.withLock { watches in
      var new: [CInt: Set<String>] = [:]
      for (folder, names) in folders {
        let watch = inotify_add_watch(descriptor, folder, Self.mask)
        guard watch >= 0 else {
          // Its parent is watched, too. All other errors mean that there are no more watches.
          if errno != ENOENT && errno != ENOTDIR { coverage.isComplete = false }
          continue
        }
        if watches[watch] == nil { coverage.hasGrown = true }
        if remote.contains(folder) { coverage.isComplete = false }
        // Two paths may lead to one folder.
        new[watch] = new[watch].map { $0.isEmpty || names.isEmpty ? [] : $0.union(names) } ?? names
      }
      for watch in watches.keys where new[watch] == nil { inotify_rm_watch(descriptor, watch) }
      watches = new
    }
    return coverage
  }

  private static let mask = UInt32(
    IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)

  private func readEvents() -> Bool {
    var matters = false
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return matters }
      let known = watches.withLock { $0 }
      var rest = buffer[..<count]
      while rest.count >= Self.headSize {
        let (watch, mask, length) = rest.withUnsafeBytes { bytes in
          (
            bytes.loadUnaligned(as: CInt.self), bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
            Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
          )
        }
        let name = rest.dropFirst(Self.headSize).prefix(length).prefix { $0 != 0 }
        rest = rest.dropFirst(Self.headSize + length)
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { matters = true }
        guard let names = known[watch], mask & UInt32(IN_IGNORED) == 0 else { continue }
        if names.isEmpty || name.isEmpty || names.contains(String(decoding: name, as: UTF8.self)) { matters = true }
      }
    }
  }

  /// The size of `struct inotify_event` without its name.
  private static let headSize = 16
}

/// The file systems whose files other machines can change, which inotify does not report.
private struct RemoteMounts {
  private let devices: Set<UInt64>

  init() {
    var devices: Set<UInt64> = []
    // `36 35 98:0 /root /mount rw,noatime master:1 - nfs4 host:/export rw` (proc_pid_mountinfo(5))
    let table = (try? FileSystem.read("/proc/self/mountinfo"))?.bytes ?? []
    for line in table.split(separator: UInt8(ascii: "\n")) {
      let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.endIndex, fields.count > 2,
        Self.types.contains(where: { fields[dash + 1].hasPrefix($0) })
      else { continue }
      let numbers = fields[2].split(separator: ":").compactMap { UInt32($0) }
      if numbers.count == 2 { devices.insert(Self.device(numbers[0], numbers[1])) }
    }
    self.devices = devices
  }

  /// The number of a device, as `makedev(3)` puts it together.
  private static func device(_ major: UInt32, _ minor: UInt32) -> UInt64 {
    let (high, low) = (UInt64(major), UInt64(minor))
    return (high & ~0xFFF) << 32 | (high & 0xFFF) << 8 | (low & ~0xFF) << 12 | low & 0xFF
  }

  func contains(_ path: String) -> Bool { !devices.isEmpty && devices.contains(FileStamp(path: path).device) }

  /// Prefixes of their names: network file systems, and folders that a virtual machine shares with its host.
  private static let types = [
    "nfs", "cifs", "smb", "9p", "virtiofs", "fuse", "vboxsf", "prl_fs", "vmhgfs", "ceph", "afs", "fakeowner",
  ]
}
#elseif os(macOS)
import CoreServices
import Darwin
import Dispatch
import UnderstudyMock
import UnderstudySystem

/// Reports changes in folders by FSEvents, so that an idle watcher costs nothing.
final class FolderEvents: Sendable {
  private let listener: Listener
  private let queue = DispatchQueue(label: "files")
  private let state = Lock(State())

  private struct State: @unchecked Sendable {
    // Unchecked, and safe: the stream is only used inside the lock.
    var stream: FSEventStreamRef?
    var folders: Set<String> = []
  }

  /// What a stream calls. The stream holds it: a last call may come while the watcher ends.
  private final class Listener: Sendable {
    let changed: @Sendable () -> Void
    let filter = Lock(FolderFilter([:]))

    init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

    /// A folder that has moved, or events that were dropped, may concern any file.
    static let always = FSEventStreamEventFlags(
      kFSEventStreamEventFlagMustScanSubDirs | kFSEventStreamEventFlagRootChanged)

    func take(_ paths: UnsafeMutableRawPointer, _ flags: UnsafePointer<FSEventStreamEventFlags>, count: Int) {
      let paths = UnsafeBufferPointer(
        start: paths.assumingMemoryBound(to: UnsafePointer<CChar>.self), count: count)
      let filter = filter.withLock { $0 }
      let matters = zip(paths, UnsafeBufferPointer(start: flags, count: count)).contains { path, flags in
        flags & Self.always != 0 || filter.includes(String(cString: path))
      }
      if matters { changed() }
    }
  }

  init?(changed: @escaping @Sendable () -> Void) { listener = Listener(changed) }

  deinit { state.withLock { Self.end($0.stream) } }

  /// - Parameter folders: The folders, each with the names that matter; an empty set means all.
  func watch(_ folders: [String: Set<String>]) -> FolderCoverage {
    let new = Set(folders.keys.map(FolderFilter.realPath))
    let filter = FolderFilter(folders)
    listener.filter.withLock { $0 = filter }
    return state.withLock { state in
      var coverage = FolderCoverage(hasGrown: !new.isSubset(of: state.folders))
      if new != state.folders {
        Self.end(state.stream)
        state.folders = new
        state.stream = begin(new)
      }
      coverage.isComplete = state.stream != nil && !new.contains(where: Self.isRemote)
      return coverage
    }
  }

  /// Whether other machines can change the files, which FSEvents does not report.
  private static func isRemote(_ folder: String) -> Bool {
    var system = statfs()
    return statfs(folder, &system) == 0 && system.f_flags & UInt32(MNT_LOCAL) == 0
  }

  private func begin(_ folders: Set<String>) -> FSEventStreamRef? {
    let paths = folders.sorted().compactMap {
      CFStringCreateWithCString(nil, $0, CFStringBuiltInEncodings.UTF8.rawValue)
    }
    var callBacks = kCFTypeArrayCallBacks
    var values = paths.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) as UnsafeRawPointer? }
    guard let array = CFArrayCreate(nil, &values, values.count, &callBacks) else { return nil }
    var context = FSEventStreamContext(
      version: 0, info: Unmanaged.passUnretained(listener).toOpaque(),
      retain: { info in
        guard let info else { return nil }
        return UnsafeRawPointer(Unmanaged<Listener>.fromOpaque(info).retain().toOpaque())
      },
      release: { info in if let info { Unmanaged<Listener>.fromOpaque(info).release() } }, copyDescription: nil)
    let stream = FSEventStreamCreate(
      nil,
      { _, info, count, paths, flags, _ in
        if let info { Unmanaged<Listener>.fromOpaque(info).takeUnretainedValue().take(paths, flags, count: count) }
      }, &context, array, FSEventStreamEventId(kFSEventStreamEventIdSinceNow), 0.1,
      FSEventStreamCreateFlags(
        kFSEventStreamCreateFlagNoDefer | kFSEventStreamCreateFlagWatchRoot | kFSEventStreamCreateFlagFileEvents))
    guard let stream else { return nil }
    FSEventStreamSetDispatchQueue(stream, queue)
    guard FSEventStreamStart(stream) else {
      Self.end(stream)
      return nil
    }
    return stream
  }

  private static func end(_ stream: FSEventStreamRef?) {
    guard let stream else { return }
    FSEventStreamStop(stream)
    FSEventStreamInvalidate(stream)
    FSEventStreamRelease(stream)
  }
}
#else

/// Other systems have no events that this program knows, so files are looked at again and again.
final class FolderEvents: Sendable {
  init?(changed: @escaping @Sendable () -> Void) { return nil }

  func watch(_ folders: [String: Set<String>]) -> FolderCoverage { FolderCoverage(isComplete: false) }
}
#endif
