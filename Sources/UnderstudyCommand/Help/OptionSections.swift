/// The sections of the options in a long help.
enum OptionSections {
  /// Help with fewer options has one section.
  private static let leastOptions = 8

  /// The sections in their order. `verify --seed` is the option of one command only.
  private static let all: [(title: String, options: [String])] = [
    ("CONTRACTS AND FIXTURES", ["--fixtures", "--config", "--allow-remote-refs"]),
    (
      "ANSWERS",
      [
        "--force", "--scenario", "serve --check", "run --check", "--on-invalid", "--errors", "--dynamic",
        "serve --seed", "run --seed", "--delay", "--fault", "--network", "--stateful",
      ]
    ),
    (
      "NETWORK",
      [
        "--port", "--host", "--cors", "--base-path", "--cacert", "fetch --header", "--ready-file", "--watch",
      ]
    ),
    ("UPSTREAM", ["--upstream", "--fallback", "--upstream-timeout", "--upstream-connections", "--unix-socket"]),
    (
      "FIXTURES",
      [
        "--from", "record --mode", "--keep", "--when", "--session", "--templates", "--reject-invalid", "--draft",
        "--overlay", "--check", "--allow-secret", "--record-in-ci",
      ]
    ),
    (
      "LIVE SERVER",
      [
        "--live", "--allow-unsafe", "--operation", "--exclude-operation", "--tag", "--path", "--phases", "--mode",
        "verify --count", "verify --seed", "verify --header",
        "--rate", "--workers", "--timeout", "--max-time", "--max-failures", "verify --base-path", "--before", "--after",
        "verify --cacert", "verify --unix-socket",
      ]
    ),
    ("RUNS", ["sweep --operation", "--jobs", "sweep --limit", "sweep --seed", "--expect-file"]),
    ("RECORDINGS", ["--har", "--base", "--strict-host", "--overwrite", "--redact", "--no-redact"]),
    ("REPAIR", ["--fix", "--sort-keys", "--yes"]),
    (
      "WHAT FAILS",
      [
        "--min-coverage", "--require", "--ignore-deprecated", "--fail-on", "--baseline", "--update-baseline",
        "--allow-empty",
      ]
    ),
    ("OUTPUT", ["--format", "--report", "--color", "--quiet", "--verbose"]),
  ]

  /// Divides the options; those without a section stay in `OPTIONS`, at the end.
  static func arrange(_ help: inout HelpText) {
    guard let position = help.sections.firstIndex(where: { $0.title == "OPTIONS" }) else { return }
    let entries = help.sections[position].entries
    guard entries.count >= leastOptions else { return }
    let command = help.command ?? ""
    let titles = entries.map { title(of: $0.option ?? "", in: command) }
    let arranged = (all.map(\.title) + ["OPTIONS"]).compactMap { title -> HelpText.Section? in
      let own = zip(entries, titles).filter { $0.1 == title }.map(\.0)
      return own.isEmpty ? nil : HelpText.Section(title: title, entries: own)
    }
    help.sections.replaceSubrange(position...position, with: arranged)
  }

  private static func title(of option: String, in command: String) -> String {
    let ofCommand = all.first { $0.options.contains("\(command) \(option)") }
    return (ofCommand ?? all.first { $0.options.contains(option) })?.title ?? "OPTIONS"
  }
}
