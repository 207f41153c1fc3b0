import ArgumentParser
import Understudy

/// `understudy report merge FILE...`: one report of the reports of several jobs.
struct ReportMerge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Join the JSON reports of several jobs into one.",
    discussion: """
      Of a run in parts (`--shard`) every part must be there, or the whole counts as cut short. One report alone is \
      written in another format. Exit codes: 0 clean, 1 findings, 2 a file is no report, 4 something was not judged.
      """)

  @Argument(help: ArgumentHelp("Reports that `--report json=FILE` or `--format json` wrote.", valueName: "file"))
  var files: [String]

  @OptionGroup var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  /// Bytes of the largest report: 1 GiB.
  private static let largest = 1 << 30

  func run() throws {
    try reporting.prepare(common)
    let parts = files.compactMap(read)
    guard parts.count == files.count else { throw CommandFailure(.usage) }
    let merged: Report
    do throws(Report.MergeProblem) {
      merged = try Report.merge(parts)
    } catch {
      throw CommandFailure(.usage, error.message, help: error.help)
    }
    try reporting.finish(merged, common)
  }

  /// `nil` when the file is no report, which is then told.
  private func read(_ path: String) -> Report.Part? {
    let source: SourceFile
    do {
      source = try FileSystem.read(path, maximumBytes: Self.largest)
    } catch {
      common.report([Diagnostic(.configUnreadable, error.message, at: Location(path: path), help: error.help)])
      return nil
    }
    do throws(TextProblem) {
      let document = try JSONParser.parse(source)
      do throws(RecordProblem) {
        return Report.Part(path, try JSONReportReader.report(document))
      } catch {
        common.report([error.diagnostic(.configInvalid)])
      }
    } catch {
      common.report([
        Diagnostic(
          .configInvalid, "this is no JSON report of understudy: \(error.message)", at: Location(source, error.range),
          help: "`--report json=FILE` and `--format json` write one; a job that was killed may leave half a file")
      ])
    }
    return nil
  }
}
