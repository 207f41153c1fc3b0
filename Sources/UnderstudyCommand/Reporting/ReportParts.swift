import UnderstudyVerification

/// Reads the JSON reports of several jobs, each twice: its run, and its cases once the order is known.
enum ReportParts {
  /// The size limit of a report: 1 GiB.
  private static let maximumBytes = 1 << 30

  /// Throws if a file is not a report, after reporting all such files.
  static func read(_ files: [String], _ common: CommonOptions) throws -> [ReportMerger.Part] {
    let parts = files.compactMap { path -> ReportMerger.Part? in
      guard let (report, digest) = read(path, common) else { return nil }
      // A pipe can be read once.
      guard FileSystem.isRegular(path) else { return ReportMerger.Part(path, report) }
      return ReportMerger.Part(path, report, digest: digest) {
        guard let report = read(path, common)?.report else { throw CommandFailure(.usage) }
        return report
      }
    }
    guard parts.count == files.count else { throw CommandFailure(.usage) }
    return parts
  }

  /// `nil` if the file is not a report, with the reason reported.
  private static func read(_ path: String, _ common: CommonOptions) -> (report: Report, digest: UInt64)? {
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
        return (try JSONReportReader.report(document), Observations.digest(bytes: source.bytes) ?? 0)
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
