#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A HAR file that grows. It is complete after every write, so it can be read even after a crash.
package struct HAROutput: ~Copyable {
  private let path: String
  private let descriptor: Int32
  /// The position of the next entry, which overwrites the end of the file.
  private var end = 0
  private var isEmpty = true

  private init(_ path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Creates the file. Replaces an empty file or a recording of ours; throws for any other file.
  package static func begin(_ path: String, _ writer: HARWriter) throws(FileProblem) -> HAROutput {
    if FileSystem.exists(path) {
      let isEmpty = (try? OpenFile(path))?.size == 0
      guard isEmpty || (try? HARFile(path))?.creator?.utf8Equals(HARWriter.creator) == true else {
        throw FileProblem(
          .otherContent, path, "the file exists and is not a recording of understudy",
          help: "remove it, or choose another file")
      }
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileSystem.problem(path, errno) }
    var output = HAROutput(path, descriptor: descriptor)
    // Prevents overwriting the recording of another run. Not every file system supports locks.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw FileProblem(
        .otherContent, path, "another run is recording to it", help: "stop that run, or choose another file")
    }
    guard ftruncate(descriptor, 0) == 0 || errno == EINVAL else { throw FileSystem.problem(path, errno) }
    let head = writer.head
    try output.write(head + HARWriter.tail())
    output.end = head.count
    return output
  }

  deinit { close(descriptor) }

  /// Adds entries and completes the file. `lost` is the number of missing exchanges so far.
  package mutating func append(_ entries: [[UInt8]], lost: Int) throws(FileProblem) {
    var text: [UInt8] = []
    for entry in entries {
      if !isEmpty { text += HARWriter.separator }
      isEmpty = false
      text += entry
    }
    // One write for both, so that the file is never incomplete for long.
    try write(text + HARWriter.tail(lost: lost))
    end += text.count
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
