/// The help of a command for people: options in sections, two examples, and where the documentation is.
///
/// ArgumentParser has neither sections for single options nor examples, so its text is taken apart and arranged.
enum HelpPage {
  /// A help text arranged; any other message unchanged.
  static func arranged(_ message: String) -> String {
    guard message.hasPrefix("OVERVIEW: ") else { return message }
    return page(message).text
  }

  static func page(_ message: String) -> HelpText {
    var help = HelpText(message)
    let command = help.command
    OptionSections.arrange(&help)
    if let topic = HelpTopic.all.first(where: { $0.command == command }) { help.sections += topic.sections }
    return help
  }

  /// The arguments, with `coverage --help` as `coverage show --help`: the options are those of its default subcommand.
  static func expanded(_ arguments: [String]) -> [String] {
    if arguments == ["help", "coverage"] { return arguments + ["show"] }
    let isHelp = arguments.contains { ["-h", "--help"].contains($0) }
    guard isHelp, arguments.first == "coverage", !arguments.contains("merge"), !arguments.contains("show") else {
      return arguments
    }
    return ["coverage", "show"] + arguments.dropFirst()
  }
}
