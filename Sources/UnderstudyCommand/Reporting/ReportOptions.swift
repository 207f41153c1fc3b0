public import ArgumentParser
public import UnderstudyVerification

/// The output of a report, and the findings that fail.
struct ReportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format to print: text, json, junit, sarif, github, gitlab, markdown or html.", valueName: "format"))
  var format: ReportFormat = .text

  @Option(
    help: ArgumentHelp(
      "Write a report to a file as well, as in `junit=out/report.xml`. Repeatable.", valueName: "format=file"),
    transform: { try ReportFile($0) })
  var report: [ReportFile] = []

  @Option(help: .failOn) var failOn = FailOn()

  @Option(
    help: ArgumentHelp("Findings in this file are shown and counted, but do not fail.", valueName: "file"))
  var baseline: String?

  @Flag(help: "Write all findings to the file of --baseline.")
  var updateBaseline = false

  @Flag(help: "Pass a run that has nothing to check.")
  var allowEmpty = false

  func validate() throws {
    if updateBaseline, baseline == nil {
      throw ValidationError("`--update-baseline` needs a file: name it with `--baseline FILE`")
    }
    for (position, file) in report.enumerated() {
      guard let other = report[..<position].first(where: { $0.path == file.path }) else { continue }
      throw ValidationError(
        "`--report \(other.format.rawValue)=\(other.path)` and `--report \(file.format.rawValue)=\(file.path)` are the same file"
      )
    }
  }

  /// Reads the baseline and checks the places of reports early, so that a long run does not fail at its end.
  ///
  /// A missing folder below the working directory is made when the report is written; another one is a mistake.
  func prepare(_ common: CommonOptions) throws {
    for file in report { try Self.checkFolder(of: file.path, of: "`--report \(file.format.rawValue)=\(file.path)`") }
    _ = try BaselineFile.read(self, common)
  }

  /// Throws if an output of the run cannot be written because of its folder.
  static func checkFolder(of path: String, of option: String) throws {
    let folder = Path.folder(of: path)
    if FileSystem.isFolder(path) { throw CommandFailure(.usage, "\(option) names a folder; expected a file") }
    if FileSystem.exists(folder), !FileSystem.isFolder(folder) {
      throw CommandFailure(.usage, "\(option): \(folder) is a file; expected a folder")
    }
    guard folder.hasPrefix("/") || folder.split(separator: "/").contains(".."), !FileSystem.exists(folder) else {
      return
    }
    throw CommandFailure(
      .usage, "\(option): the folder \(folder) does not exist",
      help: "create it, or name a file below the working directory, whose folders are made")
  }

  /// Refuses to overwrite an input of the run.
  func spare(_ inputs: [String]) throws {
    for file in report { try spare(inputs, from: file.path, of: "`--report \(file.format.rawValue)=\(file.path)`") }
  }

  /// Refuses to overwrite an input by another output of the run.
  func spare(_ inputs: [String], from path: String, of option: String) throws {
    guard let input = (inputs + (baseline.map { [$0] } ?? [])).first(where: { FileSystem.isSame($0, path) }) else {
      return
    }
    throw CommandFailure(.usage, "\(option) would replace \(input), which this run reads")
  }

  /// Makes the report of a run. If that throws, the files of `--report` state it, so that they do not show an earlier
  /// run.
  func attempt(_ run: Report.Run, _ body: () async throws -> Report) async throws -> Report {
    do {
      return try await body()
    } catch let failure as CommandFailure {
      var report = Report(run)
      report.run.version = Version.current
      report.run.abortedBecause =
        failure.message ?? (failure.code == .notLoadable ? "a contract cannot be loaded" : "the run could not start")
      // This failure is more important than that of writing the report.
      try? write(report, ReportContext(failOn: failOn.severity, allowsEmpty: allowEmpty, style: .plain, paths: .here))
      throw failure
    }
  }

  /// Prints and writes the report, and throws unless it passes.
  ///
  /// - Parameters:
  ///   - text: Printed instead of the text of the report.
  ///   - code: The exit code for findings.
  func finish(
    _ report: Report, _ common: CommonOptions, text: String? = nil, failure code: ExitCode = .findings
  ) throws {
    var report = report
    report.run.version = report.run.version ?? Version.current
    try BaselineFile.apply(self, to: &report, common)
    let context = ReportContext(
      failOn: failOn.severity, allowsEmpty: allowEmpty, style: .plain, paths: .here)
    if format == .text, report.run.command.hasPrefix("verify"), report.checked == 0, report.findings.isEmpty,
      let target = report.run.target, let reason = report.run.abortedBecause
    {
      // There is nothing to report but the reason.
      try write(report, context)
      throw CommandFailure(
        .nothingChecked, "nothing was checked at \(VisibleText.line(target)): \(VisibleText.line(reason))",
        help: reason.contains("cannot be reached") ? "start the server, or check the host and port of `--live`" : nil)
    }
    var printed = context
    printed.style = common.standardOutput
    let replacement = format == .text ? text : nil
    Terminal.standardOutput.write(replacement ?? format.text(of: report, printed))
    try write(report, context)
    if format != .text, format != .github {
      Terminal.standardError.write("\(report.checkedText); \(report.unvalidatedText); found: \(report.countsText)\n")
    }
    guard let failure = Self.failure(of: report.verdict(context), failOn.severity, code) else { return }
    Terminal.standardError.write("exit \(failure.code.rawValue): \(VisibleText.line(failure.message ?? ""))\n")
    throw CommandFailure(failure.code)
  }

  /// Tries every file before it throws.
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

  /// The exit code and the message of a verdict; `nil` if the report passes.
  private static func failure(of verdict: Report.Verdict, _ failOn: Severity, _ code: ExitCode) -> CommandFailure? {
    switch verdict {
    case .passed: nil
    case .failed where code == .coverageTooLow: CommandFailure(code, "the coverage is too low")
    case .failed: CommandFailure(code, "\(verdict.text), by `--fail-on \(failOn.rawValue)`")
    case .incomplete: CommandFailure(.nothingChecked, verdict.text)
    case .nothingChecked:
      CommandFailure(.nothingChecked, "nothing was checked; `--allow-empty` allows that")
    }
  }
}

extension ReportFormat: ExpressibleByArgument {}

extension RepositoryPaths {
  /// Paths relative to the checkout of the CI system, else to the working folder.
  static var here: RepositoryPaths {
    let named = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"].lazy.compactMap { Environment[$0] }.first { !$0.isEmpty }
    let folder = FileSystem.workingFolder
    return RepositoryPaths(workingFolder: folder, root: named ?? folder)
  }
}
