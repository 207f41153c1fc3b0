import UnderstudyMock
import UnderstudyServer
import UnderstudyVerification

/// The lines of the banner about what changes the answers of this run, and who can reach it; none for an ordinary run.
struct BannerNotes {
  let mock: Mock
  let address: ServerAddress
  let style: TerminalStyle

  private static let limit = 4

  var text: String { others + changes + unvalidated + unsent }

  /// The addresses for clients on other machines.
  private var others: String {
    guard address.isEverywhere else { return "" }
    let urls = address.urlsForOthers
    return urls.isEmpty
      ? "  other machines: this one has no address that they can reach\n"
      : "  other machines: \(Self.list(urls.map(style.cyan)))\n"
  }

  /// `  forced: *=500; scenario: rush; delay: *=2s; fault: readChat=reset`
  private var changes: String {
    let options = mock.options
    var parts: [String] = []
    func add(_ name: String, _ values: [String]) {
      if !values.isEmpty { parts.append("\(name): \(style.yellow(DiagnosticPrinter.visible(Self.list(values))))") }
    }
    add("forced", ForcingRule.summary(of: options.forced))
    add("scenario", options.scenario.map { [$0] } ?? [])
    add("checks", options.checks.map(\.name))
    for name in ["network", "delay", "fault"] {
      let rules = options.faults.filter { $0.option.hasPrefix(name) }
      add(name, rules.map { name == "network" ? $0.plan.text : "\($0.target)=\($0.plan.text)" })
    }
    if options.isStateful || !mock.collections.isEmpty {
      let collections = mock.collections.map { "\($0.name) (\($0.verbs.map(\.rawValue).joined(separator: ", ")))" }
      add("collections", collections.isEmpty ? ["none found"] : collections)
    }
    return parts.isEmpty ? "" : "  \(parts.joined(separator: "; "))\n"
  }

  private var unvalidated: String {
    let reasons = UnvalidatedSecurity(mock).reasons
    return reasons.isEmpty
      ? "" : style.dim("  not validated: \(DiagnosticPrinter.visible(Self.list(reasons, separator: "; ")))") + "\n"
  }

  /// The callbacks and webhooks that are declared and not sent.
  private var unsent: String {
    mock.unsentCallbacks.map { group in
      style.dim("  not sent: \(DiagnosticPrinter.visible(Self.list(group.names) + ": " + group.reason))") + "\n"
    }.joined()
  }

  private static func list(_ values: [String], separator: String = ", ") -> String {
    let rest = values.count > limit ? ["and \(values.count - limit) more"] : []
    return (values.prefix(limit) + rest).joined(separator: separator)
  }
}
