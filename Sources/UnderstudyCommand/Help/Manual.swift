import ArgumentParser
import UnderstudyVerification

/// `understudy manual`: prints the manual page, for `make install`.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Print the manual page (man 7).", shouldDisplay: false)

  func run() throws { Terminal.standardOutput.write(try ManualPage().text) }
}

/// The manual page: every subcommand with its options and examples, in roff.
struct ManualPage {
  /// The commands as ArgumentParser describes them to other programs (`--experimental-dump-help`).
  private let root: JSON

  init() throws(TextProblem) {
    root = try JSONParser.parse(Array(UnderstudyCommand._dumpHelp().utf8)).root["command"] ?? .null
  }

  var text: String {
    var lines = [
      ".TH UNDERSTUDY 1 \"\" \"understudy \(Version.current)\"", ".SH NAME",
      "understudy \\- \(Self.text("abstract", of: root))", ".SH SYNOPSIS", ".B understudy", "<subcommand> [options]",
      ".SH DESCRIPTION", Self.text("discussion", of: root),
    ]
    lines += Self.sections(below: root, "")
    lines += [
      ".SH FILES", ".TP", ".B understudy.yaml", "The settings of a project, searched from the working folder upward.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The subcommands that do something, in the order of the help. The default subcommand of a command stands for it.
  private static func sections(below command: JSON, _ parent: String) -> [String] {
    (command["subcommands"]?.elements.map { $0 } ?? []).filter { $0["shouldDisplay"]?.bool != false }
      .flatMap { subcommand -> [String] in
        let name = subcommand["commandName"]?.string ?? ""
        guard name != "help" else { return [] }
        let words = parent.isEmpty ? name : "\(parent) \(name)"
        let title = command["defaultSubcommand"]?.string == name ? parent : words
        let isGroup = subcommand["subcommands"]?.elements.contains { $0["commandName"]?.string != "help" } == true
        return isGroup ? sections(below: subcommand, words) : section(subcommand, title: title, words)
      }
  }

  private static func section(_ command: JSON, title: String, _ words: String) -> [String] {
    var lines = [
      ".SH UNDERSTUDY \(escaped(title.uppercased()))", ".PP", text("abstract", of: command), ".PP",
      ".B \(escaped(UnderstudyCommand.usage(of: words)))",
    ]
    if command["discussion"] != nil { lines += [".PP", text("discussion", of: command)] }
    let arguments = (command["arguments"]?.elements.map { $0 } ?? []).filter { $0["shouldDisplay"]?.bool != false }
    var titles: [String] = []
    for argument in arguments where !titles.contains(group(of: argument)) { titles.append(group(of: argument)) }
    for title in titles {
      lines.append(".SS \(escaped(title))")
      var last: JSON?
      for argument in arguments where group(of: argument) == title {
        // An inversion follows its flag.
        let isInversion = last.map { text("abstract", of: $0) == text("abstract", of: argument) } == true
        if isInversion {
          lines[lines.count - 2] += ", \(label(argument))"
        } else {
          lines += [".TP", ".B \(label(argument))", text("abstract", of: argument)]
        }
        last = argument
      }
    }
    let topic = HelpTopic.all.first { $0.command == words }
    return lines + (topic.map { [".SS Examples"] + $0.examples.flatMap { [".PP", escaped($0)] } } ?? [])
  }

  private static func group(of argument: JSON) -> String {
    argument["sectionTitle"]?.string ?? (argument["kind"]?.string == "positional" ? "Arguments" : "Options")
  }

  /// `-p, --port <port>`, or `<spec>`.
  private static func label(_ argument: JSON) -> String {
    let value = argument["valueName"]?.string.map { "<\($0)>" } ?? ""
    let names = (argument["names"]?.elements.map { $0 } ?? []).map { name in
      (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "")
    }
    guard !names.isEmpty else { return escaped(value) }
    let isOption = argument["kind"]?.string == "option"
    return escaped(
      names.sorted { $0.utf8.count < $1.utf8.count }.joined(separator: ", ") + (isOption ? " \(value)" : ""))
  }

  private static func text(_ member: String, of node: JSON) -> String { escaped(node[member]?.string ?? "") }

  /// Text that roff prints as it is: a line may not start with a request, and a hyphen stays a hyphen.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      let line = String(line).replacing("\\", with: "\\e").replacing("-", with: "\\-")
      return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }.joined(separator: "\n")
  }
}
