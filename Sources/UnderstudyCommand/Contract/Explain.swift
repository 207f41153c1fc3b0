import ArgumentParser
import UnderstudyMock
import UnderstudyVerification

/// `understudy explain RULE`: explains a rule.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract:
      "Explain a rule, or a fault; without one, list all rules; with an area, as in redact.* or fault.*, list that area."
  )

  @Argument(help: ArgumentHelp("The id in brackets at the end of a message.", valueName: "rule"))
  var rule: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let style = common.standardOutput
    guard let id = rule else { return list(Rule.all.map { ($0.id, $0.summary) }) }
    if id.utf8.last == UInt8(ascii: "*") {
      let area = Rule.all.filter { $0.id.hasPrefix(id.dropLast()) }
      if !area.isEmpty { return list(area.map { ($0.id, $0.summary) }) }
      let faults = FaultTopic.all.filter { $0.id.hasPrefix(id.dropLast()) }
      if !faults.isEmpty { return list(faults.map { ($0.id, $0.summary) }) }
    }
    if let fault = FaultTopic.named(id) { return explain(fault) }
    guard let rule = Rule.named(id) else {
      let known = Rule.all.map(\.id) + FaultTopic.all.map(\.id)
      let below = known.filter { $0.hasPrefix(id + ".") }
      let area = below.isEmpty ? known.filter { $0.hasSuffix("." + id) } : below
      throw CommandFailure(
        .usage, "unknown rule `\(id)`",
        help: Suggestion.phrase(for: id, among: known)
          ?? (area.isEmpty ? "`understudy explain` lists all rules" : "known: \(area.joined(separator: ", "))"))
    }
    func indented(_ text: String) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
    }
    let severity = style.severity(rule.severity, rule.severity.rawValue)
    var text = "\(style.bold(rule.id)): \(rule.summary)\n\n\(rule.help)\n\nseverity: \(severity), "
    text += "to be fixed by: \(rule.owner.rawValue)\n"
    if rule.severity != .error, Rule.request.contains(rule) { text += "with `--check \(rule.id)`: error\n" }
    for example in rule.examples {
      let isWrong = example.text.contains("↓")
      text += "\n\(isWrong ? "reported (at the arrow):" : "valid:")\n\(indented(example.text))"
    }
    for exchange in rule.exchanges {
      let places = exchange.places.joined(separator: ", ")
      let lines = [exchange.request, exchange.response].filter { !$0.isEmpty }.joined(separator: "\n\n")
      text += "\n\(places.isEmpty ? "valid:" : "reported at \(places):")\n\(indented(lines))"
    }
    for pair in rule.pairs {
      text += "\n\(pair.isReported ? "reported" : "not reported") between this:\n\(indented(pair.old))"
      text += "and this:\n\(indented(pair.new))"
    }
    Terminal.standardOutput.write(text)
  }

  private func explain(_ fault: FaultTopic) {
    let style = common.standardOutput
    let examples = fault.examples.map { "  \($0)\n" }.joined()
    Terminal.standardOutput.write(
      "\(style.bold(fault.id)): \(fault.summary)\n\n\(fault.help)\n\nwritten as:\n\(examples)")
  }

  private func list(_ topics: [(id: String, summary: String)]) {
    let style = common.standardOutput
    let width = topics.map(\.id.utf8.count).max() ?? 0
    for topic in topics {
      let gap = String(repeating: " ", count: width - topic.id.utf8.count + 2)
      Terminal.standardOutput.write("\(style.bold(topic.id))\(gap)\(topic.summary)\n")
    }
  }
}
