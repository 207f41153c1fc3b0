#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension FileSystem {
  /// Writes a new file and the folders it needs; a file that exists is left alone and reported.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    try makeFolder(Path.folder(of: path))
    // O_EXCL: between a look and a write somebody else may have made the file.
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw problem(path, errno) }
    defer { close(file) }
    try write(bytes, to: file, of: path)
  }

  /// Writes all of the bytes to an open file.
  static func write(_ bytes: [UInt8], to file: Int32, of path: String) throws(FileProblem) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in
        #if canImport(Darwin)
        Darwin.write(file, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        Musl.write(file, buffer.baseAddress, buffer.count)
        #else
        Glibc.write(file, buffer.baseAddress, buffer.count)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw problem(path, errno) }
      rest = rest.dropFirst(count)
    }
  }

  private static func makeFolder(_ path: String) throws(FileProblem) {
    guard !path.isEmpty, !isFolder(path) else { return }
    try makeFolder(Path.folder(of: path))
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw problem(path, errno) }
  }
}
