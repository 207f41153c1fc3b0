import UnderstudyVerification

/// Reads the JSON reports of several jobs.
enum ReportParts {
  /// The size limit of a report: 1 GiB.
  private static let maximumBytes = 1 << 30

  /// Throws if a file is not a report, after reporting all such files.
  static func read(_ files: [String], _ common: CommonOptions) throws -> [ReportMerger.Part] {
    let parts = files.compactMap { read($0, common) }
    guard parts.count == files.count else { throw CommandFailure(.usage) }
    return parts
  }

  /// `nil` if the file is not a report, with the reason reported.
  private static func read(_ path: String, _ common: CommonOptions) -> ReportMerger.Part? {
    let source: SourceFile
    do {
      source = try FileSystem.read(path, maximumBytes: maximumBytes)
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
          .configInvalid, "this is not a JSON report of understudy: \(error.message)",
          at: Location(source, error.range),
          help: "`--report json=FILE` and `--format json` write one; the file of a killed job may be incomplete")
      ])
    }
    return nil
  }
}
