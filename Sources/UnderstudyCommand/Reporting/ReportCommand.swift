import ArgumentParser

/// `understudy report`: what can be done with reports.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Join JSON reports, and write them in other formats.",
    subcommands: [ReportMerge.self])
}
