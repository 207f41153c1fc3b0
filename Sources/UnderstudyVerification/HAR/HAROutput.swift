import UnderstudySystem

/// A HAR file that grows. It is complete after every write, so it can be read even after a crash.
package struct HAROutput: ~Copyable {
  private let path: String
  private let descriptor: Int32
  /// The position of the next entry, which overwrites the end of the file.
  private var end = 0
  private var isEmpty = true
  /// The number of entries that the file had before.
  package private(set) var earlier = 0
  /// The number of exchanges that were missing before.
  private var lostBefore = 0

  private init(_ path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Opens the file; a new one is private to its owner. `overwrites` replaces any content.
  ///
  /// Entries are added to an earlier recording, even if a crash has truncated it; an empty file becomes a recording; any
  /// other file is an error.
  package static func begin(
    _ path: String, head: [UInt8], overwrites: Bool = false
  ) throws(FileProblem) -> HAROutput {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    // ENXIO: a pipe without a reader, or a socket.
    guard descriptor >= 0 else { throw errno == ENXIO ? isPipe(path) : FileSystem.problem(path, errno) }
    guard lseek(descriptor, 0, SEEK_CUR) >= 0 else {
      close(descriptor)
      throw isPipe(path)
    }
    var output = HAROutput(path, descriptor: descriptor)
    // Prevents overwriting the recording of another run. Not every file system supports locks.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw FileProblem(
        .otherContent, path, "another run is recording to it", help: "stop that run, or choose another file")
    }
    if !overwrites, (try? OpenFile(path))?.size != 0 {
      guard let file = try? HARFile(path), file.creator?.utf8Equals(HARFormat.creator) == true else {
        throw FileProblem(
          .otherContent, path, "the file exists and is not a recording of understudy",
          help: "choose another file, or replace it with --overwrite")
      }
      if let end = file.end {
        try output.resume(file, at: end)
        return output
      }
    }
    try output.truncate(to: 0)
    try output.write(head + HARFormat.tail())
    output.end = head.count
    return output
  }

  private static func isPipe(_ path: String) -> FileProblem {
    FileProblem(
      .otherContent, path, "expected a regular file, found a pipe or a socket, where a recording cannot be completed")
  }

  private mutating func resume(_ file: HARFile, at end: Int) throws(FileProblem) {
    self.end = end
    isEmpty = false
    earlier = file.count
    lostBefore = HARFormat.lost(inTail: file.tail)
    let tail = HARFormat.tail(lost: lostBefore)
    try write(tail)
    try truncate(to: end + tail.count)
  }

  /// Pipes and devices cannot be truncated.
  private func truncate(to length: Int) throws(FileProblem) {
    guard ftruncate(descriptor, off_t(length)) == 0 || errno == EINVAL else { throw FileSystem.problem(path, errno) }
  }

  deinit { close(descriptor) }

  /// Adds all entries, or none if the disk is full, and completes the file with the number `lost` in this run.
  package mutating func append(_ entries: [Redacted<[UInt8]>], lost: Int) throws(FileProblem) {
    var text: [UInt8] = []
    for entry in entries {
      if !isEmpty || !text.isEmpty { text += HARFormat.separator }
      text += entry.value
    }
    do {
      // One write for both, so that the file is never incomplete for long.
      try write(text + HARFormat.tail(lost: lostBefore + lost))
    } catch {
      complete(lost: lostBefore + lost + entries.count)
      throw error
    }
    if !entries.isEmpty { isEmpty = false }
    end += text.count
  }

  /// Completes the file after a failed write: its earlier end has room, with the number of missing exchanges.
  private func complete(lost: Int) {
    for tail in [HARFormat.tail(), HARFormat.tail(lost: lost), HARFormat.tail()] {
      guard (try? write(tail)) != nil else { continue }
      try? truncate(to: end + tail.count)
      if tail != HARFormat.tail() { return }
    }
  }

  private func write(_ bytes: [UInt8]) throws(FileProblem) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        pwrite(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(end + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileSystem.problem(path, errno) }
      done += count
    }
  }
}
