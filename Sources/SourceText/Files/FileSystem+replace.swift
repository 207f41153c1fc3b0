#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
#if canImport(SwiftOverlayShims)
// On Linux the compiler may count `stat` among the members of this module, whoever declares it first.
import SwiftOverlayShims
#endif

extension FileSystem {
  /// Writes a file with the folders it needs, in place of what is there: readers see the old text or the new one, never a
  /// part. Permissions stay; behind a link the file itself changes. What is no regular file (a pipe, `/dev/stdout`) is
  /// written into.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(FileProblem) {
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR { throw problem(path, EISDIR) }
    guard !exists || status.st_mode & S_IFMT == S_IFREG else { return try append(bytes, to: path) }
    var target = path
    if exists, let real = realpath(path, nil) {
      target = String(cString: real)
      free(real)
    }
    let draft = "\(target).\(getpid()).part"
    do {
      try write(bytes, to: draft)
    } catch {
      unlink(draft)
      throw FileProblem(error.kind, path, error.message, help: error.help)
    }
    guard !exists || chmod(draft, status.st_mode & 0o7777) == 0, rename(draft, target) == 0 else {
      let code = errno
      unlink(draft)
      throw problem(path, code)
    }
  }

  /// Writes behind what a file holds, and makes it where there is none.
  package static func append(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw problem(path, errno) }
    defer { close(file) }
    try write(bytes, to: file, of: path)
  }
}
