import CUnderstudyProcess
import UnderstudySystem

/// A command of the user for `/bin/sh`.
struct ShellCommand {
  let text: String

  /// Runs the command and returns why it failed; `nil` if it succeeded.
  ///
  /// Its output goes to standard error, since standard output is for the report.
  func problem() -> String? {
    let status = process_run_shell("{ \(text)\n} >&2 </dev/null")
    guard status != -1 else { return "could not be started (\(String(cString: strerror(errno))))" }
    // WIFEXITED and WEXITSTATUS are macros, which Swift does not import.
    let signal = status & 0x7F
    guard signal == 0 else { return "was terminated by signal \(signal)" }
    let code = status >> 8 & 0xFF
    return code == 0 ? nil : "failed with exit code \(code)"
  }
}
