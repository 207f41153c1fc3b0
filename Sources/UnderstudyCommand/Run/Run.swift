import ArgumentParser
import UnderstudyMock
import UnderstudyServer
import UnderstudyVerification

/// `understudy run [SPEC...] -- COMMAND...`: runs a command beside a mock.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a command beside a mock, and require the answers that it must see.",
    usage: "understudy run [<spec> ...] [<options>] -- <command> ...",
    discussion: """
      The mock listens on a free port before the command starts, and UNDERSTUDY_BASE_URL names it. Signals are passed on. \
      The exit code is the command's, or a larger one: 5 if the coverage is too low, 1 if the client broke a check or a \
      scenario, or, with --fail-on, the contract.

        understudy run api.yaml -- npm test
        understudy run --har traffic.har --require 'chat/*:200,401' -- sh -c './client --url "$UNDERSTUDY_BASE_URL"'
      """)

  @OptionGroup var serve: Serve

  @Flag(help: "Add the base path of the first contract to UNDERSTUDY_BASE_URL.")
  var withBasePath = false
  @OptionGroup(title: "What fails") var gates: GateOptions
  @OptionGroup(title: "Output") var reporting: ReportOptions

  /// The words after the first `--`. ArgumentParser does not support a second list of words after the contracts, so it gets
  /// only the words before.
  private var command: [String] { Self.split(CommandLine.arguments).command }

  static func split(_ arguments: [String]) -> (own: [String], command: [String]) {
    let own = Array(arguments.prefix { $0 != "--" })
    return (own, Array(arguments.dropFirst(own.count + 1)))
  }

  static let variable = "UNDERSTUDY_BASE_URL"
  /// The path of the certificate that the command has to trust.
  static let authorityVariable = "UNDERSTUDY_CA_FILE"

  func validate() throws {
    guard command.isEmpty else { return }
    throw ValidationError("no command is named: write it after `--`, as in `understudy run api.yaml -- npm test`")
  }

  func run() async throws {
    CapturedProcess.superviseChildren()
    CapturedProcess.adoptOrphans()
    let common = serve.common
    let gates = try gates.gates()
    let configuration = try common.configuration()
    try reporting.prepare(common)
    try reporting.spare(serve.contracts.specs + configuration.contracts.map(\.path))
    let isChecked = !serve.answers.check.isEmpty || serve.answers.scenario != nil || reporting.failOn.isGiven
    let isReported = !reporting.report.isEmpty || reporting.format != .text
    // The report is about the exchanges of this run, not those that the recording of `--har` had before.
    let recording = isChecked || isReported || !gates.isEmpty ? try TemporaryRecording() : nil
    defer { recording?.remove() }

    var session = try await serve.session(configuration, port: serve.listen.port ?? 0)
    session.announcement = .line("for `\(Self.shown(command))`")
    session.isQuiet = !serve.verbose
    session.recordingPaths.own = recording?.path
    let broken = BrokenRequests(besides: session.options.checks)
    session.brokenRequests = broken
    let startedAt = Timestamp.now()
    var code: Int32 = 0
    let outcome = try await session.run { address, mock in
      // An unknown cell is reported before the command starts.
      let coverage = CoverageTally(mock.contracts.map(\.compiled)).finished()
      for gate in gates { _ = try gate.evaluate(coverage) }
      let path = withBasePath ? mock.operations.first?.compiled.basePath ?? "" : ""
      let authority = session.tls?.authority.map { (name: Self.authorityVariable, value: $0) }
      code = try await ChildProcess.run(
        command, variables: [(Self.variable, address.url + path)] + [authority].compactMap(\.self))
      await OrphanEnd.endRest()
    }
    if code != 0 { Terminal.standardError.write("`\(Self.shown(command))` ended with exit code \(code)\n") }
    if !reporting.failOn.isGiven, let remark = broken.remark { Terminal.standardError.write(remark) }
    guard let recording else { throw ProcessEnd(code: code) }
    do {
      try finish(recording, outcome, reporting.failOn.isGiven ? broken.events : [], gates, startedAt)
    } catch let failure as CommandFailure {
      if let message = failure.message { Terminal.standardError.write("error: \(message)\n") }
      throw ProcessEnd(code: max(code, failure.code.rawValue))
    }
    throw ProcessEnd(code: code)
  }

  /// Evaluates the gates over the recording, and reports what the client broke.
  ///
  /// - Parameter events: The findings about events of sockets that count.
  private func finish(
    _ recording: TemporaryRecording, _ outcome: ServeSession.Outcome, _ events: [Diagnostic], _ gates: [CoverageGate],
    _ startedAt: String
  ) throws {
    let mock = outcome.mock
    // The log has all others.
    if reporting.format == .text {
      serve.common.report(outcome.closingFindings.map(\.finding).filter { !$0.rule.isAboutSockets })
    }
    var report = Report(
      Report.Run(
        "coverage", contracts: mock.contracts.map { Report.ContractFile($0) },
        target: Self.shown(command), startedAt: startedAt))
    var verifier = TrafficVerifier(
      mock.contracts, rules: mock.options.rules,
      scope: TrafficScope(mock.contracts.map(\.api), bases: [], isStrict: false), checks: mock.options.checks)
    do throws(FileProblem) {
      verifier.validate(try HARFile(recording.path), isPrivate: true)
    } catch {
      throw CommandFailure(.internalError, "\(error.path): \(error.message)")
    }
    verifier.add(outcome.closingFindings + events.map { ClosingFinding(contract: "", operation: "", finding: $0) })
    verifier.fill(&report)
    report.cases = verifier.clientCases(withRequests: reporting.failOn.isGiven)
    report.remarks = []
    try self.gates.finish(report, gates, reporting, serve.common, showsMatrix: false)
  }

  private static func shown(_ command: [String]) -> String {
    VisibleText.shortened(command.map { ShellQuoting().word($0) }.joined(separator: " "), to: 80)
  }
}
