import UnderstudySystem
import UnderstudyVerification

/// The exit codes of all subcommands.
enum ExitCode: Int32, Sendable {
  case clean = 0
  case findings = 1
  case usage = 2
  case notLoadable = 3
  case nothingChecked = 4
  case coverageTooLow = 5
  case internalError = 70

  func endProcess() -> Never { exit(rawValue) }

  /// Ends with the exit code of another program.
  static func endProcess(_ code: Int32) -> Never { exit(code) }
}

/// Ends a subcommand with a code and, if nothing was printed yet, the reason.
struct CommandFailure: Error {
  var code: ExitCode
  var message: String?
  var help: String?

  init(_ code: ExitCode, _ message: String? = nil, help: String? = nil) {
    self.code = code
    // The mistake may be the URL with a password itself.
    self.message = message.map(VisibleText.withoutUsers)
    self.help = help.map(VisibleText.withoutUsers)
  }
}

extension FileProblem {
  /// Runs a function, and ends the subcommand if it meets a problem.
  static func asFailure<R>(_ code: ExitCode = .usage, _ body: () throws(FileProblem) -> R) throws(CommandFailure) -> R {
    do {
      return try body()
    } catch {
      throw CommandFailure(code, "\(error.path): \(error.message)", help: error.help)
    }
  }
}
