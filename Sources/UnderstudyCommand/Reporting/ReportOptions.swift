public import ArgumentParser
public import Understudy

/// How a report leaves the command: what is printed, what is written to files, and what fails.
struct ReportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What is printed: text, json, junit, sarif, github, gitlab, markdown or html.", valueName: "format"))
  var format: ReportFormat = .text

  @Option(
    help: ArgumentHelp(
      "Write a report to a file as well, as in `junit=out/report.xml`. Repeatable.", valueName: "format=file"),
    transform: { try ReportFile($0) })
  var report: [ReportFile] = []

  @Option(help: ArgumentHelp("The least severity that fails: error, warning or info.", valueName: "severity"))
  var failOn: Threshold = .error

  @Option(
    help: ArgumentHelp("Findings that this file knows are shown and counted, but fail nothing.", valueName: "file"))
  var baseline: String?

  @Flag(help: "Write everything that was found into the file of --baseline.")
  var updateBaseline = false

  @Flag(help: "A run that had nothing to check is in order.")
  var allowEmpty = false

  func validate() throws {
    if updateBaseline, baseline == nil {
      throw ValidationError("`--update-baseline` needs a file: name it with `--baseline FILE`")
    }
    for (position, file) in report.enumerated() {
      guard let other = report[..<position].first(where: { $0.path == file.path }) else { continue }
      throw ValidationError(
        "`--report \(other.format.rawValue)=\(other.path)` and `--report \(file.format.rawValue)=\(file.path)` are one file"
      )
    }
  }

  /// Reads what the end of the run will need, so that a long run does not end with a misspelt name.
  func prepare(_ common: CommonOptions) throws { _ = try BaselineFile.read(self, common) }

  /// Refuses to write a report over what the run reads.
  func spare(_ inputs: [String]) throws {
    for file in report {
      guard let input = (inputs + (baseline.map { [$0] } ?? [])).first(where: { FileSystem.isSame($0, file.path) })
      else { continue }
      throw CommandFailure(
        .usage, "`--report \(file.format.rawValue)=\(file.path)` would replace \(input), which this run reads")
    }
  }

  /// Makes the report of a run. Where that ends early, the files of `--report` say so: what an earlier run left in them would
  /// be taken for the outcome of this one.
  func attempt(_ run: Report.Run, _ body: () async throws -> Report) async throws -> Report {
    do {
      return try await body()
    } catch let failure as CommandFailure {
      var report = Report(run)
      report.run.version = Version.current
      report.run.abortedBecause =
        failure.message ?? (failure.code == .notLoadable ? "a contract cannot be loaded" : "the run could not begin")
      // The failure itself matters more than one of writing about it.
      try? write(report, ReportContext(failOn: failOn.severity, allowsEmpty: allowEmpty, style: .plain, paths: .here))
      throw failure
    }
  }

  /// Prints and writes the report, and ends the command unless all is well. What could not be validated counts before what was
  /// found; files are written whatever the verdict is.
  ///
  /// - Parameters:
  ///   - text: what is printed in place of the text of the report.
  ///   - code: what findings end with.
  func finish(
    _ report: Report, _ common: CommonOptions, text: String? = nil, failure code: ExitCode = .findings
  ) throws {
    var report = report
    report.run.version = report.run.version ?? Version.current
    try BaselineFile.apply(self, to: &report, common)
    let context = ReportContext(
      failOn: failOn.severity, allowsEmpty: allowEmpty, style: .plain, paths: RepositoryPaths.here)
    var printed = context
    printed.style = common.standardOutput
    let own = format == .text ? text : nil
    Terminal.standardOutput.write(own ?? format.text(of: report, printed))
    try write(report, context)
    let verdict = report.verdict(context)
    if format != .text, format != .github {
      Terminal.standardError.write("\(report.checkedText); \(report.unvalidatedText); found: \(report.countsText)\n")
    }
    guard let failure = Self.failure(of: verdict, failOn, code) else { return }
    Terminal.standardError.write("exit \(failure.code.rawValue): \(VisibleText.line(failure.message ?? ""))\n")
    throw CommandFailure(failure.code)
  }

  /// Every file is tried, before the first that failed ends the command.
  private func write(_ report: Report, _ context: ReportContext) throws {
    var problems: [FileProblem] = []
    for file in self.report {
      do throws(FileProblem) {
        try FileSystem.replace(file.path, with: Array(file.format.text(of: report, context).utf8))
      } catch { problems.append(error) }
    }
    if format == .github, let path = Environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
      do throws(FileProblem) {
        try FileSystem.append(Array(ReportFormat.markdown.text(of: report, context).utf8), to: path)
      } catch { problems.append(error) }
    }
    for problem in problems {
      Terminal.standardError.write("error: \(problem.path): the report cannot be written: \(problem.message)\n")
    }
    if !problems.isEmpty { throw CommandFailure(.usage) }
  }

  /// The code of a verdict and why; `nil` where all is well.
  private static func failure(of verdict: Report.Verdict, _ failOn: Threshold, _ code: ExitCode) -> CommandFailure? {
    switch verdict {
    case .passed: nil
    case .failed where code == .coverageTooLow: CommandFailure(code, "the coverage is too low")
    case .failed: CommandFailure(code, "\(verdict.text), by `--fail-on \(failOn.rawValue)`")
    case .incomplete: CommandFailure(.nothingChecked, verdict.text)
    case .nothingChecked:
      CommandFailure(.nothingChecked, "nothing was checked; `--allow-empty` makes that good")
    }
  }
}

extension ReportFormat: ExpressibleByArgument {}

extension RepositoryPaths {
  /// Paths from the root that the CI system checked out, else from the working folder.
  static var here: RepositoryPaths {
    let named = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"].lazy.compactMap { Environment[$0] }.first { !$0.isEmpty }
    let folder = FileSystem.workingFolder
    return RepositoryPaths(workingFolder: folder, root: named ?? folder)
  }
}
