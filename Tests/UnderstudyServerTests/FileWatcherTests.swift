import Foundation
import Synchronization
import Testing
import UnderstudyServer
import UnderstudyTestSupport

@Suite struct FileWatcherTests {
  @Test func `a change is reported after a poll without changes`() throws {
    try watching(["a", "b"]) { folder, poll in
      #expect(poll() == nil)
      try folder.write("changed", to: "a")
      #expect(poll() == nil)
      try folder.write("changed too", to: "b")
      #expect(poll() == nil)
      #expect(poll() == ["a", "b"])
      #expect(poll() == nil)
    }
  }

  @Test func `a file that is replaced by another of the same size has changed`() throws {
    try watching(["a"]) { folder, poll in
      try folder.write("b", to: "new")
      #expect([poll(), poll()] == [nil, ["new"]])
      try FileManager.default.removeItem(atPath: folder.path("a"))
      try FileManager.default.moveItem(atPath: folder.path("new"), toPath: folder.path("a"))
      #expect([poll(), poll()] == [nil, ["a", "new"]])
    }
  }

  @Test func `a change after the snapshot is not lost`() throws {
    let folder = try Folder(["c"])
    try FileManager.default.createDirectory(atPath: folder.path("seen"), withIntermediateDirectories: true)
    for name in ["seen/a", "seen/b"] { try folder.write("old", to: name) }
    let before = FileWatcher.Snapshot(of: [folder.root])
    for name in ["seen/a", "c"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
    try folder.write("changed", to: "seen/b")
    let reported = Mutex<[String]>([])
    let watcher = FileWatcher(paths: [folder.path("seen")], since: before) { paths in reported.withLock { $0 += paths }
    }
    // The first look finds the changes, the second that the files rest.
    watcher.poll()
    watcher.poll()
    #expect(reported.withLock { $0 } == [folder.path("seen/a"), folder.path("seen/b")])
  }

  @Test func `a file outside the snapshot is reported if it changed since`() throws {
    let folder = try Folder(["contract", "old", "hidden"])
    try folder.waitForTick()
    let before = FileWatcher.Snapshot(of: [folder.path("contract")])
    try folder.write("changed", to: "new")
    try FileManager.default.moveItem(atPath: folder.path("hidden"), toPath: folder.path("moved"))
    let reported = Mutex<[String]>([])
    let paths = ["contract", "old", "new", "moved", "missing"].map(folder.path)
    let watcher = FileWatcher(paths: paths, since: before) { paths in reported.withLock { $0 += paths } }
    watcher.poll()
    watcher.poll()
    #expect(reported.withLock { $0 } == [folder.path("moved"), folder.path("new")])
    // The same after the paths are replaced.
    try folder.write("changed", to: "later")
    watcher.watch(paths + [folder.path("later")])
    watcher.poll()
    watcher.poll()
    #expect(reported.withLock { $0 }.last == folder.path("later"))
  }

  @Test func `files may vanish and return`() throws {
    try watching(["a"]) { folder, poll in
      try FileManager.default.removeItem(atPath: folder.path("a"))
      #expect([poll(), poll()] == [nil, ["a"]])
      try folder.write("again", to: "a")
      #expect([poll(), poll()] == [nil, ["a"]])
    }
  }

  @Test func `new folders are watched too, hidden files are not`() throws {
    try watching([]) { folder, poll in
      try FileManager.default.createDirectory(atPath: folder.path("deep/er"), withIntermediateDirectories: true)
      #expect([poll(), poll()] == [nil, nil])
      try folder.write("x", to: "deep/er/c")
      try folder.write("x", to: ".swap")
      #expect([poll(), poll()] == [nil, ["deep/er/c"]])
    }
  }

  @Test func `a loop of links ends`() throws {
    try watching(["a"]) { folder, poll in
      try FileManager.default.createSymbolicLink(atPath: folder.path("loop"), withDestinationPath: folder.root)
      #expect([poll(), poll()] == [nil, ["loop"]])
    }
  }

  @Test func `a link out of the folder is not followed, and one within it is`() throws {
    let outside = try Folder(["far"])
    try watching(["near"]) { folder, poll in
      for (name, target) in [("out", outside.root), ("file", outside.path("far")), ("in", folder.path("near"))] {
        try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
      }
      #expect([poll(), poll()] == [nil, ["file", "in", "out"]])
      try outside.write("changed", to: "far")
      #expect([poll(), poll()] == [nil, nil])
      try folder.write("changed", to: "near")
      #expect([poll(), poll()] == [nil, ["in", "near"]])
    }
  }

  @Test(.timeLimit(.minutes(5))) func `a watcher rests until something happens`() async throws {
    let folder = try Folder(["a", "deep/b"])
    let (changes, continuation) = AsyncStream.makeStream(of: [String].self)
    let (rests, rest) = AsyncStream.makeStream(of: Void.self)
    let watcher = FileWatcher(
      paths: [folder.root, folder.root + "-missing/c"], interval: .milliseconds(2), rested: { rest.yield() },
      changed: { continuation.yield($0) })
    watcher.start()
    var reports = changes.makeAsyncIterator()
    var pauses = rests.makeAsyncIterator()
    await pauses.next()
    for name in ["a", "deep/b", "new"] {
      try folder.write("changed", to: name)
      #expect(await reports.next() == [folder.path(name)])
      await pauses.next()
    }
    // What is missing may come with its folder.
    try FileManager.default.createDirectory(atPath: folder.root + "-missing", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder.root + "-missing") }
    try "new".write(toFile: folder.root + "-missing/c", atomically: false, encoding: .utf8)
    #expect(await reports.next() == [folder.root + "-missing/c"])
    await pauses.next()
    watcher.stop()
  }

  @Test func `a watcher that was started looks by itself`() async throws {
    let folder = try Folder(["a"])
    let (changes, continuation) = AsyncStream.makeStream(of: [String].self)
    let watcher = FileWatcher(paths: [folder.path("a")], interval: .milliseconds(5)) { continuation.yield($0) }
    watcher.start()
    try folder.write("changed", to: "a")
    #expect(await changes.first { _ in true } == [folder.path("a")])
    watcher.stop()
  }

  /// A folder of files that hold one letter.
  private final class Folder {
    private let folder: TemporaryFolder

    init(_ files: [String]) throws {
      folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files.map { ($0, "a") }))
    }

    var root: String { folder.path }

    func path(_ name: String) -> String { "\(root)/\(name)" }
    func write(_ text: String, to name: String) throws {
      try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    }

    /// Returns when the clock of the files is past all that was written so far.
    func waitForTick() throws {
      try write("", to: "tick")
      let written = try FileManager.default.attributesOfItem(atPath: path("tick"))[.modificationDate] as? Date
      var now = timespec()
      repeat {
        #if canImport(Darwin)
        clock_gettime(CLOCK_REALTIME, &now)
        #else
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        #endif
      } while Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 <= (written ?? .now).timeIntervalSince1970 + 0.001
    }
  }

  /// - Parameter body: Receives a function that polls once and returns the reported names.
  private func watching(_ files: [String], _ body: (Folder, () -> [String]?) throws -> Void) throws {
    let folder = try Folder(files)
    let root = folder.root
    let reported = Mutex<[String]?>(nil)
    let watcher = FileWatcher(paths: [root]) { paths in
      reported.withLock { $0 = paths.map { String($0.dropFirst(root.count + 1)) } }
    }
    try body(folder) {
      watcher.poll()
      return reported.withLock { value in
        defer { value = nil }
        return value
      }
    }
  }
}
