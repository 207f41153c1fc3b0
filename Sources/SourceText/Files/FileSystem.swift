#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
#if canImport(SwiftOverlayShims)
// On Linux the compiler may count `timespec` among the members of this module, whoever declares it first.
import SwiftOverlayShims
#endif

/// The few questions to the file system that the core asks, by POSIX: no Foundation, typed errors.
package enum FileSystem {
  /// Bytes of the largest file that is read unless the caller says otherwise: 64 MiB.
  package static let maximumBytes = 64 << 20

  /// Reads a file; `shownAs` is the path for people. Pipes can be read too, as in `lint <(curl ...)`.
  package static func read(
    _ path: String, shownAs: String? = nil, maximumBytes: Int = maximumBytes, onlyRegular: Bool = false
  ) throws(FileProblem) -> SourceFile {
    // Without a writer, the mere opening of a pipe would wait.
    let file = open(path, O_RDONLY | O_CLOEXEC | (onlyRegular ? O_NONBLOCK : 0))
    guard file >= 0 else { throw problem(path, errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw problem(path, errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw problem(path, EISDIR) }
    guard !onlyRegular || status.st_mode & S_IFMT == S_IFREG else {
      throw FileProblem(.otherContent, path, "this is no regular file", help: nil)
    }
    let tooLarge = FileProblem(
      .tooLarge, path, "the file is larger than \(maximumBytes.asBytes)",
      help: "split it, or check that this is the right file")
    guard Int(status.st_size) <= maximumBytes else { throw tooLarge }

    // The size is a hint only: a pipe has none, and a file may grow meanwhile.
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var count = 0
    while true {
      if count == bytes.count { bytes.append(contentsOf: repeatElement(0, count: max(count, 65_536))) }
      let got = bytes.withUnsafeMutableBytes { chunk in
        chunk.baseAddress.map { systemRead(file, $0 + count, chunk.count - count) } ?? 0
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw problem(path, errno) }
      guard got > 0 else { break }
      count += got
      guard count <= maximumBytes else { throw tooLarge }
    }
    bytes.removeLast(bytes.count - count)
    return SourceFile(path: shownAs ?? path, bytes: bytes)
  }

  /// One name in a folder.
  package struct Entry: Hashable, Sendable {
    package let name: String
    /// Whether it is a folder, or a link to one.
    package let isFolder: Bool
  }

  /// What a folder holds, sorted by the bytes of the names, so that every machine sees the same order.
  package static func list(_ folder: String) throws(FileProblem) -> [Entry] {
    guard let handle = opendir(folder) else { throw problem(folder, errno) }
    defer { closedir(handle) }
    var entries: [Entry] = []
    errno = 0
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      if name != ".", name != ".." { entries.append(Entry(name: name, isFolder: isFolder(folder + "/" + name))) }
      errno = 0
    }
    guard errno == 0 else { throw problem(folder, errno) }
    return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Whether the path names anything that can be seen.
  package static func exists(_ path: String) -> Bool { status(path) != nil }

  /// Whether the path names a folder, or a link to one.
  package static func isFolder(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

  /// The absolute path that relative ones count from.
  package static var workingFolder: String? {
    // Without a buffer the system makes one that is large enough.
    guard let buffer = getcwd(nil, 0) else { return nil }
    defer { free(buffer) }
    return String(cString: buffer)
  }

  /// Whether two paths lead to the same file or folder.
  package static func isSame(_ a: String, _ b: String) -> Bool {
    guard let first = status(a), let second = status(b) else { return false }
    return first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  package static func problem(_ path: String, _ code: Int32) -> FileProblem {
    switch code {
    case ENOENT: FileProblem(.missing, path, "no such file or folder", help: "check the path and the working directory")
    case EISDIR: FileProblem(.isFolder, path, "this is a folder; expected a file")
    case ENOTDIR: FileProblem(.isNoFolder, path, "a part of this path is a file; expected a folder")
    case EACCES, EPERM: FileProblem(.denied, path, "permission denied", help: "check who may read it")
    default: FileProblem(.system, path, String(cString: strerror(code)))
    }
  }
}

/// `read` of the system, which the method of the same name hides inside `FileSystem`.
private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, bytes, count)
}
