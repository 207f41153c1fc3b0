import UnderstudyServer
import UnderstudySystem

/// The file descriptors that this process may have open, which `ulimit -n` limits.
enum DescriptorLimit {
  /// Descriptors of any command: a file that it reads, a file that it writes, and the queues of the system.
  private static let ofCommand = 8
  /// Descriptors of a mock with one event loop: its socket, watched folders, files and a few connections.
  private static let ofMock = 31
  /// Descriptors of another event loop: its queue, its timer and its wake-up, and as many for connections.
  private static let ofLoop = 6

  /// The number of descriptors that the process was started with; 0 without a low limit.
  ///
  /// Includes descriptors beyond the limit, so that a process with the limit that the message names has the same need.
  private static let inherited =
    ServerConfiguration.descriptorLimit < 1_024 ? (0..<1_024).count { fcntl(CInt($0), F_GETFD) >= 0 } : 0

  /// The maximum number of event loops.
  static var loops: Int { max(1, (ServerConfiguration.descriptorLimit - inherited - ofMock) / ofLoop + 1) }

  /// Throws if the limit is lower than the need of the subcommand: the first descriptor too many would end the process
  /// with a trap.
  ///
  /// - Parameter isMock: Whether the subcommand starts a mock.
  static func check(isMock: Bool) throws(CommandFailure) {
    let noun = isMock ? "a mock" : "this command"
    let limit = ServerConfiguration.descriptorLimit
    let needed = inherited + (isMock ? ofMock : ofCommand)
    guard needed > limit else { return }
    throw CommandFailure(
      .usage, "too few file descriptors for \(noun): expected at least \(needed), found \(limit)",
      help: "raise the limit: ulimit -n \(needed)")
  }
}
