#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the exit code of every subcommand means.
enum ExitCode: Int32, Sendable {
  case clean = 0
  case findings = 1
  case usage = 2
  case notLoadable = 3
  case nothingChecked = 4
  case coverageTooLow = 5
  case internalError = 70

  static func exit(_ code: ExitCode) -> Never {
    #if canImport(Darwin)
    Darwin.exit(code.rawValue)
    #elseif canImport(Musl)
    Musl.exit(code.rawValue)
    #else
    Glibc.exit(code.rawValue)
    #endif
  }
}

/// Ends a subcommand with a code and, where nothing was printed yet, the reason.
struct CommandFailure: Error {
  var code: ExitCode
  var message: String?
  var help: String?

  init(_ code: ExitCode, _ message: String? = nil, help: String? = nil) {
    self.code = code
    self.message = message
    self.help = help
  }
}
