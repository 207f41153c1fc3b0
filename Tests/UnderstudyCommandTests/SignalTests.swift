import Foundation
import Testing
import UnderstudyTestSupport

/// Signals that arrive before a command waits for them.
@Suite(.ownQueue)
struct SignalTests {
  /// The signal is pending when the program starts, since its parent process has blocked it.
  @Test(arguments: ["lint", "verify", "init", "serve"])
  func `a command that has nothing to finish ends by the signal`(command: String) throws {
    let script = """
      import os, signal, sys
      signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
      os.kill(os.getpid(), signal.SIGTERM)
      os.execv(sys.argv[1], sys.argv[1:])
      """
    try withProject(Shop.files) { folder in
      let result = try Command.run(
        "/usr/bin/env", ["python3", "-c", script, Command.path, command, "shop.yaml"], in: folder)
      #expect(result.code == SIGTERM)
      #expect(result.output + result.error == "")
    }
  }

  @Test func `a command that was started with an ignored signal goes on`() throws {
    try withProject(Shop.files) { folder in
      let script = "trap '' TERM; exec '\(Command.path)' lint /dev/stdin"
      let result = try Command.run("/bin/sh", ["-c", "(\(script)) < shop.yaml"], in: folder)
      #expect(result.code == 0)
    }
  }
}
