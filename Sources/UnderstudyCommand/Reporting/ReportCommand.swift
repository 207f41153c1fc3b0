import ArgumentParser
import UnderstudyVerification

/// `understudy report`: operations on reports.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Merge JSON reports, and write them in other formats.",
    subcommands: [ReportMerge.self])
}

/// `understudy report merge FILE...`: merges the reports of several jobs.
struct ReportMerge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge the JSON reports of several jobs.",
    discussion: """
      If a part of a divided run (`--shard`) is missing, the whole is incomplete. A single report is written in another \
      format. Exit codes: 0 clean, 1 findings, 2 a file is not a report, 4 something was not validated.
      """)

  @Argument(help: ArgumentHelp("Reports that `--report json=FILE` or `--format json` wrote.", valueName: "file"))
  var files: [String]

  @OptionGroup(title: "Output") var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    try reporting.prepare(common)
    try reporting.finish(try ReportMerger.merge(try ReportParts.read(files, common)), common)
  }
}
