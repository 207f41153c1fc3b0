import UnderstudySystem

/// Reads and writes files with POSIX calls and typed errors.
package enum FileSystem {
  /// The default limit for the size of a file: 64 MiB.
  package static let maximumBytes = 64 << 20

  /// Reads a file, or a pipe as in `lint <(curl ...)`; `shownAs` is the path for messages.
  ///
  /// - Parameter access: The files that may be read.
  package static func read(
    _ path: String, shownAs: String? = nil, maximumBytes: Int = maximumBytes, within access: FileAccess = .unlimited
  ) throws(FileProblem) -> SourceFile {
    if let problem = access.problem(of: path) { throw problem }
    let bytes = try read(path, maximumBytes)
    Observations.note { $0.contents[path] = Observations.digest(bytes: bytes) }
    return SourceFile(path: shownAs ?? path, bytes: bytes)
  }

  private static func read(_ path: String, _ maximumBytes: Int) throws(FileProblem) -> [UInt8] {
    let (file, status) = try openForReading(path, isWhole: true)
    defer { close(file) }
    let tooLarge = FileProblem(
      .tooLarge, path, "the file is larger than \(maximumBytes.asBytes)",
      help: "split it, or check that this is the right file")
    guard status.size <= maximumBytes else { throw tooLarge }

    // The size is a hint only: a pipe has none, and a file may grow meanwhile.
    var bytes = [UInt8](repeating: 0, count: status.size + 1)
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
    return bytes
  }

  /// Opens a regular file, or a descriptor that a shell passes on: `/dev/stdin`, or `/dev/fd/63` for `<(command)`.
  ///
  /// Rejects any other pipe, socket or device: reading one could block forever.
  ///
  /// - Parameter isWhole: Whether the caller notes the content of the file.
  static func openForReading(
    _ path: String, isWhole: Bool = false
  ) throws(FileProblem) -> (descriptor: Int32, status: FileStatus) {
    Observations.note { observations in
      // The content follows if it can be read.
      if isWhole { observations.contents[path] = .some(nil) } else { observations.dependsOnMore = true }
    }
    // O_NONBLOCK: opening a pipe without a writer would block. O_NOCTTY: a terminal would take over the process.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw problem(path, errno) }
    do throws(FileProblem) {
      guard let status = FileStatus(of: file) else { throw problem(path, errno) }
      guard status.kind != .folder else { throw problem(path, EISDIR) }
      guard status.kind == .regular || isPassedOn(path) else {
        throw FileProblem(
          .otherContent, path, "expected a regular file, found a pipe, socket or device",
          help: "name a file, or let the shell make the pipe: <(command)")
      }
      // Reading a pipe waits for the writer, which exists.
      guard status.kind == .regular || fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK) >= 0 else {
        throw problem(path, errno)
      }
      return (file, status)
    } catch {
      close(file)
      throw error
    }
  }

  /// Whether a path names a descriptor that this process was started with.
  private static func isPassedOn(_ path: String) -> Bool {
    if path == "/dev/stdin" || path.hasPrefix("/dev/fd/") { return true }
    // `<(command)` of zsh on Linux.
    return path.hasPrefix("/proc/") && Path.name(of: Path.folder(of: path)) == "fd"
  }

  /// One name in a folder.
  package struct Entry: Hashable, Sendable {
    package let name: String
    /// Whether it is a folder, or a link to one.
    package let isFolder: Bool
  }

  /// The entries of a folder, sorted by the bytes of the names, so that the order is the same on every machine.
  package static func list(_ folder: String) throws(FileProblem) -> [Entry] {
    try entries(of: folder).map { name, type in
      // A link needs a look at its target. Some file systems do not name types.
      Entry(name: name, isFolder: type == DT_DIR || type != DT_REG && isFolder(folder + "/" + name))
    }
    .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The names in a folder, in the order of the file system.
  package static func names(in folder: String) throws(FileProblem) -> [String] { try entries(of: folder).map(\.name) }

  /// The names in a folder with the type of each, such as `DT_DIR`.
  private static func entries(of folder: String) throws(FileProblem) -> [(name: String, type: Int)] {
    let handle = opendir(folder)
    let code = errno
    Observations.note { $0.folders[folder] = .some(nil) }
    guard let handle else { throw problem(folder, code) }
    defer { closedir(handle) }
    var entries: [(name: String, type: Int)] = []
    errno = 0
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      if name != ".", name != ".." { entries.append((name, Int(entry.pointee.d_type))) }
      errno = 0
    }
    guard errno == 0 else { throw problem(folder, errno) }
    Observations.note { $0.folders[folder] = Observations.digest(names: entries.map(\.name)) }
    return entries
  }

  /// The absolute path without links; `nil` if it leads nowhere.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Whether the path names a file or folder.
  package static func exists(_ path: String) -> Bool { FileStatus(of: path) != nil }

  /// Whether the path names a file, a folder or a link, which may lead nowhere.
  package static func isTaken(_ path: String) -> Bool { FileStatus(of: path, followsLinks: false) != nil }

  /// Whether the path itself is a symbolic link, which may lead nowhere.
  package static func isLink(_ path: String) -> Bool { FileStatus(of: path, followsLinks: false)?.kind == .link }

  /// Whether the path names a folder, or a link to one.
  package static func isFolder(_ path: String) -> Bool { FileStatus(of: path)?.kind == .folder }

  /// Whether the path names a regular file, and not a folder, pipe or device.
  package static func isRegular(_ path: String) -> Bool { FileStatus(of: path)?.kind == .regular }

  /// Whether the user may read the file or folder.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// The absolute path of the working directory.
  package static var workingFolder: String? {
    // Without a buffer `getcwd` allocates one of sufficient size.
    guard let buffer = getcwd(nil, 0) else { return nil }
    defer { free(buffer) }
    return String(cString: buffer)
  }

  /// Whether two paths lead to the same file or folder.
  package static func isSame(_ a: String, _ b: String) -> Bool {
    guard let first = FileStatus(of: a), let second = FileStatus(of: b) else { return false }
    return first.inode == second.inode && first.device == second.device
  }

  package static func problem(_ path: String, _ code: Int32) -> FileProblem {
    switch code {
    case ENOENT: FileProblem(.missing, path, "no such file or folder", help: "check the path and the working directory")
    case EISDIR: FileProblem(.isFolder, path, "this is a folder; expected a file")
    case ENOTDIR: FileProblem(.isNotFolder, path, "a part of this path is a file; expected a folder")
    case EACCES, EPERM:
      FileProblem(.denied, path, "permission denied", help: "check the permissions of the file and its folders")
    default: FileProblem(.system, path, String(cString: strerror(code)))
    }
  }
}

// MARK: - Writing

extension FileSystem {
  /// Creates an empty file that only its owner reads and writes, where no file exists.
  package static func makePrivate(_ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }

  /// Replaces a file atomically, or writes a new one and the folders it needs.
  ///
  /// Permissions stay, and a link stays a link. A pipe with a reader or a device (`/dev/stdout`) is written to.
  ///
  /// - Parameter patience: The maximum number of milliseconds until the reader of a pipe is there.
  package static func replace(_ path: String, with bytes: [UInt8], patience: Int = 0) throws(FileProblem) {
    let status = FileStatus(of: path)
    switch status?.kind {
    case .folder: throw problem(path, EISDIR)
    case .other: return try append(bytes, to: path, patience: patience)
    case .regular, .link, nil: break
    }
    var target = path
    if status != nil, let real = realpath(path, nil) {
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
    guard status.map({ chmod(draft, $0.permissions) == 0 }) ?? true, rename(draft, target) == 0 else {
      let code = errno
      unlink(draft)
      throw problem(path, code)
    }
  }

  /// Appends to a file; creates a missing one. Throws if the path names a pipe without a reader.
  ///
  /// - Parameter patience: The maximum number of milliseconds until the reader of a pipe is there.
  package static func append(_ bytes: [UInt8], to path: String, patience: Int = 0) throws(FileProblem) {
    let file = try openForAppending(path, patience: patience)
    defer { close(file) }
    try write(bytes, to: file, of: path)
  }

  private static func openForAppending(_ path: String, patience: Int) throws(FileProblem) -> Int32 {
    /// The pause between two attempts to open a pipe, in milliseconds.
    let pause = 10
    var waited = 0
    while true {
      // O_NONBLOCK: opening a pipe without a reader would block. O_NOCTTY: a terminal would take over the process.
      let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
      let file = open(path, flags, 0o644)
      if file >= 0 {
        // Writing waits for the reader, which exists.
        guard fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK) >= 0 else {
          let code = errno
          close(file)
          throw problem(path, code)
        }
        return file
      }
      guard errno == ENXIO else { throw problem(path, errno) }
      guard waited < patience else {
        throw FileProblem(
          .otherContent, path, "expected a file or a pipe with a reader, found a pipe without a reader, or a socket",
          help: "name a file, or start the reader of the pipe first")
      }
      usleep(UInt32(pause * 1_000))
      waited += pause
    }
  }

  /// Writes a new file and the folders it needs; throws if the file exists.
  ///
  /// - Parameter isPrivate: Whether only its owner reads it.
  package static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws(FileProblem) {
    try makeFolder(Path.folder(of: path))
    // O_EXCL: another process may have created the file in the meantime.
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
    guard file >= 0 else { throw problem(path, errno) }
    defer { close(file) }
    try write(bytes, to: file, of: path)
  }

  /// Writes all of the bytes to an open file.
  static func write(_ bytes: [UInt8], to file: Int32, of path: String) throws(FileProblem) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(file, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw problem(path, errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Removes a file below a folder that we write to; a missing one is fine.
  ///
  /// - Throws: If links lead out of the folder: the file is not ours.
  package static func remove(_ path: String, within root: String) throws(FileProblem) {
    try StagedFiles.check(Path.folder(of: path), isWithin: root)
    guard unlink(path) == 0 || errno == ENOENT else { throw problem(path, errno) }
  }

  /// Removes a folder unless something is in it.
  package static func removeEmptyFolder(_ path: String) { rmdir(path) }

  /// Makes a folder and those above it.
  ///
  /// - Parameter isPrivate: Whether a new folder is closed to all but its owner; the folders above it are not.
  package static func makeFolder(_ path: String, isPrivate: Bool = false) throws(FileProblem) {
    guard !path.isEmpty, !isFolder(path) else { return }
    try makeFolder(Path.folder(of: path))
    guard mkdir(path, isPrivate ? 0o700 : 0o755) == 0 || errno == EEXIST else { throw problem(path, errno) }
  }
}

/// The system's `read`, which the method of the same name hides inside `FileSystem`.
private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, bytes, count)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(file, bytes.baseAddress, bytes.count)
}
