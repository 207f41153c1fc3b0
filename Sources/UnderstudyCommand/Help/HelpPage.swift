import ArgumentParser

/// The help of a command: that of ArgumentParser, then two examples and the location of the documentation.
enum HelpPage {
  /// A message with the examples of the command that the arguments name; one that is not a help text is unchanged.
  static func completed(_ message: String, for arguments: [String]) -> String {
    guard message.hasPrefix("OVERVIEW: ") else { return message }
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    let command = UnderstudyCommand.named(in: words).words.joined(separator: " ")
    guard let topic = HelpTopic.all.first(where: { $0.command == command }) else { return message }
    let end = message.reversed().prefix { $0 == "\n" }.count
    return message.dropLast(end) + "\n\n" + topic.text
  }

  /// The arguments with the host of `-h HOST`, and with `coverage --help` as `coverage show --help`, whose options the default
  /// subcommand has.
  static func expanded(_ arguments: [String]) -> [String] {
    let arguments = HostFlag.expanded(arguments)
    if arguments == ["help", "coverage"] { return arguments + ["show"] }
    let isHelp = arguments.contains { ["-h", "--help"].contains($0) }
    guard isHelp, arguments.first == "coverage", !arguments.contains("merge"), !arguments.contains("show") else {
      return arguments
    }
    return ["coverage", "show"] + arguments.dropFirst()
  }
}
