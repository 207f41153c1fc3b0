import ArgumentParser

/// The command line: one subcommand a file.
@main
struct UnderstudyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "understudy",
    abstract: "Stands in for a backend that is described by a Swagger or OpenAPI contract.",
    discussion: """
      Exit codes: 0 clean, 1 findings, 2 usage or configuration, 3 contract not loadable or port taken, \
      4 target unreachable or nothing was checked, 5 coverage too low, 70 internal error.
      """,
    version: Version.current,
    subcommands: [
      Serve.self, Verify.self, CoverageCommand.self, ReportCommand.self, Lint.self, Routes.self, SchemaCommand.self,
      Explain.self, Init.self, Doctor.self, Measure.self, MeasureAnswer.self, Bowtie.self,
    ])

  /// Parses and runs; ArgumentParser's own exit code for usage (64) becomes ours (2).
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as CommandFailure {
      if let message = failure.message { Terminal.standardError.write("error: \(message)\n") }
      if let help = failure.help { Terminal.standardError.write("  help: \(help)\n") }
      ExitCode.exit(failure.code)
    } catch {
      let message = fullMessage(for: error)
      let isUsage = exitCode(for: error) == .validationFailure
      if !message.isEmpty {
        (exitCode(for: error).isSuccess ? Terminal.standardOutput : Terminal.standardError).write(message + "\n")
      }
      ExitCode.exit(isUsage ? .usage : exitCode(for: error).isSuccess ? .clean : .internalError)
    }
  }
}

/// The version of the product.
enum Version {
  static let current = "0.1.0"
}
