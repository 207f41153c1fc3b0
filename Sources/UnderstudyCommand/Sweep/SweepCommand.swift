import ArgumentParser
import UnderstudyMock
import UnderstudyVerification

/// `understudy sweep SPEC... -- COMMAND...`: drives a client through everything that it can be answered.
struct SweepCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Run a client once for each answer that it can get.",
    usage: "understudy sweep [<spec> ...] [<options>] -- <command> ...",
    discussion: """
      The first run, with default responses, finds the operations that the command calls. Each later run has a mock of its own, \
      where one of them answers with a documented status or a hostile variant; UNDERSTUDY_BASE_URL names it. A crash and a \
      run beyond the limit are findings, and so is a request that breaks the contract; `--expect-file` names what else each \
      variant should do. Exit codes: 0 clean, 1 findings, 4 the command fails with default responses, calls no operation, or the \
      sweep was interrupted.
      """)

  @OptionGroup(title: "Contracts and fixtures") var contracts: ContractOptions

  @Option(help: ArgumentHelp("Vary the answers of this operation only. Repeatable.", valueName: "id"))
  var operation: [String] = []

  @Option(
    help: ArgumentHelp(
      "Run these variants only, as the table shows them: 'status 401', 'readUser required-null /nick', html. Repeatable.",
      valueName: "row"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Report what the client must not do between two answers, as `serve --check` does: retry-after-401. Repeatable.",
      valueName: "check"))
  var check: [String] = []

  @Flag(help: "Add the base path of the first contract to UNDERSTUDY_BASE_URL.")
  var withBasePath = false

  @Option(
    help: ArgumentHelp("The number of runs at the same time. (default: 2)", valueName: "n"), transform: (1...64).number)
  var jobs = 2

  @Option(
    help: ArgumentHelp("The longest run of the command, such as 500ms. (default: 10s)", valueName: "duration"),
    transform: { text in
      guard let limit = Duration(text: text), limit > .zero else {
        throw ValidationError("`\(text)` is not a duration: expected one such as 500ms or 10s, at most an hour")
      }
      return limit
    })
  var limit: Duration = .seconds(10)

  @Option(
    help: ArgumentHelp("Begin no further run after this time, such as 5m.", valueName: "duration"),
    transform: { text in
      guard let limit = Duration(text: text), limit > .zero else {
        throw ValidationError("`\(text)` is not a duration: expected one such as 30s or 5m, at most an hour")
      }
      return limit
    })
  var maxTime: Duration?

  @Option(help: ArgumentHelp("Selects members where a body has more than a sweep changes.", valueName: "text"))
  var seed = "0"

  @Option(help: ArgumentHelp("What the command should do with each variant.", valueName: "file"))
  var expectFile: String?

  @OptionGroup(title: "Output") var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  private var command: [String] { Run.split(CommandLine.arguments).command }

  func validate() throws {
    guard !command.isEmpty else {
      throw ValidationError("no command is named: write it after `--`, as in `understudy sweep api.yaml -- npm test`")
    }
  }

  func run() async throws {
    CapturedProcess.superviseChildren()
    let configuration = try common.configuration()
    try reporting.prepare(common)
    let loaded = try await Loading(common: common, contracts: contracts).load(configuration)
    var options = Mock.Options()
    options.rules = configuration.rules
    for text in check { options.checks.append(try ClientCheckSettings(argument: text)) }
    let operations = loaded.flatMap(\.compiled.operations)
    let ids = operations.map(\.id)
    for id in operation where !ids.contains(where: { $0.utf8Equals(id) }) {
      throw CommandFailure(
        .usage, "`--operation \(id)` names no operation of the contract",
        help: Suggestion.help(for: id, among: ids))
    }
    let events = loaded.flatMap(\.eventCells).filter { !$0.isFromClient }
    let names = ids + events.map { "\(EventCell.method) \($0.event)" }
    let expectations = try expectFile.map { try SweepExpectations.read($0, names) } ?? SweepExpectations()
    CapturedProcess.endChildrenOnSignals()
    CapturedProcess.adoptOrphans()
    defer { OrphanEnd.report(CapturedProcess.endOrphans()) }
    let (startedAt, start) = (Timestamp.now(), ContinuousClock.now)
    let runner = SweepRunner(
      contracts: loaded, options: options, command: command, limit: limit,
      basePath: withBasePath ? operations.first?.basePath ?? "" : "")
    let usual = try await usualRun(runner)
    let known = usual.violations
    let variants = try variants(of: usual.run, Mock(contracts: loaded, options: options))
    let runs = try await runner.runs(of: variants, jobs: jobs, usual: usual, until: maxTime.map { start + $0 })
    var report = Report(
      Report.Run(
        "sweep", contracts: loaded.map { Report.ContractFile($0) },
        target: VisibleText.shortened(command.map { ShellQuoting().word($0) }.joined(separator: " "), to: 80),
        startedAt: startedAt))
    report.run.seed = seed
    report.run.duration = ContinuousClock.now - start
    if CapturedProcess.isInterrupted {
      report.run.abortedBecause = "it was interrupted after \(runs.count) of \(variants.count.counted("variant"))"
    }
    if report.run.abortedBecause == nil, runs.count < variants.count {
      report.run.abortedBecause =
        "`--max-time` has ended it after \(runs.count) of \(variants.count.counted("variant"))"
    }
    let cases = SweepCases(operations, expectations)
    report.cases = cases.cases(of: known) + cases.cases(of: runs)
    report.coverage = runner.coverage
    if reporting.format == .text { Terminal.standardOutput.write(SweepTable(runs.map(\.row)).text + "\n") }
    try reporting.finish(report, common)
  }

  /// The run with default responses.
  private func usualRun(_ runner: SweepRunner) async throws -> SweepRunner.Ended {
    let run = try await runner.run(nil)
    let end = run.end
    if CapturedProcess.isInterrupted {
      throw CommandFailure(.nothingChecked, "the sweep was interrupted before its first variant")
    }
    guard end.outcome.isSuccess else {
      Terminal.standardError.write(end.output)
      let printer = DiagnosticPrinter(style: common.standardError)
      for violation in run.violations {
        let cell = violation.cell.isEmpty ? "" : "\(VisibleText.line(violation.cell)): "
        Terminal.standardError.write(cell + printer.text(violation.evidence))
      }
      throw CommandFailure(
        .nothingChecked,
        "the command fails with default responses (\(end.outcome)), so its other runs would show nothing",
        help: run.violations.isEmpty
          ? "its output stands above; `understudy run` shows what it sends"
          : "its output stands above, and what its requests break, for which the mock may have refused them")
    }
    return run
  }

  /// Whether a text names a variant: by its row, with or without its operation, or by its kind. A meaning may be left out.
  private static func isNamed(_ variant: SweepVariant, _ text: String) -> Bool {
    [variant.name, variant.fullName, variant.kind.rawValue].contains(where: text.utf8Equals)
      || variant.name.hasPrefix(text + " ") || variant.fullName.hasPrefix(text + " ")
  }

  /// The variants of the operations that the command calls with default responses, and of the events of its sockets.
  private func variants(of usual: SweepRun, _ mock: Mock) throws -> [SweepVariant] {
    let touched = usual.touched.filter { operation.isEmpty || operation.contains($0.operation.id) }
    let events =
      operation.isEmpty ? EventPlan(mock, opened: usual.sockets.opened, sent: usual.sockets.sent).variants : []
    guard !touched.isEmpty || !events.isEmpty else {
      let called = usual.sent.map(\.name).unique()
      throw CommandFailure(
        .nothingChecked, "the command called \(operation.isEmpty ? "no operation" : "none of the named operations")",
        help: called.isEmpty
          ? "it sent no request to the URL in UNDERSTUDY_BASE_URL" : "it called \(called.joined(separator: ", "))")
    }
    let answers = touched.flatMap {
      SweepPlan($0.operation, usual: $0.reply, seed: seed, sockets: mock.sockets).variants
    }
    let all = answers + events
    for row in only where !all.contains(where: { Self.isNamed($0, row) }) {
      throw CommandFailure(
        .usage, "`--only \(row)` names no row of this sweep",
        help: Suggestion.phrase(for: row, among: all.map(\.name) + all.map(\.fullName))
          ?? "as in --only 'status 401', --only html, or with the operation: --only '\(all[0].fullName)'")
    }
    return only.isEmpty ? all : all.filter { variant in only.contains { Self.isNamed(variant, $0) } }
  }
}
