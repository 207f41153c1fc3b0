import Understudy
import UnderstudyServer

/// A running mock: banner, log, reloads and shutdown.
struct ServeSession {
  var options: Mock.Options
  var basePaths: BasePathPolicy
  var paths: [String]
  var fixtures: String
  var tokens: TokenSettings?
  /// The clock that tokens are checked by, in seconds since 1970.
  var now: @Sendable () -> Int = { Timestamp.seconds() }
  var host: String
  var port: Int
  var watches: Bool
  var isQuiet: Bool
  var isVerbose: Bool
  var upstreamTimeout: Duration
  /// Certificates (PEM) that are trusted besides those of the system.
  var trusted: [UInt8]
  /// The file for recorded exchanges.
  var har: String?
  var common: CommonOptions

  func run() async throws {
    let signals = Signals()
    let start = ContinuousClock.now
    let before = FileWatcher.Snapshot(of: watches ? paths + [fixtures] : [])
    let deduplicator = DiagnosticDeduplicator()
    let (loaded, watched, found) = load()
    common.report(deduplicator.update(found).new)
    guard let mock = loaded else { throw CommandFailure(.notLoadable) }
    guard mock.diagnostics.isEmpty else { throw CommandFailure(.usage) }
    let recorder = try recorder(mock)
    let lines = LineQueue { Terminal.standardError.write($0) }
    var settings = ServerConfiguration()
    settings.host = host
    settings.port = port
    settings.cors = options.allowsCrossOrigin
    let upstream = options.upstream.map { _ in UpstreamClient(timeout: upstreamTimeout, trusting: trusted) }
    let server = HTTPServer(
      responder: mock.responder, configuration: settings, transport: upstream?.transport,
      observer: observer(lines, recorder, mock))
    let address: ServerAddress
    do throws(ServerStartError) {
      address = try await server.start()
    } catch {
      await upstream?.shutdown()
      throw CommandFailure(.notLoadable, error.description)
    }
    lines.append(
      Banner(mock: mock, address: address, took: ContinuousClock.now - start, style: common.standardError).text)
    let style = common.standardError
    let notice =
      options.isDynamic
      ? nil
      : Task.detached(priority: .background) {
        let text = ExampleNotice.text(mock.contracts, style)
        if !text.isEmpty { lines.append(text) }
      }
    let reloader = Reloader {
      let (mock, watched, found) = load()
      let (new, remaining) = deduplicator.update(found)
      let printer = DiagnosticPrinter(style: common.standardError)
      for diagnostic in new { lines.append(printer.text(diagnostic)) }
      if remaining > 0 {
        lines.append("\(remaining.counted("earlier problem")) \(remaining == 1 ? "remains" : "remain")\n")
      }
      return (mock, watched)
    } use: { mock, changed in
      lines.append(await use(mock, changed, server))
      if let mock, mock.diagnostics.isEmpty { recorder?.use(mock) }
    }
    if watches { reloader.start(watching: watched, since: before) }
    await signals.wait()
    notice?.cancel()
    await reloader.stop()
    await server.shutdown()
    await upstream?.shutdown()
    lines.finish("\nstopped\n" + (recorder?.finish() ?? ""))
  }

  private func recorder(_ mock: Mock) throws -> HARRecorder? {
    guard let har else { return nil }
    do throws(FileProblem) {
      return try HARRecorder(har, mock)
    } catch {
      throw CommandFailure(.usage, "--har \(error.path): \(error.message)", help: error.help)
    }
  }

  private func observer(
    _ lines: LineQueue, _ recorder: HARRecorder?, _ mock: Mock
  ) -> (@Sendable (ServedExchange) -> Void)? {
    guard !isQuiet || recorder != nil else { return nil }
    let log = RequestLog(
      style: common.standardError, redaction: Redaction(mock.contracts.map(\.api)),
      showsOwner: options.upstream != nil, showsUnvalidated: isVerbose)
    return { exchange in
      if !isQuiet { lines.append(log.text(exchange)) }
      recorder?.append(exchange)
    }
  }

  /// Builds a mock from the current files; `nil` if a contract cannot be used.
  private func load() -> (mock: Mock?, watched: [String], findings: [Diagnostic]) {
    var contracts: [Contract] = []
    var watched: [String] = []
    var findings: [Diagnostic] = []
    var isComplete = true
    var options = options
    if let tokens {
      let (check, diagnostics) = tokens.check(now: now)
      findings += diagnostics
      watched += tokens.watched
      options.tokens = check
      isComplete = check != nil
    }
    for path in paths {
      let (contract, diagnostics) = Contract.load(
        path, fixtures: fixtures, scenario: options.scenario, basePaths: basePaths)
      findings += diagnostics.filter { isVerbose || contract == nil || $0.severity == .error }
      watched += contract?.watched ?? [path]
      if let contract { contracts.append(contract) } else { isComplete = false }
    }
    let mock = isComplete ? Mock(contracts: contracts, options: options) : nil
    return (mock, watched, findings + (mock.map { $0.diagnostics + $0.conflicts } ?? []))
  }

  /// Serves a new mock unless it has errors, and returns a line for the log.
  private func use(_ mock: Mock?, _ changed: String, _ server: HTTPServer) async -> String {
    let style = common.standardError
    guard let mock, mock.diagnostics.isEmpty else {
      return "\(style.red("not reloaded")) after a change of \(changed): the last valid state is served\n"
    }
    await server.replace(responder: mock.responder)
    return "\(style.green("reloaded")) after a change of \(changed)\n"
  }
}
