import UnderstudyServer
import UnderstudySystem

/// The file descriptors that this process may have open, which `ulimit -n` limits.
enum DescriptorLimit {
  /// Descriptors of any command: a file that it reads, a file that it writes, and the queues of the system.
  static let ofCommand = 8
  /// Descriptors of a mock with one event loop: its socket, watched folders, files and a few connections.
  static let ofMock = 31
  /// Descriptors of another event loop: its queue, its timer and its wake-up, and as many for connections.
  private static let ofLoop = 6

  /// The number of descriptors that the process was started with; 0 without a low limit.
  private static let inherited =
    ServerConfiguration.descriptorLimit < 1_024
    ? (0..<ServerConfiguration.descriptorLimit).count { fcntl(CInt($0), F_GETFD) >= 0 } : 0

  /// The maximum number of event loops.
  static var loops: Int { max(1, (ServerConfiguration.descriptorLimit - inherited - ofMock) / ofLoop + 1) }

  /// Throws if the limit is lower than a number of descriptors: the first one too many would end the process with a trap.
  static func require(_ count: Int, for noun: String) throws(CommandFailure) {
    let limit = ServerConfiguration.descriptorLimit
    let needed = inherited + count
    guard needed > limit else { return }
    throw CommandFailure(
      .usage, "this process may open \(limit) files, and \(noun) needs \(needed)",
      help: "raise the limit: ulimit -n \(needed)")
  }
}
