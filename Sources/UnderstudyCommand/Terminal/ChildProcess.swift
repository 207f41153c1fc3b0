import CUnderstudyProcess
import Dispatch
import UnderstudySystem

/// Runs another program, and passes signals on to it.
enum ChildProcess {
  /// Runs a program to its end, with additional environment variables and the standard streams of this program.
  ///
  /// - Returns: The exit code, or 128 plus the number of the signal that ended it.
  static func run(
    _ command: [String], variables: [(name: String, value: String)] = []
  ) async throws -> Int32 {
    process_catch_signals()
    SignalMask.unblock([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2])
    var child = pid_t()
    let code = start(&child, command, variables.map { "\($0.name)=\($0.value)" })
    guard code == 0 else {
      // The codes of shells, `env` and `nohup` (POSIX, XCU 2.8.2).
      throw ProcessEnd(
        code: code == ENOENT ? 127 : 126,
        message: "`\(command[0])` cannot be started: \(String(cString: strerror(code)).lowercased())",
        help: code == ENOENT
          ? "check its name, and PATH; a shell reads a whole line: -- sh -c 'npm test'" : "check its permissions")
    }
    return await withCheckedContinuation { continuation in
      // The thread blocks until the program ends.
      DispatchQueue(label: "child").async { [child] in continuation.resume(returning: process_wait(child)) }
    }
  }

  private static func start(_ child: inout pid_t, _ command: [String], _ variables: [String]) -> CInt {
    var arguments = command.map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for string in arguments + environment { free(string) } }
    return process_start(&child, &arguments, &environment)
  }
}

/// Ends this program with the exit code of another.
struct ProcessEnd: Error {
  var code: Int32
  var message: String?
  var help: String?
}
