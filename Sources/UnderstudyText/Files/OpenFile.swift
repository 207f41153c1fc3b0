import UnderstudySystem

/// An open file that is read in pieces at any offset, for files that do not fit into memory.
package final class OpenFile: Sendable {
  package let path: String
  /// The bytes of the file when it was opened.
  package let size: Int
  private let descriptor: Int32

  /// Opens a regular file; pipes cannot be read at any offset.
  package init(_ path: String) throws(FileProblem) {
    let (descriptor, status) = try FileSystem.openForReading(path)
    guard status.kind == .regular else {
      close(descriptor)
      throw FileProblem(
        .system, path, "expected a regular file, since it is read more than once", help: "write it to a file first")
    }
    self.path = path
    self.size = status.size
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads bytes at an offset; returns fewer than requested only at the end of the file.
  package func read(at offset: Int, count: Int) throws(FileProblem) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(FileProblem) in
      try read(at: offset, into: buffer)
    }
    bytes.removeLast(count - got)
    return bytes
  }

  /// Fills a buffer and returns the number of bytes; less than its length only at the end of the file.
  package func read(at offset: Int, into buffer: UnsafeMutableBufferPointer<UInt8>) throws(FileProblem) -> Int {
    var filled = 0
    while filled < buffer.count, let start = buffer.baseAddress {
      let got = pread(descriptor, start + filled, buffer.count - filled, off_t(offset + filled))
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw FileSystem.problem(path, errno) }
      guard got > 0 else { break }
      filled += got
    }
    return filled
  }
}
