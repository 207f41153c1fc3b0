import UnderstudyVerification

/// A file that a user has named.
enum NamedFile {
  /// Throws for a pipe, which blocks until another program writes. Those of a shell are below `/dev/fd`: `<(command)`.
  static func requireReadable(_ path: String) throws {
    guard FileStatus(of: path)?.kind == .other, !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/") else { return }
    throw CommandFailure(
      .usage, "\(path) is a pipe, a socket or a device, not a file",
      help: "name a file, or let the shell make the pipe: <(command)")
  }
}
