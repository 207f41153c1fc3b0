import ArgumentParser
import Understudy

/// `understudy report merge FILE...`: one report of the reports of several jobs.
struct ReportMerge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Join the JSON reports of several jobs into one.",
    discussion: """
      Of a run in parts (`--shard`) every part must be there, or the whole counts as cut short. One report alone is \
      written in another format. Exit codes: 0 clean, 1 findings, 2 a file is no report, 4 something was not validated.
      """)

  @Argument(help: ArgumentHelp("Reports that `--report json=FILE` or `--format json` wrote.", valueName: "file"))
  var files: [String]

  @OptionGroup var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    try reporting.prepare(common)
    try reporting.finish(try ReportParts.merge(try ReportParts.read(files, common)), common)
  }
}
