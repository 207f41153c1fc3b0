import ArgumentParser
import UnderstudyVerification

/// Subcommands that do not exist, with the subcommand that was probably meant.
enum UnknownCommand {
  /// Throws if the first argument that names no subcommand is in the position of a subcommand, also after `help`.
  static func check(_ arguments: [String]) throws(CommandFailure) {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    let (command, parents, rest) = UnderstudyCommand.named(in: words)
    let configuration = command.configuration
    guard !configuration.subcommands.isEmpty, configuration.defaultSubcommand == nil, let word = rest.first,
      word != "help", !word.hasPrefix("-")
    else { return }
    let parent = (["understudy"] + parents).joined(separator: " ")
    throw CommandFailure(
      .usage, "unknown command `\((parents + [word]).joined(separator: " "))`",
      help: suggestion(for: rest, of: command, parents) ?? "`\(parent) --help` lists the commands")
  }

  /// The advice for a word, which may also be the file of a contract.
  static func suggestion(for arguments: ArraySlice<String>) -> String? {
    let (command, parents, rest) = UnderstudyCommand.named(in: arguments)
    return suggestion(for: rest, of: command, parents)
  }

  private static func suggestion(
    for rest: ArraySlice<String>, of command: any ParsableCommand.Type, _ parents: [String]
  ) -> String? {
    guard !command.configuration.subcommands.isEmpty, let word = rest.first, !word.hasPrefix("-") else { return nil }
    let known = names(below: command)
    guard parents.isEmpty else {
      let isScenario = parents == ["scenario"]
      return Suggestion.phrase(for: word, among: known)
        ?? (isScenario ? "did you mean `scenario show \(word)`?" : nil)
    }
    if let advice = otherWords[word] { return advice }
    if let phrase = Suggestion.phrase(for: word, among: known) { return phrase }
    if names(below: UnderstudyCommand.named(in: ["ctl"]).command).contains(word) {
      return "did you mean `ctl \(word)`?"
    }
    let isContract = FileSystem.isRegular(word) || word.hasPrefix("http://") || word.hasPrefix("https://")
    return isContract ? "name a command before it, as in `understudy serve \(ShellQuoting().word(word))`" : nil
  }

  private static func names(below command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap {
      UnderstudyCommand.names(of: $0)
    }
  }

  /// The words of other tools with the subcommand that has their purpose.
  private static let otherWords = [
    "bundle": "`understudy fetch URL` saves a contract with the documents that it refers to",
    "changelog": "`understudy diff OLD NEW --changelog` prints the changes of a contract",
    "breaking": "`understudy diff OLD NEW` prints the changes that break clients",
    "console": "a running mock has its console at `/__admin/`: `understudy serve api.yaml` prints the address",
    "list": "`understudy routes api.yaml` lists the operations of a contract",
    "new": "`understudy init api.yaml` writes understudy.yaml and the first fixtures",
    "proxy": "`understudy serve --upstream URL` is a validating proxy",
    "replay": "`understudy record api.yaml --from traffic.har` writes fixtures, which `understudy serve` replays",
    "start": "did you mean `serve`?",
    "stop": "Ctrl-C stops a mock; `understudy ctl` directs a mock that runs",
    "stub": "did you mean `serve`?",
    "test": "`understudy run -- COMMAND` runs tests beside a mock, `understudy verify --live URL` tests a server",
    "validate": "`understudy lint` checks contracts, `understudy verify` fixtures, servers and recordings",
    "version": "did you mean `--version`?",
  ]
}
