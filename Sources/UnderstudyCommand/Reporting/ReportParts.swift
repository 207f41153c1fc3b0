import Understudy

/// The JSON reports of several jobs.
enum ReportParts {
  /// Bytes of the largest report: 1 GiB.
  private static let largest = 1 << 30

  /// Reads every file; ends the command when one is no report, with all of those named.
  static func read(_ files: [String], _ common: CommonOptions) throws -> [ReportMerger.Part] {
    let parts = files.compactMap { read($0, common) }
    guard parts.count == files.count else { throw CommandFailure(.usage) }
    return parts
  }

  static func merge(_ parts: [ReportMerger.Part]) throws -> Report {
    do throws(ReportMerger.Problem) {
      return try ReportMerger.merge(parts)
    } catch {
      throw CommandFailure(.usage, error.message, help: error.help)
    }
  }

  /// `nil` when the file is no report, which is then told.
  private static func read(_ path: String, _ common: CommonOptions) -> ReportMerger.Part? {
    let source: SourceFile
    do {
      source = try FileSystem.read(path, maximumBytes: largest)
    } catch {
      common.report([Diagnostic(.configUnreadable, error.message, at: Location(path: path), help: error.help)])
      return nil
    }
    do throws(TextProblem) {
      let document = try JSONParser.parse(source)
      do throws(RecordProblem) {
        return ReportMerger.Part(path, try JSONReportReader.report(document))
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
