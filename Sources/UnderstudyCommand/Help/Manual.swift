import ArgumentParser
import Understudy

/// `understudy manual`: prints the manual page, for `make install`.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Print the manual page (man 7).", shouldDisplay: false)

  func run() { Terminal.standardOutput.write(ManualPage().text) }
}

/// The manual page: the help of every subcommand, in roff.
struct ManualPage {
  var text: String {
    let root = UnderstudyCommand.configuration
    var lines = [
      ".TH UNDERSTUDY 1 \"\" \"understudy \(Version.current)\"", ".SH NAME",
      "understudy \\- \(Self.escaped(root.abstract))", ".SH SYNOPSIS", ".B understudy", "<subcommand> [options]",
      ".SH DESCRIPTION", Self.escaped(root.discussion),
    ]
    lines += Self.commands(below: UnderstudyCommand.self).flatMap(section)
    lines += [
      ".SH FILES", ".TP", ".B understudy.yaml", "The settings of a project, searched from the working folder upward.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The subcommands that do something, in the order of the help. The default subcommand of a command stands for it.
  private static func commands(below type: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    type.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { command in
      command.configuration.subcommands.isEmpty ? [command] : commands(below: command)
    }
  }

  private func section(_ command: any ParsableCommand.Type) -> [String] {
    // Too wide to wrap, so that each description is one line.
    let page = HelpPage.page(UnderstudyCommand.helpMessage(for: command, columns: 10_000))
    var lines = [".SH UNDERSTUDY \(Self.escaped((page.command ?? "").uppercased()))"]
    for paragraph in page.head {
      let text = paragraph.hasPrefix("OVERVIEW: ") ? String(paragraph.dropFirst("OVERVIEW: ".count)) : paragraph
      lines +=
        text.hasPrefix("USAGE: ") ? [".PP", ".B \(Self.escaped(Self.joined(text)))"] : [".PP", Self.escaped(text)]
    }
    for section in page.sections {
      lines.append(".SS \(Self.escaped("\(section.title.prefix(1))\(section.title.dropFirst().lowercased())"))")
      for entry in section.entries {
        let (label, text) = entry.parts
        lines +=
          text.isEmpty ? [".PP", Self.escaped(label)] : [".TP", ".B \(Self.escaped(label))", Self.escaped(text)]
      }
    }
    return lines
  }

  private static func joined(_ text: String) -> String {
    text.dropFirst("USAGE: ".count).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Text that roff prints as it is: a line may not start with a request, and a hyphen stays a hyphen.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      let line = String(line).replacing("\\", with: "\\e").replacing("-", with: "\\-")
      return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }.joined(separator: "\n")
  }
}
