import ArgumentParser
import Understudy

/// `understudy explain RULE`: explains a rule.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Explain a rule and how to fix its findings; without a rule, list all rules; with an area, as in redact.*, list its rules."
  )

  @Argument(help: ArgumentHelp("The id in brackets at the end of a message.", valueName: "rule"))
  var rule: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let style = common.standardOutput
    guard let id = rule else { return list(Rule.all) }
    if id.utf8.last == UInt8(ascii: "*") {
      let area = Rule.all.filter { $0.id.hasPrefix(id.dropLast()) }
      if !area.isEmpty { return list(area) }
    }
    guard let rule = Rule.named(id) else {
      let area = Rule.all.map(\.id).filter { $0.hasPrefix(id + ".") }
      throw CommandFailure(
        .usage, "unknown rule `\(id)`",
        help: Suggestion.phrase(for: id, among: Rule.all.map(\.id))
          ?? (area.isEmpty ? "`understudy explain` lists all rules" : "known: \(area.joined(separator: ", "))"))
    }
    func indented(_ text: String) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
    }
    let severity = style.severity(rule.severity, rule.severity.rawValue)
    var text = "\(style.bold(rule.id)): \(rule.summary)\n\n\(rule.help)\n\nseverity: \(severity), "
    text += "to be fixed by: \(rule.owner.rawValue)\n"
    for example in rule.examples {
      let isWrong = example.text.contains("↓")
      text += "\n\(isWrong ? "reported (at the arrow):" : "valid:")\n\(indented(example.text))"
    }
    for exchange in rule.exchanges {
      let places = exchange.places.joined(separator: ", ")
      let lines = [exchange.request, exchange.response].filter { !$0.isEmpty }.joined(separator: "\n\n")
      text += "\n\(places.isEmpty ? "valid:" : "reported at \(places):")\n\(indented(lines))"
    }
    Terminal.standardOutput.write(text)
  }

  private func list(_ rules: [Rule]) {
    let style = common.standardOutput
    let width = rules.map(\.id.utf8.count).max() ?? 0
    for rule in rules {
      let gap = String(repeating: " ", count: width - rule.id.utf8.count + 2)
      Terminal.standardOutput.write("\(style.bold(rule.id))\(gap)\(rule.summary)\n")
    }
  }
}
