import ArgumentParser
import UnderstudyServer
import UnderstudyVerification

/// The command line. Each subcommand has a file of its own.
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
    subcommands: [Serve.self, Verify.self, Record.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Mock",
        subcommands: [
          Run.self, SweepCommand.self, Control.self, JournalCommand.self, Routes.self, ScenarioCommand.self,
        ]),
      CommandGroup(
        name: "Check",
        subcommands: [
          Lint.self, DiffCommand.self, CoverageCommand.self, ReportCommand.self, SchemaCommand.self, Explain.self,
        ]),
      CommandGroup(name: "Record", subcommands: [Status.self, Prune.self, Infer.self]),
      CommandGroup(
        name: "Tool",
        subcommands: [
          Init.self, ImportCommand.self, Fetch.self, Generate.self, TLSCommand.self, Doctor.self, Manual.self,
        ]),
    ])

  /// Parses and runs. ArgumentParser's exit code for usage (64) becomes 2.
  static func main() async {
    // The standard library reads them from /proc/self/cmdline on Linux.
    guard !CommandLine.arguments.isEmpty else {
      end(CommandFailure(.usage, "the arguments of this program cannot be read", help: "mount /proc, and try again"))
    }
    Signals.endProcess()
    do {
      let subcommand = CommandLine.arguments.dropFirst().first
      let mocks = [Serve._commandName, Run._commandName, Record._commandName]
      try DescriptorLimit.check(isMock: subcommand.map(mocks.contains) ?? false)
      let arguments = HelpPage.expanded(Array(CommandLine.arguments.dropFirst()))
      if Version.isDetailed(arguments) {
        Terminal.standardOutput.write(Version.details + "\n")
        ExitCode.clean.endProcess()
      }
      try ControlAdvance.check(arguments)
      try UnknownCommand.check(arguments)
      var command = try parseAsRoot(
        [Run._commandName, SweepCommand._commandName].contains(arguments.first) ? Run.split(arguments).own : arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let problem as UsageProblem {
      end(CommandFailure(.usage, problem.message, help: problem.help))
    } catch let failure as CommandFailure {
      end(failure)
    } catch let end as ProcessEnd {
      if let message = end.message { Terminal.standardError.write("error: \(message)\n") }
      if let help = end.help { Terminal.standardError.write("  help: \(help)\n") }
      ExitCode.endProcess(end.code)
    } catch {
      guard exitCode(for: error) == .validationFailure else {
        let arguments = HelpPage.expanded(Array(CommandLine.arguments.dropFirst()))
        let isHelp = exitCode(for: error).isSuccess
        (isHelp ? Terminal.standardOutput : Terminal.standardError)
          .write(HelpPage.completed(fullMessage(for: error), for: arguments) + "\n")
        (isHelp ? ExitCode.clean : .internalError).endProcess()
      }
      let arguments = CommandLine.arguments.dropFirst()
      let words = named(in: arguments).words
      let message = UsageMessage(message(for: error))
      let other = message.option.flatMap { OtherTools.help(for: $0, of: words) }
      var page = "`\((["understudy"] + words).joined(separator: " ")) --help` lists what it takes"
      if message.error.hasPrefix("missing value"), let value = FlagValue.negative(in: arguments) {
        page = "`\(value)` starts like an option, and no number here is negative; \(page)"
      }
      if message.isIncomplete, let example = HelpTopic.example(of: words) { page = "as in `\(example)`; \(page)" }
      end(
        CommandFailure(
          .usage, message.error, help: other ?? message.help ?? UnknownCommand.suggestion(for: arguments) ?? page))
    }
  }

  private static func end(_ failure: CommandFailure) -> Never {
    if let message = failure.message { Terminal.standardError.write("error: \(message)\n") }
    // A subcommand that is misspelt reads as the file of a contract that does not exist.
    let isUnloaded = failure.code == .notLoadable
    let words = CommandLine.arguments.dropFirst()
    let help =
      failure.help
      ?? (isUnloaded ? UnknownCommand.suggestion(for: words) ?? FlagValue.suggestion(for: words) : nil)
    if let help { Terminal.standardError.write("  help: \(help)\n") }
    failure.code.endProcess()
  }
}

extension UnderstudyCommand {
  /// The command that the first arguments name, its words, and the arguments behind them.
  static func named(
    in arguments: ArraySlice<String>
  ) -> (command: any ParsableCommand.Type, words: [String], rest: ArraySlice<String>) {
    var command: any ParsableCommand.Type = UnderstudyCommand.self
    var words: [String] = []
    var rest = arguments
    while let argument = rest.first,
      let next = command.configuration.subcommands.first(where: { names(of: $0).contains(argument) })
    {
      command = next
      words.append(next._commandName)
      rest.removeFirst()
    }
    return (command, words, rest)
  }

  /// `understudy serve [<options>] [<spec> ...]`
  static func usage(of command: String) -> String {
    let named = named(in: command.split(separator: " ").map(String.init)[...])
    return usageString(for: named.command).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  static func names(of command: any ParsableCommand.Type) -> [String] {
    [command._commandName] + command.configuration.aliases
  }
}
