#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A HAR file that grows: after every write its text is complete, so that a program that dies leaves a file that can be read.
package struct HAROutput: ~Copyable {
  private let path: String
  private let descriptor: Int32
  /// Where the next entry goes, over the end of the file.
  private var end = 0
  private var isEmpty = true

  private init(_ path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Begins a file. One that is there is replaced if it is a recording of ours, or empty; anything else is left alone.
  package static func begin(_ path: String, _ writer: HARWriter) throws(FileProblem) -> HAROutput {
    if FileSystem.exists(path) {
      let isEmpty = (try? OpenFile(path))?.size == 0
      guard isEmpty || (try? HARFile(path))?.creator?.utf8Equals(HARWriter.creator) == true else {
        throw FileProblem(
          .otherContent, path, "there is something else than a recording of ours",
          help: "remove it, or give the recording another name")
      }
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileSystem.problem(path, errno) }
    var output = HAROutput(path, descriptor: descriptor)
    // Not every file system knows locks; where one does, nobody else's recording is emptied under his hands.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw FileProblem(
        .otherContent, path, "another run is recording into it",
        help: "end that one, or give the recording another name")
    }
    guard ftruncate(descriptor, 0) == 0 || errno == EINVAL else { throw FileSystem.problem(path, errno) }
    let head = writer.head
    try output.write(head + HARWriter.tail())
    output.end = head.count
    return output
  }

  deinit { close(descriptor) }

  /// Adds entries, and ends the file again. `lost` is the number of those that are missing so far.
  package mutating func append(_ entries: [[UInt8]], lost: Int) throws(FileProblem) {
    var text: [UInt8] = []
    for entry in entries {
      if !isEmpty { text += HARWriter.separator }
      isEmpty = false
      text += entry
    }
    // One write for both, so that there is hardly a moment without an end.
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
