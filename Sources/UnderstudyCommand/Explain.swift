import ArgumentParser
import Understudy

/// `understudy explain RULE`: what a rule catches and what to do about it.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say what a rule catches and what to do about it; without a rule, list them all.")

  @Argument(help: ArgumentHelp("The id in brackets at the end of a message.", valueName: "rule"))
  var rule: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let style = common.standardOutput
    guard let id = rule else {
      let width = Rule.all.map(\.id.utf8.count).max() ?? 0
      for rule in Rule.all {
        let gap = String(repeating: " ", count: width - rule.id.utf8.count + 2)
        Terminal.standardOutput.write("\(style.bold(rule.id))\(gap)\(rule.summary)\n")
      }
      return
    }
    guard let rule = Rule.named(id) else {
      let area = Rule.all.map(\.id).filter { $0.hasPrefix(id + ".") }
      throw CommandFailure(
        .usage, "there is no rule `\(id)`",
        help: Suggestion.phrase(for: id, among: Rule.all.map(\.id))
          ?? (area.isEmpty ? "`understudy explain` lists them all" : "there is \(area.joined(separator: ", "))"))
    }
    var text = "\(style.bold(rule.id)): \(rule.summary)\n\n\(rule.help)\n\n"
    text +=
      "severity: \(style.severity(rule.severity, rule.severity.rawValue)), to be mended by: \(rule.owner.rawValue)\n"
    for example in rule.examples {
      let isWrong = example.text.contains("↓")
      text += "\n\(isWrong ? "reported (at the arrow):" : "in order:")\n"
      text += example.text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
    }
    for exchange in rule.exchanges {
      let places = exchange.places.joined(separator: ", ")
      text += "\n\(places.isEmpty ? "in order:" : "reported at \(places):")\n"
      let lines = [exchange.request, exchange.response].filter { !$0.isEmpty }.joined(separator: "\n\n")
      text += lines.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
    }
    Terminal.standardOutput.write(text)
  }
}
