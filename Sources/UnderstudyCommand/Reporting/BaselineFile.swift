import UnderstudyVerification

/// The file of `--baseline`.
enum BaselineFile {
  /// The known findings; none without a file, or if the file is to be written for the first time. Throws if the file is
  /// missing or invalid.
  static func read(_ options: ReportOptions, _ common: CommonOptions) throws -> Baseline {
    guard let path = options.baseline else { return Baseline() }
    let source: SourceFile
    do {
      source = try FileSystem.read(path)
    } catch {
      if error.kind == .missing, options.updateBaseline { return Baseline() }
      let help = error.kind == .missing ? "`--update-baseline` writes it" : error.help
      common.report([Diagnostic(.configUnreadable, error.message, at: Location(path: path), help: help)])
      throw CommandFailure(.usage)
    }
    do throws(TextProblem) {
      let document = try TextDocument.read(source)
      do throws(RecordProblem) {
        return try Baseline(document)
      } catch {
        common.report([error.diagnostic(.configInvalid)])
      }
    } catch {
      common.report([
        Diagnostic(
          .configInvalid, error.message, at: Location(source, error.range),
          help: error.help ?? "the file may have merge conflicts; `--update-baseline` rewrites it")
      ])
    }
    throw CommandFailure(.usage)
  }

  /// Marks the known findings of a report, or writes them to the file.
  static func apply(_ options: ReportOptions, to report: inout Report, _ common: CommonOptions) throws {
    guard let path = options.baseline else { return }
    var baseline = try read(options, common)
    if options.updateBaseline {
      let updated = baseline.remaining(after: report).union(Baseline(of: report)).keepingDays(of: baseline)
      do {
        try FileSystem.replace(path, with: Array(updated.text.utf8))
      } catch {
        throw CommandFailure(
          .usage, "\(error.path): the baseline cannot be written: \(error.message)", help: error.help)
      }
      baseline = updated
    }
    baseline.apply(to: &report, file: path, today: String(Timestamp.now().prefix(10)))
  }
}
