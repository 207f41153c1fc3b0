#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A command of the user's, run by `/bin/sh`.
struct ShellCommand {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Runs it to its end, and says why it failed; `nil` when it did not.
  ///
  /// What it prints goes where our own messages go, as standard output is for the report.
  func problem() -> String? {
    let status = system("{ \(text)\n} >&2 </dev/null")
    guard status != -1 else { return "could not be started (\(String(cString: strerror(errno))))" }
    // What WIFEXITED and WEXITSTATUS say; Swift does not see these macros.
    let signal = status & 0x7F
    guard signal == 0 else { return "was ended by signal \(signal)" }
    let code = status >> 8 & 0xFF
    return code == 0 ? nil : "failed with exit code \(code)"
  }
}
